package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.store.PageStore;

/**
 * Stages that are being given up, page by page: a closed page gets no frame ever again, so that an access that comes late, from a
 * fault that waited, finds nothing to take. What somebody has pinned or on its way goes later. Inside the monitor of its pager.
 */
final class Closings {
    private static final int LOOKS_PER_TURN = 512;

    private final class Closing {
        private final Stage stage;
        private final ArrayDeque<Long> busy = new ArrayDeque<>();
        private long next;
        /** Of the busy ones, those to be looked at again now. */
        private int again;

        Closing(Stage stage) {
            this.stage = stage;
        }

        boolean hasMore() {
            return next < stage.table().pages() || again > 0;
        }

        boolean isOver() {
            return next >= stage.table().pages() && busy.isEmpty();
        }

        int work(int looksMax) {
            int looks = looksMax;
            for (; again > 0 && looks > 0; again--, looks--) {
                close(busy.removeFirst());
            }
            for (; next < stage.table().pages() && looks > 0; looks--) {
                if (stage.table().closeUntouched(next)) {
                    next = (next | (PageTable.FAN_OUT - 1)) + 1;
                } else {
                    close(next++);
                }
            }
            return looks;
        }

        private void close(long page) {
            if (!tryClose(stage, page)) {
                busy.add(page);
            }
        }
    }

    private final Pager pager;
    private final PageStore store;
    private final Residency residency;
    private final List<Closing> closings = new ArrayList<>();

    Closings(Pager pager, PageStore store, Residency residency) {
        this.pager = pager;
        this.store = store;
        this.residency = residency;
    }

    void add(Stage stage) {
        closings.add(new Closing(stage));
    }

    /** Whether something can be done at once. */
    boolean hasMore() {
        for (Closing closing : closings) {
            if (closing.hasMore()) {
                return true;
            }
        }
        return false;
    }

    /** @param anew whether pages that were busy may be free by now */
    void work(boolean anew) {
        if (closings.isEmpty()) {
            return;
        }
        int looks = LOOKS_PER_TURN;
        for (Closing closing : closings) {
            if (anew) {
                closing.again = closing.busy.size();
            }
            looks = closing.work(looks);
        }
        closings.removeIf(this::finish);
    }

    private boolean finish(Closing closing) {
        boolean over = closing.isOver();
        if (over) {
            residency.stages().remove(closing.stage);
            store.release(closing.stage.firstSlot(), closing.stage.table().pages());
            Stage below = closing.stage.below();
            if (below != null) {
                below.driver().poke(); // perhaps it is being closed as well
            }
        }
        return over;
    }

    /** False while somebody is at the page. */
    private boolean tryClose(Stage stage, long page) {
        PageTable table = stage.table();
        for (; ; ) {
            long word = table.word(page);
            switch (PageWord.state(word)) {
                case CLOSED -> {
                    return true;
                }
                case LOADING, CLEANING -> {
                    return false;
                }
                case PRESENT -> {
                    if (PageWord.pins(word) != 0) {
                        return false;
                    }
                    if (table.change(page, word, closed(word))) {
                        pager.discardBelow(PageWord.frame(word));
                        residency.freeUnchosen(PageWord.frame(word));
                        return true;
                    }
                }
                case ZERO, ABSENT, POISONED -> {
                    if (table.change(page, word, closed(word))) {
                        return true;
                    }
                }
            }
        }
    }

    private static long closed(long word) {
        return PageWord.gone(word & ~PageWord.STORED, PageWord.State.CLOSED);
    }
}
