package org.verbena.tools.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.verbena.tools.perf.Pattern;

/**
 * The expected content of the target's memory: cells of one message each, in several areas of equal size. A cell holds a stamp of its
 * number and version all over, or, if atomics are for it, a counter in its first word.
 */
final class Cells {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int ALIGNMENT = 64;
    private static final int CELLS_MAX = 1 << 22;
    private static final int COUNTERS_OF_MIX = 8;

    private final int size;
    private final long stride;
    private final int perArea;
    private final int counterEvery;
    private final int[] versions;
    private final BitSet busy;

    Cells(MemoryPlan plan, int areas, long areaBytes) {
        size = plan.size();
        long least = areas * areaBytes / CELLS_MAX;
        stride = (Math.max(least, size) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        perArea = (int) (areaBytes / stride);
        counterEvery = switch (plan.operation()) {
            case ATOMIC -> 1;
            case MIX -> COUNTERS_OF_MIX;
            case WRITE, READ, SEND -> 0;
        };
        versions = new int[areas * perArea];
        busy = new BitSet(versions.length);
    }

    int count() {
        return versions.length;
    }

    int size() {
        return size;
    }

    long stride() {
        return stride;
    }

    int area(int cell) {
        return cell / perArea;
    }

    /** The first cell behind the area of this one. */
    int areaEnd(int cell) {
        return (area(cell) + 1) * perArea;
    }

    /** Where a cell is within its area. */
    long offset(int cell) {
        return cell % perArea * stride;
    }

    /** Whether atomics are for this one, and nothing else that changes it. */
    boolean isCounter(int cell) {
        return counterEvery != 0 && cell % counterEvery == 0;
    }

    int version(int cell) {
        return versions[cell];
    }

    void version(int cell, int version) {
        versions[cell] = version;
    }

    /** The first from this one on that no message is for, and takes it; not all of them are taken. */
    int take(int wanted) {
        int found = busy.nextClearBit(wanted);
        if (found >= count()) {
            found = busy.nextClearBit(0);
        }
        busy.set(found);
        return found;
    }

    void give(int cell) {
        busy.clear(cell);
    }

    /** The bytes of a version of a cell. */
    void stamp(int cell, int version, MemorySegment message, long at) {
        if (isCounter(cell)) {
            message.set(WORD, at, version);
        } else {
            Pattern.fill(message, at, size, content(cell, version));
        }
    }

    /** The error in a copy of a cell; null if there is none. */
    @Nullable
    String judge(int cell, MemorySegment copy, long at) {
        if (isCounter(cell)) {
            long found = copy.get(WORD, at);
            return found == versions[cell]
                    ? null
                    : "cell " + cell + " counts " + found + ", " + versions[cell] + " expected";
        }
        long wrong = Pattern.mismatch(copy, at, size, content(cell, versions[cell]));
        return wrong == Pattern.NONE ? null : describe(cell, copy, at, wrong);
    }

    private String describe(int cell, MemorySegment copy, long at, long wrong) {
        String expected = "byte " + wrong + " of cell " + cell + " (offset " + offset(cell) + " of area " + area(cell)
                + ") is not of version " + versions[cell];
        if (wrong + Long.BYTES > size) {
            return expected;
        }
        long word = copy.get(WORD, at + wrong);
        long content = Pattern.messageOf(word, wrong);
        boolean known =
                content >>> 32 < count() && (int) content > 0 && (int) content <= versions[(int) (content >>> 32)] + 1;
        return expected + ", but "
                + (word == 0
                        ? "zero"
                        : known ? "of cell " + (content >>> 32) + " version " + (int) content : "of nothing known");
    }

    private static long content(int cell, int version) {
        return (long) cell << 32 | version;
    }
}
