package org.verbena.memory.paging;

import java.util.ArrayDeque;

/** Evicts whole ranges of pages, however often the pages are used. Used inside the monitor of its pager. */
final class Sweeps {
    /** Pages of one sweep that are on their way out at a time. */
    private static final int UNDER_WAY_MAX = 128;

    /** The eviction of one range. */
    private static final class Sweep implements Cleaner.Client {
        private final Stage stage;
        private final long end;
        private final Pager.EvictionListener listener;
        private long next;
        private long left;
        private long failed;
        private int underWay;
        private boolean canGoOn = true;

        Sweep(Stage stage, long first, long end, Pager.EvictionListener listener) {
            this.stage = stage;
            this.next = first;
            this.end = end;
            this.listener = listener;
        }

        @Override
        public void onBegun() {
            underWay++;
        }

        @Override
        public void onEnded(Cleaner.Fate fate) {
            underWay--;
            switch (fate) {
                case GONE -> {}
                case KEPT -> left++;
                case FAILED -> failed++;
            }
        }

        boolean isOver() {
            return next >= end && underWay == 0;
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

    /** Begins to evict a range of pages. A store that failed is tried again. */
    void add(Stage stage, long firstPage, long pages, Pager.EvictionListener listener) {
        cleaner.trustStore();
        sweeps.add(new Sweep(stage, firstPage, firstPage + pages, listener));
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
                sweep.listener.onEvicted(sweep.left, sweep.failed);
            } else {
                sweeps.add(sweep);
            }
        }
    }

    private void advance(Sweep sweep, TurnAllowance allowance) {
        PageTable table = sweep.stage.table();
        sweep.canGoOn = false;
        while (sweep.next < sweep.end && sweep.underWay < UNDER_WAY_MAX) {
            if (!allowance.trySpend()) {
                sweep.canGoOn = true;
                return;
            }
            if (!table.isLeafTouched(sweep.next)) {
                sweep.next = Math.min(sweep.end, (sweep.next | (PageTable.FAN_OUT - 1)) + 1);
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
            sweep.next++;
            if (state == PageWord.State.PRESENT && !release(sweep, page, word)) {
                long stays = table.word(page);
                boolean failed = cleaner.storeFails() && PageWord.pins(stays) == 0 && PageWord.isDirty(stays);
                sweep.failed += failed ? 1 : 0;
                sweep.left += failed ? 0 : 1;
            }
        }
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
