package org.verbena.memory.paging;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The page-ins of a pager, and the changes they make to the words of their pages: to LOADING at the start, to PRESENT or back at
 * the end. Used inside the monitor of the pager.
 */
final class PageIns {
    private final Map<Long, StorePageIn> loading = new HashMap<>();

    /**
     * Changes a page in no frame to LOADING, which makes this page-in the only one of the page.
     *
     * @param word the page's word
     * @param overwritten whether the content of the page is not needed
     * @return null if the page's word has changed
     */
    @Nullable
    StorePageIn begin(Stage stage, long page, long word, boolean overwritten) {
        if (!stage.table().change(page, word, PageWord.gone(word, PageWord.State.LOADING))) {
            return null;
        }
        boolean read = PageWord.state(word) == PageWord.State.ABSENT && !overwritten;
        StorePageIn pageIn = new StorePageIn(stage, page, word, read);
        loading.put(pageIn.name(), pageIn);
        return pageIn;
    }

    /** The page-in of a page that is LOADING. */
    StorePageIn of(Stage stage, long page) {
        StorePageIn pageIn = loading.get(PagerFrames.name(stage, page));
        assert pageIn != null : "page " + page + " is LOADING without a page-in";
        return pageIn;
    }

    /** Changes a page to PRESENT in its frame, with one pin for each request. */
    void install(StorePageIn pageIn) {
        long flags = (pageIn.isStored() ? PageWord.STORED : 0)
                | (pageIn.isUnrequested() ? 0 : PageWord.REFERENCED)
                | (pageIn.changes() ? PageWord.DIRTY : 0);
        long word = word(pageIn);
        end(pageIn, word, PageWord.present(word, pageIn.frame, pageIn.requests().size(), flags));
    }

    /**
     * Changes a page back to what it was.
     *
     * @param state the state of a page that the store holds, unless it was POISONED before
     */
    void putBack(StorePageIn pageIn, PageWord.State state) {
        long word = word(pageIn);
        if (!pageIn.isStored()) {
            end(pageIn, word, PageWord.gone(word, PageWord.State.ZERO));
            return;
        }
        boolean poisoned = PageWord.state(pageIn.before) == PageWord.State.POISONED;
        end(pageIn, word, PageWord.gone(word | PageWord.STORED, poisoned ? PageWord.State.POISONED : state));
    }

    private static long word(StorePageIn pageIn) {
        return pageIn.stage().table().word(pageIn.page());
    }

    private void end(StorePageIn pageIn, long word, long next) {
        loading.remove(pageIn.name());
        boolean changed = pageIn.stage().table().change(pageIn.page(), word, next);
        assert changed : "a page that is LOADING was changed by another thread: " + PageWord.toString(word);
    }
}
