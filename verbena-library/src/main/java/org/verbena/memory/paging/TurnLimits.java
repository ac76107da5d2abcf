package org.verbena.memory.paging;

/**
 * The most that one turn inside a monitor does; the rest is left for the next turn. The thread inside may be an engine's thread
 * with packets waiting, and events that arrive during a turn wait for its end.
 */
final class TurnLimits {
    /** Events. The end of a transfer counts once for each of its pages. */
    static final int EVENTS = 256;

    /** Pages looked at by work that can be divided: closing, sweeping, granting leases, giving frames back. */
    static final int PAGES = 512;

    /** Frames reclaimed. */
    static final int RECLAIMED = 64;

    /** Frames looked at without reclaiming one. */
    static final int MISSES = 512;

    /** Page-ins that wait for a frame and get one. */
    static final int ASSIGNED = 128;

    /** Pages prefetched. */
    static final int AHEAD = 64;

    /** Pages that the thread of the turn reads itself if that needs no wait: they cost about as much as waking a thread. */
    static final int BY_CALLER = 4;

    /** Slots of the store that are given back for one page of {@link #PAGES}. */
    static final int SLOTS_PER_PAGE = Long.SIZE;

    /** Turns in a row of a thread that has no time. */
    static final int TURNS_OF_THE_BUSY = 2;

    private TurnLimits() {}
}
