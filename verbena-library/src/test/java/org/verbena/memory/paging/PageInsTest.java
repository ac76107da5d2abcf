package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class PageInsTest {
    private final Arena arena = Arena.ofShared();
    private final SimulatedPageStore disk = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
    private final Pager pager = new Pager(disk, new NumberedFrames(4), new ClockPolicy(4), null, 4);
    private final Stage stage = pager.open(8, arena.allocate(4L * Stage.PAGE, Stage.PAGE));
    private final PageIns pageIns = new PageIns();

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    private void set(long page, PageWord.State state, long flags) {
        assertTrue(stage.table().change(page, 0, PageWord.gone(flags, state)));
    }

    private @Nullable StorePageIn begin(long page, boolean overwritten) {
        return pageIns.begin(stage, page, stage.table().word(page), overwritten);
    }

    private PageWord.State state(long page) {
        return PageWord.state(stage.table().word(page));
    }

    private static StorePageIn required(@Nullable StorePageIn pageIn) {
        assertNotNull(pageIn);
        return pageIn;
    }

    @Test
    void onePageInForAPage() {
        set(1, PageWord.State.ABSENT, PageWord.STORED);
        long before = stage.table().word(1);
        StorePageIn pageIn = required(begin(1, false));
        assertTrue(pageIn.read);
        assertEquals(PageWord.State.LOADING, state(1));
        assertSame(pageIn, pageIns.of(stage, 1));
        assertNull(pageIns.begin(stage, 1, before, false), "the word has changed");
    }

    @Test
    void zerosAndPagesToBeOverwrittenAreNotRead() {
        set(1, PageWord.State.ABSENT, PageWord.STORED);
        assertFalse(required(begin(1, true)).read);
        assertFalse(required(begin(2, false)).read);
    }

    @Test
    void anInstalledPageHasAPinForEachRequest() {
        set(1, PageWord.State.ABSENT, PageWord.STORED);
        StorePageIn pageIn = required(begin(1, false));
        pageIn.frame = 3;
        pageIn.add(new PageRequest(stage, 1, Access.READ, new Unanswered()));
        pageIn.add(new PageRequest(stage, 1, Access.WRITE, new Unanswered()));
        pageIns.install(pageIn);
        long word = stage.table().word(1);
        assertEquals(PageWord.State.PRESENT, PageWord.state(word));
        assertEquals(3, PageWord.frame(word));
        assertEquals(2, PageWord.pins(word));
        assertTrue(PageWord.isDirty(word) && PageWord.isReferenced(word) && PageWord.isStored(word));
    }

    @Test
    void aPrefetchedPageIsNeitherPinnedNorReferenced() {
        set(1, PageWord.State.ABSENT, PageWord.STORED);
        StorePageIn pageIn = required(begin(1, false));
        pageIn.frame = 3;
        pageIns.install(pageIn);
        long word = stage.table().word(1);
        assertEquals(0, PageWord.pins(word));
        assertFalse(PageWord.isDirty(word) || PageWord.isReferenced(word));
    }

    @Test
    void aPageThatIsPutBackIsWhatItWas() {
        set(1, PageWord.State.ABSENT, PageWord.STORED);
        set(2, PageWord.State.POISONED, PageWord.STORED);
        pageIns.putBack(required(begin(1, false)), PageWord.State.ABSENT);
        pageIns.putBack(required(begin(2, true)), PageWord.State.ABSENT);
        pageIns.putBack(required(begin(3, false)), PageWord.State.ABSENT);
        assertEquals(PageWord.State.ABSENT, state(1));
        assertTrue(PageWord.isStored(stage.table().word(1)));
        assertEquals(PageWord.State.POISONED, state(2), "a lost page stays lost");
        assertEquals(PageWord.State.ZERO, state(3), "the store does not hold it");
    }

    private static final class Unanswered implements PageRequest.Listener {
        @Override
        public void onPinned(Stage at, long page) {
            throw new AssertionError("page " + page + " was pinned");
        }

        @Override
        public void onRefused(Stage at, long page, Refusal reason) {
            throw new AssertionError("page " + page + " was refused");
        }
    }
}
