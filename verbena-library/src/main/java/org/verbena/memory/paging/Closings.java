package org.verbena.memory.paging;

import java.util.ArrayDeque;
import org.verbena.memory.store.PageStore;

/**
 * Stages that are being given up, page by page: a closed page gets no frame ever again, so that an access that comes late, from a
 * fault that waited, finds nothing to take. What somebody has pinned or on its way goes later. Inside the monitor of its pager.
 */
final class Closings {
    /** Pages that the giving back of slots counts as, so many at a time that the store is not called for few. */
    private static final int PAGES_PER_RELEASE = TurnLimits.PAGES / 4;

    private enum Outcome {
        CLOSED,
        /** Somebody is at the page. */
        BUSY,
        /** The policy does not know of its frame yet, which is in the list of new ones and cannot be in that of free ones. */
        NEW
    }

    private final class Closing {
        private final Stage stage;
        private final ArrayDeque<Long> busy = new ArrayDeque<>();
        private long next;
        /** Of the busy ones, those to be looked at again now. */
        private int again;
        /** The last time that busy ones were to be looked at again. */
        private long seen;

        private boolean removed;
        /** Slots of the store given back so far. */
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

        /** True if nothing is left of it. */
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

        /** Gives slots of the store back; true if all are. */
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

        /** False if it is to be tried in the next turn, which tells the policy of the page first. */
        private boolean close(long page) {
            Outcome outcome = tryClose(stage, page);
            if (outcome == Outcome.BUSY) {
                busy.add(page);
            }
            return outcome != Outcome.NEW;
        }
    }

    private final Pager pager;
    private final PageStore store;
    private final PagerFrames pagerFrames;
    private final ArrayDeque<Closing> closings = new ArrayDeque<>();
    /** Times that busy pages may have become free. */
    private long changes;
    /** Not all could be looked at. */
    private boolean cut;

    Closings(Pager pager, PageStore store, PagerFrames pagerFrames) {
        this.pager = pager;
        this.store = store;
        this.pagerFrames = pagerFrames;
    }

    void add(Stage stage) {
        closings.add(new Closing(stage));
    }

    /** Whether something can be done at once. */
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

    /** @param anew whether pages that were busy may be free by now */
    void work(boolean anew, TurnAllowance allowance) {
        changes += anew ? 1 : 0;
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
            } else if (closing.stage.below() != null) {
                pager.pokeBelow(); // perhaps it is being closed as well
            }
        }
    }

    private Outcome tryClose(Stage stage, long page) {
        PageTable table = stage.table();
        for (; ; ) {
            long word = table.word(page);
            switch (PageWord.state(word)) {
                case CLOSED -> {
                    return Outcome.CLOSED;
                }
                case LOADING, CLEANING -> {
                    return Outcome.BUSY;
                }
                case PRESENT -> {
                    if (PageWord.pins(word) != 0) {
                        return Outcome.BUSY;
                    }
                    // Of this very word: who put the page there says so before his pin goes, and that may be at any
                    // moment.
                    if (pagerFrames.isNew(PageWord.frame(word))) {
                        return Outcome.NEW;
                    }
                    if (table.change(page, word, closed(word))) {
                        pager.discardBelow(PageWord.frame(word));
                        pagerFrames.freeUnchosen(PageWord.frame(word));
                        return Outcome.CLOSED;
                    }
                }
                case ZERO, ABSENT, POISONED -> {
                    if (table.change(page, word, closed(word))) {
                        return Outcome.CLOSED;
                    }
                }
            }
        }
    }

    private static long closed(long word) {
        return PageWord.gone(word & ~PageWord.STORED, PageWord.State.CLOSED);
    }
}
