package org.verbena.memory.paging;

/** Takes the frame of one page: of a clean one at once, of a dirty one when it is written. Inside the monitor of its pager. */
final class Evictor {
    private final Pager pager;
    private final PagerFrames pagerFrames;
    private final Cleaner cleaner;

    Evictor(Pager pager, PagerFrames pagerFrames, Cleaner cleaner) {
        this.pager = pager;
        this.pagerFrames = pagerFrames;
        this.cleaner = cleaner;
    }

    /** Has a page leave that the policy has forgotten; false if it stays, and then the policy knows it again. */
    boolean release(Stage stage, long page, int frame, Cleaner.Client client) {
        boolean leaves = tryRelease(stage, page, frame, client);
        if (!leaves) {
            pagerFrames.policy().onKept(frame);
        }
        return leaves;
    }

    private boolean tryRelease(Stage stage, long page, int frame, Cleaner.Client client) {
        PageTable table = stage.table();
        long word = table.word(page);
        if (PageWord.state(word) != PageWord.State.PRESENT || PageWord.pins(word) != 0) {
            return false;
        }
        if (PageWord.isDirty(word) && !stage.isClosed()) {
            return cleaner.clean(stage, page, word, client);
        }
        PageWord.State away = PageWord.isStored(word) ? PageWord.State.ABSENT : PageWord.State.ZERO;
        boolean evicted = table.change(page, word, PageWord.gone(word, away));
        if (evicted) {
            pager.onEvicted(frame);
        }
        return evicted;
    }

    /** What this page holds is of no use, unless it was written to since. */
    void onDiscarded(Stage stage, long page) {
        long word = stage.table().word(page);
        boolean worthless = PageWord.state(word) == PageWord.State.PRESENT
                && !pagerFrames.isNew(PageWord.frame(word)) // then it is evicted some day, as others are
                && (word & (PageWord.PINS | PageWord.DIRTY | PageWord.STORED)) == 0;
        if (worthless && stage.table().change(page, word, PageWord.gone(word, PageWord.State.ZERO))) {
            pager.discardBelow(PageWord.frame(word));
            pagerFrames.freeUnchosen(PageWord.frame(word));
        }
    }
}
