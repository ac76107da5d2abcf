package org.verbena.link;

import java.util.Locale;
import org.verbena.trace.CounterCells;
import org.verbena.trace.MetricGroup;
import org.verbena.trace.Unit;

/** The counters of a link since it was opened. Written by the thread that drives the link, read by any. */
public final class LinkCounters extends CounterCells {
    /** The counters as metrics. */
    public static final MetricGroup<LinkCounters> METRICS = describe();

    private static final int SENT = 0;
    private static final int SENT_BYTES = 1;
    private static final int RECEIVED = 2;
    private static final int RECEIVED_BYTES = 3;
    private static final int SEND_CALLS = 4;
    private static final int RECEIVE_CALLS = 5;
    private static final int REFUSED = 6;
    private static final int SEND_DROPPED = 7;
    private static final int RECEIVE_DROPPED = 8;

    private static final int OVERRUN = 9;
    private static final int SEND_ERRORS = 10;
    private static final int RECEIVE_ERRORS = SEND_ERRORS + LinkError.COUNT;

    /** All zero. */
    public LinkCounters() {
        super(RECEIVE_ERRORS + LinkError.COUNT);
    }

    private static MetricGroup<LinkCounters> describe() {
        MetricGroup.Builder<LinkCounters> group = MetricGroup.<LinkCounters>named("link", "adapter", "link")
                .counter("sent_pkts", Unit.PACKETS, "Packets handed over to the system", LinkCounters::sent)
                .counter("sent_bytes", Unit.BYTES, "Bytes of these packets", LinkCounters::sentBytes)
                .counter("rcvd_pkts", Unit.PACKETS, "Packets delivered to the adapter", LinkCounters::received)
                .counter("rcvd_bytes", Unit.BYTES, "Bytes of these packets", LinkCounters::receivedBytes)
                .counter("send_calls", Unit.CALLS, "Calls that asked the system to send", LinkCounters::sendCalls)
                .counter("rcv_calls", Unit.CALLS, "Calls that asked the system for packets", LinkCounters::receiveCalls)
                .counter("send_refused", Unit.EVENTS, "Claims that found no room for a packet", LinkCounters::refused)
                .counter(
                        "send_drops",
                        Unit.PACKETS,
                        "Packets given up: refused by the system, or without a receiver",
                        LinkCounters::sendDropped)
                .counter(
                        "rcv_drops",
                        Unit.PACKETS,
                        "Packets received and not delivered: truncated, empty or too many",
                        LinkCounters::receiveDropped)
                .counter(
                        "rcv_overruns",
                        Unit.PACKETS,
                        "Packets that the system dropped because they were not fetched in time",
                        LinkCounters::overrun);
        for (LinkError error : LinkError.values()) {
            String value = error.name().toLowerCase(Locale.ROOT);
            group.counter(
                    "send_errors",
                    Unit.CALLS,
                    "Calls to send that failed",
                    "error",
                    value,
                    link -> link.sendErrors(error));
            group.counter(
                    "rcv_errors",
                    Unit.CALLS,
                    "Calls for packets that failed",
                    "error",
                    value,
                    link -> link.receiveErrors(error));
        }
        return group.build();
    }

    /** Packets handed over to the system. */
    public long sent() {
        return value(SENT);
    }

    /** Bytes of these packets. */
    public long sentBytes() {
        return value(SENT_BYTES);
    }

    /** Packets delivered to the handler. */
    public long received() {
        return value(RECEIVED);
    }

    /** Bytes of these packets. */
    public long receivedBytes() {
        return value(RECEIVED_BYTES);
    }

    /** Calls that asked the system to send. */
    public long sendCalls() {
        return value(SEND_CALLS);
    }

    /** Calls that asked the system for packets. */
    public long receiveCalls() {
        return value(RECEIVE_CALLS);
    }

    /** Claims that found no room for a packet. */
    public long refused() {
        return value(REFUSED);
    }

    /** Committed packets given up because the system refused them for good or their target has no receiver. */
    public long sendDropped() {
        return value(SEND_DROPPED);
    }

    /** Packets that arrived and were not delivered: truncated, empty or too many. */
    public long receiveDropped() {
        return value(RECEIVE_DROPPED);
    }

    /**
     * Datagrams that reached this machine and that the system dropped because they were not fetched in time. The system reports them
     * with the next datagram that arrives.
     */
    public long overrun() {
        return value(OVERRUN);
    }

    /** Calls to send that failed for this reason; {@link #sendDropped()} counts the packets lost by them. */
    public long sendErrors(LinkError kind) {
        return value(SEND_ERRORS + kind.ordinal());
    }

    /** Calls for packets that failed for this reason. */
    public long receiveErrors(LinkError kind) {
        return value(RECEIVE_ERRORS + kind.ordinal());
    }

    public void onOverrun(long datagrams) {
        add(OVERRUN, datagrams);
    }

    public void onSendError(LinkError kind) {
        add(SEND_ERRORS + kind.ordinal(), 1);
    }

    public void onReceiveError(LinkError kind) {
        add(RECEIVE_ERRORS + kind.ordinal(), 1);
    }

    public void onSent(int packets, long bytes) {
        add(SENT, packets);
        add(SENT_BYTES, bytes);
    }

    public void onReceived(int packets, long bytes) {
        add(RECEIVED, packets);
        add(RECEIVED_BYTES, bytes);
    }

    public void onSendCall() {
        add(SEND_CALLS, 1);
    }

    public void onReceiveCall() {
        add(RECEIVE_CALLS, 1);
    }

    public void onRefused() {
        add(REFUSED, 1);
    }

    public void onSendDropped(int packets) {
        add(SEND_DROPPED, packets);
    }

    public void onReceiveDropped(int packets) {
        add(RECEIVE_DROPPED, packets);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("sent " + sent() + " in " + sendCalls() + " calls, received "
                + received() + " in " + receiveCalls() + " calls, refused " + refused() + ", dropped " + sendDropped()
                + " out and " + receiveDropped() + " in, overrun " + overrun());
        for (LinkError kind : LinkError.values()) {
            if (sendErrors(kind) + receiveErrors(kind) > 0) {
                text.append(", " + kind + " " + sendErrors(kind) + " out and " + receiveErrors(kind) + " in");
            }
        }
        return text.toString();
    }
}
