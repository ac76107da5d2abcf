package org.verbena.memory;

/**
 * The end of a swap-out of a region, or of a part of it. The counts are of frames of machine memory. A page that was not in machine
 * memory before is in none of them; guest physical memory that two pages of the region share is counted once.
 *
 * @param state whether the region is out, or the reason why it is not
 * @param pagesFreed pages that have left machine memory: their frames are free
 * @param pagesPinned pages that stay because they are pinned or leased, or were touched while they were written
 * @param pagesShared pages that stay because a region that is valid has them too
 */
public record SwapOut(State state, long pagesFreed, long pagesPinned, long pagesShared) {
    /** The ends of a swap-out. */
    public enum State {
        /** The region is invalid, and all pages of it that could leave machine memory have left. */
        OUT,
        /** The consumer was not quiet in time, showed interest, or the swap-out was called off by another thread. The region is valid. */
        CALLED_OFF,
        /** The page store did not take all pages. The region is valid again. */
        STORE_FAILED,
        /** The region was being swapped in. Nothing was done. */
        COMING_IN,
        /** The region was closed before it was quiet. */
        CLOSED,
        /** The arena of the consumer's word of the current I/O is closed, so that the count is not known. The region is valid, and cannot be swapped out. */
        WORD_LOST
    }

    /** An end without any page. */
    public static SwapOut of(State state) {
        return new SwapOut(state, 0, 0, 0);
    }

    /** Whether the region is out. */
    public boolean isOut() {
        return state == State.OUT;
    }

    /** Pages that stay in machine memory though the region is out. */
    public long pagesKept() {
        return pagesPinned + pagesShared;
    }

    /** The end of this swap-out after more pages: the counts of both, and the state of the later. */
    public SwapOut plus(SwapOut later) {
        return new SwapOut(
                later.state,
                pagesFreed + later.pagesFreed,
                pagesPinned + later.pagesPinned,
                pagesShared + later.pagesShared);
    }
}
