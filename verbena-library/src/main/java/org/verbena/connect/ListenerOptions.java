package org.verbena.connect;

import org.verbena.connect.protocol.CmLimits;

/**
 * Options of a listener. Immutable; the {@code with} methods give changed copies.
 *
 * @param backlog requests that may wait for an answer, 1 … {@link CmLimits#BACKLOG_MAX}; one more is dropped, and the peer repeats it
 * @param serviceId service id in place of that of a port; 0: that of the port
 */
public record ListenerOptions(int backlog, long serviceId) {
    /** A backlog of 1024 requests, and the service id of the port. */
    public static final ListenerOptions DEFAULT = new ListenerOptions(1024, 0);

    /** @throws IllegalArgumentException if the backlog is out of range */
    public ListenerOptions {
        if (backlog < 1 || backlog > CmLimits.BACKLOG_MAX) {
            throw new IllegalArgumentException("backlog must be 1 … " + CmLimits.BACKLOG_MAX + "; found " + backlog);
        }
    }

    /**
     * The same with another backlog.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public ListenerOptions withBacklog(int requests) {
        return new ListenerOptions(requests, serviceId);
    }

    /** The same with a service id in place of that of the port; 0: that of the port. */
    public ListenerOptions withServiceId(long id) {
        return new ListenerOptions(backlog, id);
    }
}
