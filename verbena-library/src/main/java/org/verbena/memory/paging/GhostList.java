package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;

/**
 * Names of pages that were evicted lately, up to about as many as there are frames. It grows with the number of names: when nearly
 * all memory is resident, few pages are away. It is not exact: it forgets a name when two names fall on one place, and takes about
 * one name in 500 for another. Both only make a choice of the policy worse. One thread at a time.
 *
 * <p>A name is added within a turn, so no addition does much. The table is in pieces of {@value #PIECE} places; a piece is made when
 * the first name falls on it. A table that is too small is replaced by an empty one of twice the size, and is searched as long as
 * its names are not too old. No name is moved.
 */
final class GhostList {
    /** Bytes for a frame, at most: up to two places of two bytes, and one place of the table before it grew. */
    static final int BYTES = 6;

    /** Places of a piece. */
    static final int PIECE = 2048;

    private static final int PIECE_SHIFT = 11;
    private static final int PLACES_MIN = 16;

    /** Bits of a place that hold the age. The highest bit says that the place is used; the others are the fingerprint of the name. */
    private static final int AGE_MASK = 0x3f;

    private static final int FINGERPRINT_MASK = 0x7fc0;
    private static final int PRESENT = 0x8000;
    /** Number of ages that count as lately. */
    private static final int AGES = 16;

    /** A table of places. A piece that no name has fallen on takes no memory. */
    private static final class Table {
        private final int places;
        private final short[] @Nullable [] pieces;
        private int made;
        private int count;

        Table(int places) {
            this.places = places;
            this.pieces = new short[(places + PIECE - 1) >>> PIECE_SHIFT][];
        }

        int get(int place) {
            short[] piece = pieces[place >>> PIECE_SHIFT];
            return piece == null ? 0 : piece[place & (PIECE - 1)];
        }

        void set(int place, int value) {
            short[] piece = pieces[place >>> PIECE_SHIFT];
            if (piece == null) {
                piece = new short[Math.min(places, PIECE)];
                pieces[place >>> PIECE_SHIFT] = piece;
                made++;
            }
            count += (value == 0 ? 0 : 1) - (piece[place & (PIECE - 1)] == 0 ? 0 : 1);
            piece[place & (PIECE - 1)] = (short) value;
        }

        long bytes() {
            return (long) Integer.BYTES * pieces.length + (long) Short.BYTES * made * Math.min(places, PIECE);
        }
    }

    private final int capacity;
    private final int placesMax;
    /** Number of evictions that have the same age. */
    private final int step;

    private Table table = new Table(PLACES_MIN);
    /** The table before it grew last; null once all its names are too old. */
    private @Nullable Table before;

    private int left;
    private int grownAt;

    GhostList(int capacity) {
        this.capacity = capacity;
        this.placesMax = Math.max(PLACES_MIN, Integer.highestOneBit(Math.max(1, capacity - 1)) * 2);
        this.step = Math.max(1, capacity / AGES);
    }

    /** Adds the name of a page that is evicted now. */
    void add(long page) {
        left = left + 1 & Integer.MAX_VALUE;
        if (2 * table.count >= table.places && table.places < placesMax) {
            before = table;
            grownAt = left;
            table = new Table(2 * table.places);
        } else if (before != null && (left - grownAt & Integer.MAX_VALUE) > capacity) {
            before = null;
        }
        table.set(place(table, page), PRESENT | fingerprint(page) | age());
    }

    /** Removes a name; true if it was known. */
    boolean remove(long page) {
        Table older = before;
        return take(table, page) || (older != null && take(older, page));
    }

    private boolean take(Table from, long page) {
        int found = from.get(place(from, page));
        boolean known =
                found != 0 && (found & FINGERPRINT_MASK) == fingerprint(page) && (age() - found & AGE_MASK) < AGES;
        if (known) {
            from.set(place(from, page), 0);
        }
        return known;
    }

    /** Number of places of the table. */
    int places() {
        return table.places;
    }

    /** Bytes that the list takes now. */
    long bytes() {
        Table older = before;
        return table.bytes() + (older == null ? 0 : older.bytes());
    }

    private int age() {
        return left / step & AGE_MASK;
    }

    private static int place(Table in, long page) {
        return (int) mix(page) & (in.places - 1);
    }

    private static int fingerprint(long page) {
        return (int) (mix(page) >>> 32) & FINGERPRINT_MASK;
    }

    private static long mix(long page) {
        long mixed = (page ^ (page >>> 32)) * 0x9e3779b97f4a7c15L;
        return mixed ^ (mixed >>> 29);
    }
}
