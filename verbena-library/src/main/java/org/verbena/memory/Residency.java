package org.verbena.memory;

import java.util.Arrays;

/** Where the pages of a managed memory were when it was asked, each looked at by itself while others came and went. */
public final class Residency {
    private static final PageState[] STATES = PageState.values();
    private static final int PIECE = 1 << 16;

    private final byte[][] states;
    private final long pages;
    private final long[] counts = new long[STATES.length];

    Residency(ManagedMemory memory) {
        pages = memory.table().pages();
        states = new byte[(int) ((pages + PIECE - 1) / PIECE)][];
        for (long page = 0; page < pages; page++) {
            int piece = (int) (page / PIECE);
            if (page % PIECE == 0) {
                states[piece] = new byte[(int) Math.min(PIECE, pages - page)];
            }
            int state = memory.pageState(page).ordinal();
            states[piece][(int) (page % PIECE)] = (byte) state;
            counts[state]++;
        }
    }

    /** Pages of the memory. */
    public long pages() {
        return pages;
    }

    /** Where a page was, by its number. */
    public PageState state(long page) {
        if (page < 0 || page >= pages) {
            throw new IndexOutOfBoundsException("page " + page + " found, 0 to " + (pages - 1) + " expected");
        }
        return STATES[states[(int) (page / PIECE)][(int) (page % PIECE)]];
    }

    /** How many pages were there. */
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
