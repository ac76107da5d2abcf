package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;

/**
 * Names of pages that were evicted lately, up to about as many as there are frames. It grows with the number of names: when nearly
 * all memory is resident, few pages are away. It is not exact: it forgets a name when two names fall on one place, and takes about
 * one name in 500 for another. Both only make a choice of the policy worse. One thread at a time.
 */
final class GhostList {
    /** Bytes for a frame, at most: up to two places of two bytes, and one place of the table before it grew. */
    static final int BYTES = 6;

    private static final int PLACES_MIN = 16;

    /** Bits of a place that hold the age. The highest bit says that the place is used; the others are the fingerprint of the name. */
    private static final int AGE_MASK = 0x3f;

    private static final int FINGERPRINT_MASK = 0x7fc0;
    private static final int PRESENT = 0x8000;
    /** Number of ages that count as lately. */
    private static final int AGES = 16;

    private final int capacity;
    private final int placesMax;
    /** Number of evictions that have the same age. */
    private final int step;

    private short[] places;
    /** The table before it grew last; null once all its names are too old. */
    private short @Nullable [] before;

    private int count;
    private int left;
    private int grownAt;

    GhostList(int capacity) {
        this.capacity = capacity;
        this.placesMax = Math.max(PLACES_MIN, Integer.highestOneBit(Math.max(1, capacity - 1)) * 2);
        this.step = Math.max(1, capacity / AGES);
        this.places = new short[PLACES_MIN];
    }

    /** Adds the name of a page that is evicted now. */
    void add(long page) {
        left = left + 1 & Integer.MAX_VALUE;
        if (2 * count >= places.length && places.length < placesMax) {
            before = places;
            grownAt = left;
            places = new short[2 * places.length];
            count = 0;
        } else if (before != null && (left - grownAt & Integer.MAX_VALUE) > capacity) {
            before = null;
        }
        int place = (int) mix(page) & (places.length - 1);
        count += places[place] == 0 ? 1 : 0;
        places[place] = (short) (PRESENT | fingerprint(page) | age());
    }

    /** Removes a name; true if it was known. */
    boolean remove(long page) {
        if (take(places, page)) {
            count--;
            return true;
        }
        return before != null && take(before, page);
    }

    private boolean take(short[] from, long page) {
        int place = (int) mix(page) & (from.length - 1);
        int found = from[place];
        boolean known =
                found != 0 && (found & FINGERPRINT_MASK) == fingerprint(page) && (age() - found & AGE_MASK) < AGES;
        if (known) {
            from[place] = 0;
        }
        return known;
    }

    /** Number of places of the table. */
    int places() {
        return places.length;
    }

    /** Bytes that the list takes now. */
    long bytes() {
        short[] older = before;
        return (long) Short.BYTES * (places.length + (older == null ? 0 : older.length));
    }

    private int age() {
        return left / step & AGE_MASK;
    }

    private static int fingerprint(long page) {
        return (int) (mix(page) >>> 32) & FINGERPRINT_MASK;
    }

    private static long mix(long page) {
        long mixed = (page ^ (page >>> 32)) * 0x9e3779b97f4a7c15L;
        return mixed ^ (mixed >>> 29);
    }
}
