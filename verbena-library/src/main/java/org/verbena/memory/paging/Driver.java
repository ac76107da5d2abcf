package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;

/**
 * Who writes the page words of a stage, apart from pins: gives frames, brings pages in. The host's driver does so for machine
 * memory, a guest's for its own memory.
 */
public interface Driver {
    /** No frame. */
    int NONE = FramePool.NONE;

    /**
     * A free frame for a page that needs nothing brought in; {@link #NONE} if there is none at hand. Called inside copies: never
     * waits, and what becomes due by it is only noted as a chore.
     */
    int takeFrame();

    /** What was found to be due inside a copy. */
    Chore chore();

    /** Does the chore if it is noted; for whoever noted it, when his copy is over. */
    void tidy();

    /** Takes back a frame that was not used after all. */
    void giveFrame(int frame);

    /** A frame taken before has the page now. */
    void onInstalled(Stage stage, long page, int frame);

    /** Takes the frame that is kept for a page to be overwritten; {@link #NONE} if none is. Its frame below is pinned once. */
    default int takeReservedFrame(Stage stage, long page) {
        return NONE;
    }

    /** Brings a page in and pins it at its stage, then answers the request. Returns at once. */
    void bringIn(PageRequest request);

    /** Brings pages in if that costs nobody anything: a wish, not an order. The caller pokes this driver and those below. */
    void prefetch(Stage stage, long firstPage, long pages);

    /** A consumer says that he will need these pages. Like {@link #prefetch}; the caller has time. */
    default void announce(Stage stage, long firstPage, long pages) {
        prefetch(stage, firstPage, pages);
    }

    /** Does what nobody waits for, all that can be done now. The caller has time. */
    void attend();

    /** Those who have time, for what a caller that has none leaves. */
    Executor helpers();

    /** Something may have changed that a page waits for. */
    void poke();

    /** A stage served by this driver from now on. */
    Stage open(long pages, MemorySegment machine);

    /** Gives up all pages of a stage; those somebody still has pinned, or on their way, as soon as they are free. */
    void close(Stage stage);

    /** Whether its pages come from somebody who may never answer; what others need too is not to be kept meanwhile. */
    default boolean asksOthers() {
        return false;
    }

    /** For pages that wait to be used by a packet. */
    LeaseBudget transit();

    /** For pages that wait for the answer to a read. */
    LeaseBudget landing();

    /**
     * Who needs something of several drivers asks them in this order, the highest first, lest two wait for each other. A driver
     * has a higher one than those below it.
     */
    long order();
}
