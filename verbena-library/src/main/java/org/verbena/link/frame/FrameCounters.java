package org.verbena.link.frame;

import org.verbena.trace.CounterCells;

/** The counters of a {@link FramePort} since it was opened. Written by the thread that uses the port, read by any. */
public final class FrameCounters extends CounterCells {
    private static final int RECEIVED = 0;
    private static final int RECEIVED_BYTES = 1;
    private static final int RECEIVE_TOO_LONG = 2;
    private static final int RECEIVE_MALFORMED = 3;
    private static final int RECEIVE_ERRORS = 4;
    private static final int SENT = 5;
    private static final int SENT_BYTES = 6;
    private static final int SEND_DROPPED = 7;
    private static final int CELLS = 8;

    /** All zero. */
    public FrameCounters() {
        super(CELLS);
    }

    /** Frames taken. */
    public long received() {
        return value(RECEIVED);
    }

    /** Bytes of these frames, without offload headers. */
    public long receivedBytes() {
        return value(RECEIVED_BYTES);
    }

    /** Frames that were longer than the room for them, and lost. */
    public long receiveTooLong() {
        return value(RECEIVE_TOO_LONG);
    }

    /** Frames that came in shorter than an Ethernet header, and were lost. */
    public long receiveMalformed() {
        return value(RECEIVE_MALFORMED);
    }

    /** Calls for a frame that the system failed: the interface went down, or is gone. */
    public long receiveErrors() {
        return value(RECEIVE_ERRORS);
    }

    /** Frames sent. */
    public long sent() {
        return value(SENT);
    }

    /** Bytes of these frames, without offload headers. */
    public long sentBytes() {
        return value(SENT_BYTES);
    }

    /** Frames that the port did not take. */
    public long sendDropped() {
        return value(SEND_DROPPED);
    }

    public void onReceived(long bytes) {
        add(RECEIVED, 1);
        add(RECEIVED_BYTES, bytes);
    }

    public void onReceiveTooLong() {
        add(RECEIVE_TOO_LONG, 1);
    }

    public void onReceiveMalformed() {
        add(RECEIVE_MALFORMED, 1);
    }

    public void onReceiveError() {
        add(RECEIVE_ERRORS, 1);
    }

    public void onSent(long bytes) {
        add(SENT, 1);
        add(SENT_BYTES, bytes);
    }

    public void onSendDropped() {
        add(SEND_DROPPED, 1);
    }

    @Override
    public String toString() {
        return "sent " + sent() + " frames of " + sentBytes() + " bytes, dropped " + sendDropped() + ", received "
                + received() + " of " + receivedBytes() + " bytes, too long " + receiveTooLong() + ", malformed "
                + receiveMalformed() + ", errors " + receiveErrors();
    }
}
