package org.verbena.adapter;

import java.util.Arrays;

/**
 * How long page faults took lately, of all queue pairs of an engine: from the access that met one until the engine knew
 * that the pages are there. The engine's thread calls everything.
 */
public final class FaultTimes {
    /**
     * Faults remembered; an older one is forgotten for a new one. Few: when the store stalls, all faults under way take long,
     * and half as many good ones have to follow until that is forgotten.
     */
    static final int REMEMBERED = 16;
    /** What is taken for usual before the first: a read from a disk of today. */
    static final long FIRST_MEDIAN_NS = 120_000;
    /** What one in ten exceeds, before the first. */
    static final long FIRST_NINTH_NS = 300_000;

    /** What is taken for the longest before the first: a disk of today that is busy otherwise. */
    static final long FIRST_LONGEST_NS = 1_000_000;
    /** By how much of itself the longest is forgotten with each fault: so that one in a hundred is remembered till the next. */
    private static final int FORGOTTEN_SHIFT = 8;

    private final long[] recent = new long[REMEMBERED];
    private final long[] sorted = new long[REMEMBERED];
    private long count;
    private boolean isSorted = true;
    private long longestNs = FIRST_LONGEST_NS;

    /** A fault took so long. */
    public void add(long ns) {
        recent[(int) (count % REMEMBERED)] = Math.max(0, ns);
        count++;
        isSorted = false;
        longestNs = Math.max(ns, longestNs - (longestNs >> FORGOTTEN_SHIFT));
    }

    /** Half of them took longer. */
    public long medianNs() {
        return count == 0 ? FIRST_MEDIAN_NS : atRank(5);
    }

    /** One in ten took longer. */
    public long ninthNs() {
        return count == 0 ? FIRST_NINTH_NS : atRank(9);
    }

    /** The longest, which is forgotten slowly: some hundred faults remember it. */
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
        // The smallest value that at least this share, in tenths, does not exceed.
        return sorted[(known * tenths + 9) / 10 - 1];
    }
}
