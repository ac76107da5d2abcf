package org.verbena.memory.paging;

/**
 * The mapping of pages to frames that the owner of a table writes. A page is PRESENT while it is mapped and ZERO while it is not.
 * LOADING has another meaning here: the page is unmapped, and keeps its frame for those accesses that still have it pinned. Any
 * thread.
 */
final class TableMapping {
    private final Stage physical;

    /** @param physical the stage whose pages are the frames */
    TableMapping(Stage physical) {
        this.physical = physical;
    }

    /** Maps a page to a frame; false if it is mapped to it already. See {@link TableDriver#map}. */
    boolean map(Stage stage, long page, long frame) {
        check(stage, page);
        if (frame < 0 || frame >= physical.table().pages()) {
            throw new IllegalArgumentException("guest physical page " + frame + " found; there are "
                    + physical.table().pages());
        }
        long word = stage.table().word(page);
        while (PageWord.state(word) == PageWord.State.ZERO && !stage.isClosed()) {
            if (stage.table().change(page, word, PageWord.present(word, (int) frame, 0, 0))) {
                return true;
            }
            word = stage.table().word(page);
        }
        if (stage.isClosed()) {
            throw new IllegalStateException("the memory is closed");
        }
        if (PageWord.state(word) == PageWord.State.LOADING) {
            throw new IllegalStateException("page " + page + " is still pinned in guest physical page "
                    + PageWord.frame(word) + ": unmap it until it is not");
        }
        if (PageWord.frame(word) != frame) {
            throw new IllegalStateException("page " + page + " has guest physical page " + PageWord.frame(word)
                    + "; it cannot have " + frame + " before it is unmapped");
        }
        return false;
    }

    /** Takes the frame of a page away. See {@link TableDriver#unmap}. */
    static UnmapResult unmap(Stage stage, long page) {
        check(stage, page);
        return take(stage, page, PageWord.State.ZERO);
    }

    /** Takes the frame of a page away; the page never gets a frame again. */
    static void close(Stage stage, long page) {
        UnmapResult _ = take(stage, page, PageWord.State.CLOSED);
    }

    private static UnmapResult take(Stage stage, long page, PageWord.State after) {
        for (; ; ) {
            long word = stage.table().word(page);
            PageWord.State state = PageWord.state(word);
            if (state == after || state == PageWord.State.CLOSED) {
                return UnmapResult.NOT_MAPPED;
            }
            boolean pinned = PageWord.pins(word) != 0;
            if (pinned && state == PageWord.State.LOADING) {
                return UnmapResult.PINNED;
            }
            long next = pinned ? PageWord.in(word, PageWord.State.LOADING) : PageWord.gone(word, after);
            if (stage.table().change(page, word, next) && !pinned) {
                return PageWord.isDirty(word) ? UnmapResult.CHANGED : UnmapResult.UNCHANGED;
            }
        }
    }

    /** The frame of a page; {@link Driver#NONE} if it has none. */
    static int frame(Stage stage, long page) {
        check(stage, page);
        long word = stage.table().word(page);
        return PageWord.isResident(word) ? PageWord.frame(word) : Driver.NONE;
    }

    /** Whether a page was touched since the last call. */
    static boolean takeReferenced(Stage stage, long page) {
        check(stage, page);
        long word = stage.table().word(page);
        while (PageWord.isResident(word) && PageWord.isReferenced(word)) {
            if (stage.table().change(page, word, word & ~PageWord.REFERENCED)) {
                return true;
            }
            word = stage.table().word(page);
        }
        return false;
    }

    private static void check(Stage stage, long page) {
        if (page < 0 || page >= stage.table().pages()) {
            throw new IllegalArgumentException(
                    "page " + page + " found; the memory has " + stage.table().pages());
        }
    }
}
