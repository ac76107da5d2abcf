package org.verbena.memory.paging;

/** Takes the frame of one page: at once if the page is clean, after writing it if it is dirty. Used inside the monitor of its pager. */
final class Evictor {
    private final Pager pager;
    private final StageBelow below;
    private final PagerFrames pagerFrames;
    private final Cleaner cleaner;

    Evictor(Pager pager, StageBelow below, PagerFrames pagerFrames, Cleaner cleaner) {
        this.pager = pager;
        this.below = below;
        this.pagerFrames = pagerFrames;
        this.cleaner = cleaner;
    }

    /** Evicts a page whose frame the policy has forgotten; false if the page stays, and then the policy knows the frame again. */
    boolean release(Stage stage, long page, int frame, Cleaner.Client client) {
        boolean leaves = tryRelease(stage, page, frame, client);
        if (!leaves) {
            pagerFrames.keep(frame);
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
            pager.onEvicted(stage, page, frame);
        }
        return evicted;
    }

    /** The content of a page is of no use any more: frees its frame, unless the page was written to since. */
    void onDiscarded(Stage stage, long page) {
        long word = stage.table().word(page);
        boolean worthless = PageWord.state(word) == PageWord.State.PRESENT
                && !pagerFrames.isNew(PageWord.frame(word)) // a new frame is evicted later, like any other
                && (word & (PageWord.PINS | PageWord.DIRTY | PageWord.STORED)) == 0;
        if (worthless && stage.table().change(page, word, PageWord.gone(word, PageWord.State.ZERO))) {
            below.discard(PageWord.frame(word));
            pagerFrames.freeUnchosen(PageWord.frame(word));
        }
    }
}
