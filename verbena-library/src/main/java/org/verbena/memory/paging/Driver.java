package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;

/**
 * Gives the pages of its stages frames and brings their content in. All changes of a page word but pins are a driver's. The host's
 * driver works on frames of machine memory, a guest's driver on pages of the guest's physical memory.
 */
public interface Driver {
    /** No frame. */
    int NONE = FramePool.NONE;

    /**
     * Takes a free frame for a page whose content need not be brought in; {@link #NONE} if none is free. Called inside copies:
     * returns at once, and only notes the {@link #chore chore} that becomes due.
     */
    int takeFrame();

    /** The mark that {@link #takeFrame} sets when work becomes due. */
    Chore chore();

    /** Does the work of the chore if it is noted. Called after a copy, by the thread that noted it. */
    void tidy();

    /** Gives back a frame that {@link #takeFrame} gave and that was not used. */
    void giveFrame(int frame);

    /** A frame that {@link #takeFrame} gave has the page now. */
    void onInstalled(Stage stage, long page, int frame);

    /** Takes the frame that is reserved for a page; {@link #NONE} if there is none. The frame has one pin at the stage below. */
    default int takeReservedFrame(Stage stage, long page) {
        return NONE;
    }

    /** The last pin of a page was removed. Called inside copies: returns at once. */
    default void onUnpinned() {}

    /** Brings a page in and pins it at its stage, then answers the request. Returns at once. */
    void bringIn(PageRequest request);

    /** Brings pages in if frames are spare. The caller pokes this driver and those below it afterwards. */
    void prefetch(Stage stage, long firstPage, long pages);

    /** Does the same for a consumer that will need the pages. The caller has time. */
    default void announce(Stage stage, long firstPage, long pages) {
        prefetch(stage, firstPage, pages);
    }

    /** Does all work that can be done now, also work that no request waits for. The caller has time. */
    void attend();

    /** Threads that have time, for work that a caller without time leaves. */
    Executor helpers();

    /** Retries what could not be done before: pins, frames or room in the store may be available now. The caller has no time. */
    void poke();

    /** Makes a stage that this driver serves. */
    Stage open(long pages, MemorySegment machine);

    /** Gives up all pages of a stage; pages that are pinned or on their way as soon as they are free. */
    void close(Stage stage);

    /**
     * Whether pages come from another program, which may never answer. A fault asks such a driver first, before it takes leases of
     * other drivers.
     */
    default boolean asksOthers() {
        return false;
    }

    /** The way of engines' page faults to listeners of the host. */
    FaultEvents faultEvents();

    /** Budget of leases for pages that a packet will use. */
    LeaseBudget transit();

    /** Budget of leases for pages that the response to a read will use. */
    LeaseBudget landing();

    /**
     * Place of this driver in the order in which several drivers are asked, the highest first, so that two leases never wait for
     * each other. A driver has a higher number than the drivers below it.
     */
    long order();
}
