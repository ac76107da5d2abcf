package org.verbena.memory.paging;

/** Keeps frames free: has the policy choose pages, and an evictor take their frames. Inside the monitor of its pager. */
final class Reclaimer {
    /** Of all frames, the part that is kept free, within bounds: more costs hits, fewer are used up while others are written. */
    private static final int FREE_SHARE = 50;

    private static final int FREE_LEAST = 16;
    private static final int FREE_MOST = 1024;
    /** Looks in a row that may gain nothing while the store takes no pages: it is tried with one at a time. */
    private static final int PATIENCE_WITH_STORE = 1024;

    private final PagerFrames pagerFrames;
    private final Evictor evictor;
    private final Cleaner cleaner;
    private volatile int low;
    private volatile boolean stuck;
    /** Looks in a row that gained nothing. */
    private int fruitless;

    private boolean hasMore;

    Reclaimer(PagerFrames pagerFrames, Evictor evictor, Cleaner cleaner) {
        this.pagerFrames = pagerFrames;
        this.evictor = evictor;
        this.cleaner = cleaner;
    }

    /** How many frames there are, so that a part of them is kept free. */
    void frames(int frames) {
        low = Math.clamp(frames / FREE_SHARE, Math.max(1, Math.min(FREE_LEAST, frames / 16)), FREE_MOST);
    }

    /** Whether an access that took a frame should see to it that others become free. Any thread. */
    boolean isDue() {
        return isLow() && !stuck;
    }

    private boolean isLow() {
        return pagerFrames.free() < low;
    }

    /** No frame can be had until something changes. Any thread. */
    boolean isStuck() {
        return stuck;
    }

    /** Frames free beyond those kept free. */
    int spare() {
        return Math.max(0, pagerFrames.free() - low / 2);
    }

    /** Whether more can be reclaimed at once. */
    boolean hasMore() {
        return hasMore;
    }

    /** Something has changed: what was in vain may not be now. */
    void onChange() {
        stuck = false;
        fruitless = 0;
    }

    /**
     * Sees to it that frames become free.
     *
     * @param wanted pages that wait for a frame
     * @param anew whether a store that failed may be tried again
     */
    void work(int wanted, boolean anew) {
        if (anew) {
            cleaner.probe();
            if (stuck) { // else a scan is under way, and would never end if each call began it again
                onChange();
            }
        }
        pagerFrames.stock();
        hasMore = false;
        int missing = pagerFrames.missing(wanted);
        if ((missing > 0 || isLow()) && !stuck) {
            int tooFew = low + low / 4 + 1 - pagerFrames.free();
            reclaim(Math.min(TurnLimits.RECLAIMED, Math.max(missing, tooFew) - cleaner.underWay()));
            hasMore = !stuck && pagerFrames.missing(wanted) - cleaner.underWay() > 0;
        }
    }

    private void reclaim(int frames) {
        int patience = cleaner.storeFails()
                ? PATIENCE_WITH_STORE
                : 3 * pagerFrames.policy().round();
        int misses = TurnLimits.MISSES;
        for (int left = frames; left > 0 && misses > 0; ) {
            int frame = pagerFrames.choose();
            if (frame != Driver.NONE && release(frame)) {
                left--;
                fruitless = 0;
                continue;
            }
            int looks = frame == Driver.NONE ? EvictionPolicy.LOOKS_MAX : 1;
            misses -= looks;
            fruitless += looks;
            if (fruitless > patience && !pagerFrames.hasNewcomers()) {
                stuck = true;
                return;
            }
        }
    }

    private boolean release(int frame) {
        long name = pagerFrames.page(frame);
        return evictor.release(pagerFrames.stage(name), PagerFrames.pageOf(name), frame, Cleaner.Client.NOBODY);
    }
}
