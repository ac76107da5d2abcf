package org.verbena.memory.paging;

/**
 * Names of pages that left lately, as many as there are frames. It may forget one early, when two fall on one place, and once
 * in some billions takes a page for another: that costs a worse choice, nothing else. One thread at a time.
 */
final class GhostList {
    /** Bytes for a frame, at most. */
    static final int BYTES = 16;

    private static final long FINGERPRINT = 0xffff_ffffL << 32;

    private final int capacity;
    private final int mask;
    private final long[] places;
    private int left;

    GhostList(int capacity) {
        this.capacity = capacity;
        this.mask = Integer.highestOneBit(Math.max(1, capacity - 1)) * 2 - 1;
        this.places = new long[mask + 1];
    }

    void add(long page) {
        left++;
        places[place(page)] = fingerprint(page) | Integer.toUnsignedLong(left);
    }

    /** Forgets a page; whether it was known. */
    boolean remove(long page) {
        int place = place(page);
        long found = places[place];
        boolean known = found != 0 && (found & FINGERPRINT) == fingerprint(page) && left - (int) found < capacity;
        if (known) {
            places[place] = 0;
        }
        return known;
    }

    private int place(long page) {
        return (int) mix(page) & mask;
    }

    private static long fingerprint(long page) {
        return mix(page) & FINGERPRINT;
    }

    private static long mix(long page) {
        long mixed = (page ^ (page >>> 32)) * 0x9e3779b97f4a7c15L;
        return mixed ^ (mixed >>> 29);
    }
}
