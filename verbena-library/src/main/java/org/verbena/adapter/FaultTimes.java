package org.verbena.adapter;

import java.util.Arrays;

/**
 * The times that recent page faults of all queue pairs of an engine took: from the access that met the fault until the engine knew
 * that the pages are resident. The engine's thread calls everything.
 */
public final class FaultTimes {
    /**
     * Number of faults that are remembered; a new one replaces the oldest. The number is small: when the store stalls, all faults under
     * way take long, and half as many fast ones must follow until the median is normal again.
     */
    static final int REMEMBERED = 16;
    /** Median before the first fault: a read from a present-day disk. */
    static final long FIRST_MEDIAN_NS = 120_000;
    /** Ninth decile before the first fault. */
    static final long FIRST_NINTH_NS = 300_000;

    /** Longest time before the first fault: a present-day disk that is busy with other work. */
    static final long FIRST_LONGEST_NS = 1_000_000;
    /** Each fault reduces the longest time by this fraction, as a shift: one long fault in a hundred is remembered until the next. */
    private static final int FORGOTTEN_SHIFT = 8;

    private final long[] recent = new long[REMEMBERED];
    private final long[] sorted = new long[REMEMBERED];
    private long count;
    private boolean isSorted = true;
    private long longestNs = FIRST_LONGEST_NS;

    /** Adds the time that a fault took. */
    public void add(long ns) {
        recent[(int) (count % REMEMBERED)] = Math.max(0, ns);
        count++;
        isSorted = false;
        longestNs = Math.max(ns, longestNs - (longestNs >> FORGOTTEN_SHIFT));
    }

    /** The median: half of the faults took longer. */
    public long medianNs() {
        return count == 0 ? FIRST_MEDIAN_NS : atRank(5);
    }

    /** The ninth decile: one fault in ten took longer. */
    public long ninthNs() {
        return count == 0 ? FIRST_NINTH_NS : atRank(9);
    }

    /** The longest time; it decays over some hundred faults. */
    public long longestNs() {
        return longestNs;
    }

    private long atRank(int tenths) {
        int known = (int) Math.min(count, REMEMBERED);
        if (!isSorted) {
            System.arraycopy(recent, 0, sorted, 0, known);
            Arrays.sort(sorted, 0, known);
            isSorted = true;
        }
        // The smallest time that at least this many tenths of the faults do not exceed.
        return sorted[(known * tenths + 9) / 10 - 1];
    }
}
