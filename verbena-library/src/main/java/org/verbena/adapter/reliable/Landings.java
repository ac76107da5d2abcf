package org.verbena.adapter.reliable;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.SegmentList;
import org.verbena.memory.Accessor;
import org.verbena.memory.Fault;
import org.verbena.memory.PageHold;
import org.verbena.memory.Verdict;

/**
 * Keeps the pages in place where answers to reads and atomics under way will land: a hold for each request on the wire,
 * in the order of the requests, which is that of the answers. Holds are made when first needed and used again.
 */
final class Landings {
    private final Engine engine;
    private @Nullable PageHold[] holds = new @Nullable PageHold[4];
    private int oldest;
    private int count;

    Landings(Engine engine) {
        this.engine = engine;
    }

    /** Holds pages for one more request; if they can't be held now, nothing has changed. */
    Verdict hold(SegmentList landing, Accessor who, long offset, long length) {
        Verdict verdict = landing.hold(next(), engine.memory(), who, offset, length);
        if (verdict.granted()) {
            count++;
            engine.faults().onHeld(1);
        }
        return verdict;
    }

    /** Holds, for one more request, the pages that a fault has brought in for it. */
    void adopt(Fault landed) {
        next().adopt(landed);
        count++;
        engine.faults().onHeld(1);
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

    /** The newest request did not leave after all. */
    void undo() {
        release(oldest + --count);
    }

    /** The oldest request has been answered in full. */
    void onAnswered() {
        if (count > 0) {
            count--;
            release(oldest++);
            oldest &= holds.length - 1;
        }
    }

    /** None of the requests is under way any more. */
    void clear() {
        while (count > 0) {
            undo();
        }
    }

    private void release(int index) {
        PageHold hold = holds[index & (holds.length - 1)];
        assert hold != null : "nothing was held at " + index;
        hold.release();
        engine.faults().onHeld(-1);
    }
}
