package org.verbena.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a link has done since it was opened. Written by the thread that drives the link, read by any: each figure is exact as of some
 * moment shortly before, different figures not of the same moment.
 */
public final class LinkCounters {
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);

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

    private final long[] cells = new long[RECEIVE_ERRORS + LinkError.COUNT];

    public LinkCounters() {}

    /** Packets handed over. */
    public long sent() {
        return read(SENT);
    }

    public long sentBytes() {
        return read(SENT_BYTES);
    }

    /** Packets delivered to the handler. */
    public long received() {
        return read(RECEIVED);
    }

    public long receivedBytes() {
        return read(RECEIVED_BYTES);
    }

    /** Times the system was asked to send. */
    public long sendCalls() {
        return read(SEND_CALLS);
    }

    /** Times the system was asked for packets. */
    public long receiveCalls() {
        return read(RECEIVE_CALLS);
    }

    /** Claims that found no room. */
    public long refused() {
        return read(REFUSED);
    }

    /** Committed packets given up because the system refused them for good or nobody is at their target. */
    public long sendDropped() {
        return read(SEND_DROPPED);
    }

    /** Packets that arrived and were not delivered: truncated, empty or too many. */
    public long receiveDropped() {
        return read(RECEIVE_DROPPED);
    }

    /**
     * Datagrams that reached this machine and that it threw away because we did not fetch them in time, as far as it tells: with the next
     * one that arrives.
     */
    public long overrun() {
        return read(OVERRUN);
    }

    /** Times the system refused to send for this reason; {@link #sendDropped()} says how many packets that cost. */
    public long sendErrors(LinkError kind) {
        return read(SEND_ERRORS + kind.ordinal());
    }

    /** Times the system answered with this error, in place of packets, when asked for some. */
    public long receiveErrors(LinkError kind) {
        return read(RECEIVE_ERRORS + kind.ordinal());
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

    private long read(int cell) {
        return (long) CELLS.getOpaque(cells, cell);
    }

    private void add(int cell, long amount) {
        CELLS.setOpaque(cells, cell, cells[cell] + amount);
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
