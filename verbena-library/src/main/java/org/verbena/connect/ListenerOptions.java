package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.link.stream.StreamKind;

/**
 * Options of a listener. Immutable; the {@code with} methods give changed copies.
 *
 * @param backlog requests that may wait for an answer, 1 … {@link CmLimits#BACKLOG_MAX}; one more is dropped, and the peer repeats it
 * @param serviceId service id in place of that of a port; 0: that of the port. Not over iWARP
 * @param otherStreams takes streams that come to a listener of iWARP and speak another protocol; null: they are closed. See {@link #withOtherStreams}
 * @param streamKinds tells the kind of a stream by the peer's address; null: the first bytes of each stream do. See {@link #withStreamKinds}
 */
public record ListenerOptions(
        int backlog,
        long serviceId,
        @Nullable Consumer<IncomingStream> otherStreams,
        @Nullable Function<InetSocketAddress, @Nullable StreamKind> streamKinds) {
    /** A backlog of 1024 requests, and the service id of the port. */
    public static final ListenerOptions DEFAULT = new ListenerOptions(1024, 0, null, null);

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
        return new ListenerOptions(requests, serviceId, otherStreams, streamKinds);
    }

    /** The same with a service id in place of that of the port; 0: that of the port. */
    public ListenerOptions withServiceId(long id) {
        return new ListenerOptions(backlog, id, otherStreams, streamKinds);
    }

    /**
     * The same with a handler for streams that speak another protocol: iSCSI, or any other. The first bytes of a stream tell. A handler that
     * throws has its stream closed, and {@link Listener#callbackFailure} gives the exception.
     *
     * @param handler called on the engine's thread; must not wait. null: such streams are closed
     */
    public ListenerOptions withOtherStreams(@Nullable Consumer<IncomingStream> handler) {
        return new ListenerOptions(backlog, serviceId, handler, streamKinds);
    }

    /**
     * The same with a function that tells the kind of a stream by the peer's address and port, before its first byte.
     *
     * @param kinds called on the engine's thread; gives null if the first bytes of the stream are to decide. null: they always do
     */
    public ListenerOptions withStreamKinds(@Nullable Function<InetSocketAddress, @Nullable StreamKind> kinds) {
        return new ListenerOptions(backlog, serviceId, otherStreams, kinds);
    }
}
