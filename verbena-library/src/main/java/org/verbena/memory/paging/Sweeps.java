package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.BitSet;

/** Evicts given pages, however often they are used. Used inside the monitor of its pager. */
final class Sweeps {
    /** Pages of one sweep that are on their way out at a time. */
    private static final int UNDER_WAY_MAX = 128;

    /** The pages that a sweep evicts. */
    enum Choice {
        /** All that are not pinned. */
        ALL,
        /** Those whose content was discarded by {@link Stage#discard}, and that were not written to since. */
        DISCARDED
    }

    /** The eviction of some pages of one stage. */
    private static final class Sweep implements Cleaner.Client {
        private final Stage stage;
        private final BitSet pages;
        private final Choice choice;
        private final Pager.EvictionListener listener;
        /** The next page; negative if there is none. */
        private int next;

        private long evicted;
        private long left;
        private long failed;
        private int underWay;
        private boolean canGoOn = true;

        Sweep(Stage stage, BitSet pages, Choice choice, Pager.EvictionListener listener) {
            this.stage = stage;
            this.pages = pages;
            this.choice = choice;
            this.listener = listener;
            goOnFrom(0);
        }

        /** Goes on with the first of its pages that is not before a page. */
        void goOnFrom(int page) {
            next = pages.nextSetBit(page);
        }

        boolean spares(long word) {
            return choice == Choice.DISCARDED && (word & (PageWord.DIRTY | PageWord.STORED)) != 0;
        }

        @Override
        public void onBegun() {
            underWay++;
        }

        @Override
        public void onEnded(Cleaner.Fate fate) {
            underWay--;
            switch (fate) {
                case GONE -> evicted++;
                case KEPT -> left++;
                case FAILED -> failed++;
            }
        }

        boolean isOver() {
            return next < 0 && underWay == 0;
        }
    }

    private final PagerFrames pagerFrames;
    private final Evictor evictor;
    private final Cleaner cleaner;
    private final ArrayDeque<Sweep> sweeps = new ArrayDeque<>();
    /** Whether the last turn did not come to all sweeps. */
    private boolean cut;

    Sweeps(PagerFrames pagerFrames, Evictor evictor, Cleaner cleaner) {
        this.pagerFrames = pagerFrames;
        this.evictor = evictor;
        this.cleaner = cleaner;
    }

    /** Begins to evict some pages, which the caller does not change any more. A store that failed is tried again. */
    void add(Stage stage, BitSet pages, Choice choice, Pager.EvictionListener listener) {
        cleaner.trustStore();
        sweeps.add(new Sweep(stage, pages, choice, listener));
    }

    /** Whether a sweep can go on in the next turn at once. */
    boolean hasMore() {
        if (cut) {
            return true;
        }
        for (Sweep sweep : sweeps) {
            if (sweep.canGoOn) {
                return true;
            }
        }
        return false;
    }

    void work(TurnAllowance allowance) {
        cut = false;
        for (int left = sweeps.size(); left > 0; left--) {
            if (!allowance.trySpend()) {
                cut = true;
                return;
            }
            Sweep sweep = sweeps.removeFirst();
            advance(sweep, allowance);
            if (sweep.isOver()) {
                sweep.listener.onEvicted(sweep.evicted, sweep.left, sweep.failed);
            } else {
                sweeps.add(sweep);
            }
        }
    }

    private void advance(Sweep sweep, TurnAllowance allowance) {
        PageTable table = sweep.stage.table();
        sweep.canGoOn = false;
        while (sweep.next >= 0 && sweep.underWay < UNDER_WAY_MAX) {
            if (!allowance.trySpend()) {
                sweep.canGoOn = true;
                return;
            }
            if (!table.isLeafTouched(sweep.next)) {
                sweep.goOnFrom((sweep.next | (PageTable.FAN_OUT - 1)) + 1);
                continue;
            }
            long page = sweep.next;
            long word = table.word(page);
            PageWord.State state = PageWord.state(word);
            if (state == PageWord.State.CLEANING
                    || state == PageWord.State.LOADING
                    || cleaner.isFetching(sweep.stage, page)) {
                return; // the page is on its way; the next turn after its transfer looks at it again
            }
            if (state == PageWord.State.PRESENT
                    && PageWord.pins(word) == 0
                    && pagerFrames.isNew(PageWord.frame(word))) {
                sweep.canGoOn = true; // the next turn tells the policy of the frame
                return;
            }
            sweep.goOnFrom(sweep.next + 1);
            if (state == PageWord.State.PRESENT && !sweep.spares(word)) {
                evict(sweep, page, word);
            }
        }
    }

    private void evict(Sweep sweep, long page, long word) {
        int underWay = sweep.underWay;
        if (release(sweep, page, word)) {
            sweep.evicted += sweep.underWay > underWay ? 0 : 1; // a page on its way out is counted when it is gone
            return;
        }
        long stays = sweep.stage.table().word(page);
        boolean failed = cleaner.storeFails() && PageWord.pins(stays) == 0 && PageWord.isDirty(stays);
        sweep.failed += failed ? 1 : 0;
        sweep.left += failed ? 0 : 1;
    }

    private boolean release(Sweep sweep, long page, long word) {
        if (PageWord.pins(word) != 0) {
            return false;
        }
        int frame = PageWord.frame(word);
        pagerFrames.policy().onRemoved(frame);
        return evictor.release(sweep.stage, page, frame, sweep);
    }
}
