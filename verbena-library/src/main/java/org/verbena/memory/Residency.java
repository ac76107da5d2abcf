package org.verbena.memory;

import java.util.Arrays;
import java.util.function.LongFunction;

/** The states of the pages of one managed memory. Each page was looked at by itself, while other pages came and went. Immutable. */
public final class Residency {
    private static final PageState[] STATES = PageState.values();
    private static final int PIECE = 1 << 16;

    private final byte[][] states;
    private final long pages;
    private final long[] counts = new long[STATES.length];

    /**
     * Asks for the state of each page, in order.
     *
     * @param pages number of pages
     * @param stateOf gives the state of a page by its number
     */
    public Residency(long pages, LongFunction<PageState> stateOf) {
        this.pages = pages;
        states = new byte[(int) ((pages + PIECE - 1) / PIECE)][];
        for (long page = 0; page < pages; page++) {
            int piece = (int) (page / PIECE);
            if (page % PIECE == 0) {
                states[piece] = new byte[(int) Math.min(PIECE, pages - page)];
            }
            int state = stateOf.apply(page).ordinal();
            states[piece][(int) (page % PIECE)] = (byte) state;
            counts[state]++;
        }
    }

    /** Pages of the memory. */
    public long pages() {
        return pages;
    }

    /**
     * The state of a page, by its number.
     *
     * @throws IndexOutOfBoundsException if there is no such page
     */
    public PageState state(long page) {
        if (page < 0 || page >= pages) {
            throw new IndexOutOfBoundsException("page " + page + " found, 0 to " + (pages - 1) + " expected");
        }
        return STATES[states[(int) (page / PIECE)][(int) (page % PIECE)]];
    }

    /** Number of pages in a state. */
    public long count(PageState state) {
        return counts[state.ordinal()];
    }

    /** Pages in machine memory. */
    public long resident() {
        return count(PageState.PRESENT) + count(PageState.DIRTY) + count(PageState.PINNED);
    }

    @Override
    public String toString() {
        return pages + " pages, by state " + Arrays.toString(STATES) + ": " + Arrays.toString(counts);
    }
}
