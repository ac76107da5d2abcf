package org.verbena.memory.paging;

import java.util.ArrayDeque;
import org.verbena.memory.store.PageStore;

/**
 * Closes stages page by page. A closed page never gets a frame again, so a late access, for instance of a fault that waited, finds
 * no page. A page that is pinned or on its way is closed later. Used inside the monitor of its pager.
 */
final class Closings {
    /** Pages of the turn's allowance for one call that gives slots back. Large, so that one call gives many slots back. */
    private static final int PAGES_PER_RELEASE = TurnLimits.PAGES / 4;

    private enum Attempt {
        CLOSED,
        /** The page is pinned or on its way. */
        BUSY,
        /** The policy does not know the page's frame yet: a frame in the pool of new frames cannot be in the pool of free ones. */
        NEW
    }

    /** The closing of one stage. */
    private final class Closing {
        private final Stage stage;
        private final ArrayDeque<Long> busy = new ArrayDeque<>();
        private long next;
        /** Number of busy pages that are to be looked at again now. */
        private int again;
        /** Value of {@link #changes} when the busy pages were last looked at. */
        private long seen;

        private boolean removed;
        /** Number of slots given back to the store so far. */
        private long released;

        Closing(Stage stage) {
            this.stage = stage;
        }

        boolean hasMore() {
            return next < stage.table().pages() || again > 0 || isEmpty();
        }

        boolean isEmpty() {
            return next >= stage.table().pages() && busy.isEmpty();
        }

        /** Closes some pages; true if the stage is closed and its slots are given back. */
        boolean work(TurnAllowance allowance) {
            while (again > 0 && allowance.trySpend()) {
                if (!close(busy.getFirst())) {
                    return false;
                }
                long _ = busy.removeFirst();
                again--;
            }
            while (next < stage.table().pages() && allowance.trySpend()) {
                if (stage.table().closeUntouched(next)) {
                    next = (next | (PageTable.FAN_OUT - 1)) + 1;
                } else if (close(next)) {
                    next++;
                } else {
                    return false;
                }
            }
            return isEmpty() && release(allowance);
        }

        /** Gives some slots back to the store; true if all are. */
        private boolean release(TurnAllowance allowance) {
            if (!removed) {
                pagerFrames.stages().remove(stage);
                removed = true;
            }
            long slots = stage.table().pages();
            while (released < slots && allowance.trySpend(PAGES_PER_RELEASE)) {
                long some = Math.min(slots - released, (long) PAGES_PER_RELEASE * TurnLimits.SLOTS_PER_PAGE);
                store.release(stage.firstSlot() + released, some);
                released += some;
            }
            return released == slots;
        }

        /** Closes a page or notes that it is busy; false if the next turn must tell the policy of its frame first. */
        private boolean close(long page) {
            Attempt attempt = tryClose(stage, page);
            if (attempt == Attempt.BUSY) {
                busy.add(page);
            }
            return attempt != Attempt.NEW;
        }
    }

    private final StageBelow below;
    private final PageStore store;
    private final PagerFrames pagerFrames;
    private final ArrayDeque<Closing> closings = new ArrayDeque<>();
    /** Number of times that busy pages may have become free. */
    private long changes;
    /** Whether the last turn did not come to all closings. */
    private boolean cut;

    Closings(StageBelow below, PageStore store, PagerFrames pagerFrames) {
        this.below = below;
        this.store = store;
        this.pagerFrames = pagerFrames;
    }

    void add(Stage stage) {
        closings.add(new Closing(stage));
    }

    /** Whether the next turn can close more at once. */
    boolean hasMore() {
        if (cut) {
            return true;
        }
        for (Closing closing : closings) {
            if (closing.hasMore()) {
                return true;
            }
        }
        return false;
    }

    /** @param retry whether pages that were busy may be free now */
    void work(boolean retry, TurnAllowance allowance) {
        changes += retry ? 1 : 0;
        cut = false;
        for (int left = closings.size(); left > 0; left--) {
            if (!allowance.trySpend()) {
                cut = true;
                return;
            }
            Closing closing = closings.removeFirst();
            if (closing.seen != changes) {
                closing.seen = changes;
                closing.again = closing.busy.size();
            }
            if (!closing.work(allowance)) {
                closings.add(closing);
            } else {
                below.onClosedAbove();
            }
        }
    }

    private Attempt tryClose(Stage stage, long page) {
        PageTable table = stage.table();
        for (; ; ) {
            long word = table.word(page);
            switch (PageWord.state(word)) {
                case CLOSED -> {
                    return Attempt.CLOSED;
                }
                case LOADING, CLEANING -> {
                    return Attempt.BUSY;
                }
                case PRESENT -> {
                    if (PageWord.pins(word) != 0) {
                        return Attempt.BUSY;
                    }
                    // Asked for the frame of this very word: the thread that installed the page notes the frame as
                    // new before it unpins the page, and may do both at any moment.
                    if (pagerFrames.isNew(PageWord.frame(word))) {
                        return Attempt.NEW;
                    }
                    if (table.change(page, word, closed(word))) {
                        below.discard(PageWord.frame(word));
                        pagerFrames.freeUnchosen(PageWord.frame(word));
                        return Attempt.CLOSED;
                    }
                }
                case ZERO, ABSENT, POISONED -> {
                    if (table.change(page, word, closed(word))) {
                        return Attempt.CLOSED;
                    }
                }
            }
        }
    }

    private static long closed(long word) {
        return PageWord.gone(word & ~PageWord.STORED, PageWord.State.CLOSED);
    }
}
