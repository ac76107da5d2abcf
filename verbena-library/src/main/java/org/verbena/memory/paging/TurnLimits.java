package org.verbena.memory.paging;

/**
 * What one turn inside a monitor does, at most; the rest is for the next. The thread inside may be an engine's with packets
 * waiting, and whoever comes meanwhile waits for the end of the turn.
 */
final class TurnLimits {
    /** Events; the end of a transfer counts as many as it has pages. */
    static final int EVENTS = 256;

    /** Pages looked at for whatever can be cut in slices: closing, sweeping, granting, giving frames back. */
    static final int PAGES = 512;

    /** Frames reclaimed. */
    static final int RECLAIMED = 64;

    /** Looks for frames to reclaim that may gain nothing. */
    static final int MISSES = 512;

    /** Pages that wait and get a frame. */
    static final int ASSIGNED = 128;

    /** Pages brought in ahead of need. */
    static final int AHEAD = 64;

    /** Pages that whoever works the turn may read itself, if that needs no waiting: about what handing them over would cost. */
    static final int BY_CALLER = 4;

    /** Slots of the store that can be given back for one page looked at. */
    static final int SLOTS_PER_PAGE = Long.SIZE;

    /** Turns in a row of a thread that has no time. */
    static final int TURNS_OF_THE_BUSY = 2;

    private TurnLimits() {}
}
