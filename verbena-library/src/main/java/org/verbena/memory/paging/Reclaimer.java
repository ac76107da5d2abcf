package org.verbena.memory.paging;

import java.lang.invoke.VarHandle;

/**
 * Keeps some frames free: the policy chooses a frame, the evictor takes its page out. Used inside the monitor of its pager, unless a
 * method says otherwise.
 */
final class Reclaimer {
    /** This part of all frames is kept free, within bounds. More free frames cost hits; fewer are used up while pages are written. */
    private static final int FREE_SHARE = 50;

    private static final int FREE_LEAST = 16;
    private static final int FREE_MOST = 1024;
    /** Looks without success after which the reclaimer is stuck while the store fails; it is tried with one page at a time then. */
    private static final int PATIENCE_WITH_STORE = 1024;

    private final PagerFrames pagerFrames;
    private final Evictor evictor;
    private final Cleaner cleaner;
    /** Number of free frames below which pages are evicted. */
    private volatile int low;

    private volatile boolean stuck;
    /** Whether the last pin of a page was removed since the scan under way, or the last one, began. Any thread sets it. */
    private volatile boolean unpinned = true;

    /** Number of looks in a row without success. */
    private int fruitless;
    /** Value of {@link PagerFrames#additions} when these looks began. */
    private long additions;

    private boolean hasMore;

    Reclaimer(PagerFrames pagerFrames, Evictor evictor, Cleaner cleaner) {
        this.pagerFrames = pagerFrames;
        this.evictor = evictor;
        this.cleaner = cleaner;
    }

    /** Sets the number of frames, of which a part is kept free. */
    void frames(int frames) {
        low = Math.clamp(frames / FREE_SHARE, Math.max(1, Math.min(FREE_LEAST, frames / 16)), FREE_MOST);
    }

    /** Whether an access that took a frame is to have other frames reclaimed. Any thread. */
    boolean isDue() {
        return isLow() && !stuck;
    }

    private boolean isLow() {
        return pagerFrames.free() < low;
    }

    /** Whether no frame can be reclaimed until something changes. Any thread. */
    boolean isStuck() {
        return stuck;
    }

    /** Number of free frames that a prefetch may use. */
    int spare() {
        return Math.max(0, pagerFrames.free() - low / 2);
    }

    /** Whether the next turn can reclaim more frames at once. */
    boolean hasMore() {
        return hasMore;
    }

    /** The last pin of a page was removed. Any thread. */
    void onUnpinned() {
        if (!unpinned) {
            unpinned = true;
        }
    }

    /** Frames that could not be reclaimed may be reclaimable now. */
    void onChange() {
        stuck = false;
        fruitless = 0;
    }

    /**
     * Reclaims frames if too few are free.
     *
     * @param wanted number of page-ins that wait for a frame
     * @param retry whether a store that failed may be tried again
     */
    void work(int wanted, boolean retry) {
        if (retry) {
            cleaner.probe();
            if (stuck && canHaveChanged()) { // a scan that is under way goes on: it would never end otherwise
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

    /**
     * Whether another scan can find a frame. If all were pinned and still are, it would look at all of them in vain. A frame that
     * was chosen and keeps its page, because the store does not take the page, is an addition.
     */
    private boolean canHaveChanged() {
        return unpinned || pagerFrames.additions() != additions;
    }

    /** Begins to count fruitless looks. A pin that is removed from now on is noted, or the looks find the page without it. */
    private void beginLooks() {
        additions = pagerFrames.additions();
        if (unpinned) {
            unpinned = false;
            VarHandle.fullFence(); // before the looks, which read with acquire only
        }
    }

    private void reclaim(int frames) {
        if (fruitless == 0) {
            beginLooks();
        }
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
        return evictor.release(pagerFrames.stage(name), PagerFrames.pageOf(name), frame, Cleaner.Client.NONE);
    }
}
