package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** Prefetches through a pager: as many pages as frames are spare, and none for a closed stage. */
final class PrefetcherTest {
    private static final int FRAMES = 256;
    private static final int PAGES = 400;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment machine = arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedPageStore disk = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(1));
    private final Pager pager = new Pager(disk, new NumberedFrames(FRAMES), new ClockPolicy(FRAMES), null, FRAMES);
    private final Stage stage = pager.open(PAGES, machine);

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    private void settle() {
        do {
            pager.attend();
        } while (disk.work(clock.nowNs()) > 0);
    }

    /** Writes pages and evicts them, so that the store holds them. */
    private void store(int first, int pages) {
        for (int page = first; page < first + pages; page++) {
            assertTrue(stage.pin(page, Access.WRITE) >= 0);
            stage.unpin(page);
        }
        pager.evict(stage, first, pages, (_, _, _) -> {});
        settle();
        assertEquals(0, resident());
    }

    private int resident() {
        int resident = 0;
        for (int page = 0; page < PAGES; page++) {
            resident += stage.isResident(page) ? 1 : 0;
        }
        return resident;
    }

    @Test
    void aRangeIsBroughtInWithoutPins() {
        store(10, 100);
        pager.prefetch(stage, 10, 100);
        settle();
        assertEquals(100, resident());
        assertEquals(100, pager.counters().value(PagingCounter.PAGES_PREFETCHED));
        assertEquals(0, PageWord.pins(stage.table().word(50)));
        assertEquals(0, pager.counters().value(PagingCounter.FAULTS));
    }

    @Test
    void aRangeEndsWithItsStage() {
        store(PAGES - 5, 5);
        pager.prefetch(stage, PAGES - 5, 1000);
        settle();
        assertEquals(5, resident());
    }

    @Test
    void aRangeIsDroppedWhenFramesAreShort() {
        store(0, 100);
        for (int page = 100; pager.framesFree() > 20; page++) {
            assertTrue(stage.pin(page, Access.WRITE) >= 0);
        }
        pager.prefetch(stage, 0, 100);
        settle();
        long prefetched = pager.counters().value(PagingCounter.PAGES_PREFETCHED);
        assertTrue(prefetched > 0 && prefetched < 20, () -> prefetched + " pages were prefetched into 20 free frames");
    }

    @Test
    void aPagerThatIsShutPrefetchesNothing() {
        store(0, 10);
        pager.shut();
        pager.prefetch(stage, 0, 10);
        settle();
        assertEquals(0, pager.counters().value(PagingCounter.PAGES_PREFETCHED));
        assertEquals(0, resident());
    }
}
