package org.verbena.memory.paging;

/**
 * Names of pages that left lately, about as many as there are frames. It may forget one early, when two fall on one place, and
 * once in some millions takes a page for another: that costs a worse choice, nothing else. One thread at a time.
 */
final class GhostList {
    /** Bytes for a frame, at most. */
    static final int BYTES = 8;

    /** Of a place, the bits that say when; the others say who. */
    private static final int AGE_MASK = 0xff;
    /** Of the ages there are, those that are lately. */
    private static final int AGES = 64;

    private final int mask;
    private final int[] places;
    /** Pages that leave at one age. */
    private final int step;

    private int left;

    GhostList(int capacity) {
        this.mask = Integer.highestOneBit(Math.max(1, capacity - 1)) * 2 - 1;
        this.places = new int[mask + 1];
        this.step = Math.max(1, capacity / AGES);
    }

    void add(long page) {
        left = left + 1 & Integer.MAX_VALUE;
        places[place(page)] = fingerprint(page) | age();
    }

    /** Forgets a page; whether it was known. */
    boolean remove(long page) {
        int place = place(page);
        int found = places[place];
        boolean known = found != 0 && (found & ~AGE_MASK) == fingerprint(page) && (age() - found & AGE_MASK) < AGES;
        if (known) {
            places[place] = 0;
        }
        return known;
    }

    private int age() {
        return left / step & AGE_MASK;
    }

    private int place(long page) {
        return (int) mix(page) & mask;
    }

    private static int fingerprint(long page) {
        return (int) (mix(page) >>> 32) & ~AGE_MASK;
    }

    private static long mix(long page) {
        long mixed = (page ^ (page >>> 32)) * 0x9e3779b97f4a7c15L;
        return mixed ^ (mixed >>> 29);
    }
}
