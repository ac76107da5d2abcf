package org.verbena.connect;

import org.verbena.connect.protocol.CmLimits;

/**
 * How requests are waited for. Immutable; the {@code with} methods give changed copies.
 *
 * @param backlog requests that may wait for {@code accept}; one more is dropped, and comes again
 * @param serviceId a service that is no port's; 0: the port's
 */
public record ListenerOptions(int backlog, long serviceId) {
    public static final ListenerOptions DEFAULT = new ListenerOptions(1024, 0);

    public ListenerOptions {
        if (backlog < 1 || backlog > CmLimits.BACKLOG_MAX) {
            throw new IllegalArgumentException("backlog must be 1 … " + CmLimits.BACKLOG_MAX + "; found " + backlog);
        }
    }

    public ListenerOptions withBacklog(int requests) {
        return new ListenerOptions(requests, serviceId);
    }

    public ListenerOptions withServiceId(long id) {
        return new ListenerOptions(backlog, id);
    }
}
