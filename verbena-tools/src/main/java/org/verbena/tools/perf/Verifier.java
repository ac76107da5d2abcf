package org.verbena.tools.perf;

import java.lang.foreign.ValueLayout;

/**
 * Writes and checks the contents of messages, for one end. Does nothing unless the plan asks for verification.
 *
 * <p>Sends and writes with immediate are checked by the target; plain writes by the initiator, which reads them back; reads
 * by the initiator, the target's memory being known; atomics by the values they return.
 */
final class Verifier {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final byte UNTOUCHED = (byte) 0xa5;

    private final Side side;
    private final PerfOperation operation;
    private final MessageMemory memory;
    private final Layout layout;
    private final Tally tally;
    private final boolean on;

    Verifier(Side side, Tally tally) {
        this.side = side;
        this.operation = side.plan().operation();
        this.memory = side.memory();
        this.layout = side.layout();
        this.tally = tally;
        this.on = side.plan().verify();
    }

    boolean isOn() {
        return on;
    }

    /** A target about to be connected: makes its memory known. */
    void beforeTarget() {
        if (operation == PerfOperation.READ) {
            for (int slot = 0; slot < layout.landingSlots(); slot++) {
                fill(layout.landing(slot), slot);
            }
        }
    }

    /** An end about to post a message. */
    void beforePost(long message) {
        if (!on) {
            return;
        }
        if (operation.returnsData()) {
            memory.segment().asSlice(layout.landing(message), layout.size()).fill(UNTOUCHED);
            memory.push(layout.landing(message), layout.size());
        } else {
            fill(layout.source(message), message);
        }
    }

    /** An initiator whose message is complete. */
    void afterCompletion(long message) {
        if (!on) {
            return;
        }
        switch (operation) {
            case WRITE -> {
                if (!side.plan().isLatency()) {
                    expectPattern(message, message, layout.size());
                }
            }
            case READ -> expectPattern(message, message % layout.landingSlots(), layout.size());
            case FETCH_ADD -> expectWord(message, message);
            case COMPARE_SWAP -> expectWord(message, message & 1);
            case SEND, WRITE_IMM -> {}
        }
    }

    /** An end that was told of a message by a completion of this length. */
    void afterReceive(long message, long byteLength) {
        if (on) {
            if (byteLength != layout.size()) {
                tally.fail("message " + message + " has " + byteLength + " bytes, " + layout.size() + " expected");
            }
            expectPattern(message, message, layout.size());
        }
    }

    /**
     * An end that saw the last byte of a message: those before it are looked at again for a while, as nothing says in
     * which order they become visible.
     */
    void afterLastByte(long message) {
        if (on) {
            long at = layout.landing(message);
            long deadlineNs = System.nanoTime() + 1_000_000;
            while (mismatch(at, layout.size() - 1, message) != Pattern.NONE && System.nanoTime() < deadlineNs) {
                Thread.onSpinWait();
            }
            expectPattern(message, message, layout.size() - 1);
        }
    }

    private void fill(long at, long content) {
        Pattern.fill(memory.segment(), at, layout.size(), content);
        memory.push(at, layout.size());
    }

    private long mismatch(long at, long length, long content) {
        memory.pull(at, length);
        return Pattern.mismatch(memory.segment(), at, length, content);
    }

    private void expectPattern(long message, long content, long length) {
        long wrong = mismatch(layout.landing(message), length, content);
        if (wrong != Pattern.NONE) {
            tally.fail("message " + message + " is wrong from byte " + wrong + " on");
        }
    }

    private void expectWord(long message, long expected) {
        memory.pull(layout.landing(message), Long.BYTES);
        long found = memory.segment().get(WORD, layout.landing(message));
        if (found != expected) {
            tally.fail(operation + " " + message + " returned " + found + ", " + expected + " expected");
        }
    }
}
