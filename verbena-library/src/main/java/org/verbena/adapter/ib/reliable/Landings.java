package org.verbena.adapter.ib.reliable;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Faults;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.faults.PageHold;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;

/**
 * Holds on the pages where the answers to reads and atomics land: one for each request on the wire, in the order of the requests,
 * which is the order of the answers. A request that is sent again keeps its hold, because its first answer may still come. Hold
 * objects are made when first needed and used again.
 */
final class Landings {
    private final ProtectionTable memory;
    private final Faults faults;
    private @Nullable PageHold[] holds = new @Nullable PageHold[4];
    private int oldest;
    private int count;
    /** Number of holds, from the oldest on, whose request has been sent since the requester last went back. */
    private int sent;
    /** The same number when the requester last asked a silent peer; 0 if it went back for a loss since. */
    private int sentBeforeAsking;
    /** The request sent last was sent for the first time: its hold is new. */
    private boolean fresh;

    Landings(EngineParts parts) {
        this.memory = parts.memory();
        this.faults = parts.faults();
    }

    /** Holds pages for one more request; without effect if that is not granted. */
    Verdict hold(SegmentList landing, Accessor who, long offset, long length) {
        if (sent < count) {
            sent++;
            fresh = false;
            return Verdict.GRANTED;
        }
        Verdict verdict = landing.hold(next(), memory, who, offset, length);
        if (verdict.granted()) {
            added();
        }
        return verdict;
    }

    private void added() {
        count++;
        sent++;
        fresh = true;
        faults.onHeld(1);
    }

    /** Holds the pages that a fault has brought in for one more request. */
    void adopt(Fault landed) {
        assert sent == count : "a request that is sent again waits for no pages";
        next().adopt(landed);
        added();
    }

    private PageHold next() {
        if (count == holds.length) {
            grow();
        }
        int slot = (oldest + count) & (holds.length - 1);
        PageHold hold = holds[slot];
        if (hold == null) {
            hold = new PageHold();
            holds[slot] = hold;
        }
        return hold;
    }

    private void grow() {
        @Nullable PageHold[] larger = Arrays.copyOfRange(holds, oldest, oldest + holds.length * 2);
        System.arraycopy(holds, 0, larger, holds.length - oldest, oldest);
        Arrays.fill(larger, holds.length, larger.length, null);
        holds = larger;
        oldest = 0;
    }

    /** The newest request did not leave. */
    void undo() {
        sent--;
        if (fresh) {
            release(oldest + --count);
        }
    }

    /** All requests count as lost and will be sent again. */
    void goBack() {
        sent = 0;
        sentBeforeAsking = 0;
    }

    /** The peer is asked: all requests will be sent again unless it shows that it was slow. */
    void ask() {
        sentBeforeAsking = Math.max(sentBeforeAsking, sent);
        sent = 0;
    }

    /** The peer was slow: what was sent before it was asked is on the wire. Returns the number of requests that are. */
    int goOn() {
        sent = Math.max(sent, sentBeforeAsking);
        sentBeforeAsking = 0;
        return sent;
    }

    /** The oldest request has been answered in full. */
    void onAnswered() {
        if (count > 0) {
            count--;
            sent = Math.max(0, sent - 1);
            sentBeforeAsking = Math.max(0, sentBeforeAsking - 1);
            release(oldest++);
            oldest &= holds.length - 1;
        }
    }

    /** No request is under way any more. */
    void clear() {
        while (count > 0) {
            release(oldest + --count);
        }
        goBack();
    }

    private void release(int index) {
        PageHold hold = holds[index & (holds.length - 1)];
        assert hold != null : "nothing was held at " + index;
        hold.release();
        faults.onHeld(-1);
    }
}
