package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** The driver of the stage below begins its work when it is told, not before. */
final class StageBelowTest {
    private static final int FRAMES = 64;
    private static final int FRAME = 3;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment machine = arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedPageStore disk = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(1));
    private final Pager host = new Pager(disk, new NumberedFrames(FRAMES), new ClockPolicy(FRAMES), null, FRAMES);
    private final Stage physical = host.open(FRAMES, machine);
    private final StageBelow below = new StageBelow(physical);
    private final List<String> answers = new ArrayList<>();

    private final class Noting implements PageRequest.Listener {
        @Override
        public void onPinned(Stage stage, long page) {
            answers.add("pinned " + page);
        }

        @Override
        public void onRefused(Stage stage, long page, Refusal reason) {
            answers.add(reason + " " + page);
        }
    }

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    private void write(int page) {
        assertTrue(physical.pin(page, Access.WRITE) >= 0);
        physical.unpin(page);
        settle();
    }

    /** Writes a page and evicts it, so that the store holds it. */
    private void store(int page) {
        write(page);
        host.evict(physical, page, 1, (_, _, _) -> {});
        settle();
        assertFalse(physical.isResident(page));
    }

    private void settle() {
        do {
            host.attend();
        } while (disk.work(clock.nowNs()) > 0);
    }

    private int pins() {
        return PageWord.pins(physical.table().word(FRAME));
    }

    @Test
    void aFrameIsBroughtInAndPinned() {
        store(FRAME);
        below.acquire(FRAME, Access.READ, new Noting());
        assertEquals(0, host.transfers());
        below.tell();
        assertEquals(1, host.transfers());
        disk.work(clock.nowNs());
        assertEquals(List.of("pinned " + FRAME), answers);
        assertEquals(1, pins());
        assertEquals(physical.position(FRAME), below.position(FRAME));
        assertEquals(below.position(FRAME), below.pin(FRAME, Access.READ));
        below.unpin(FRAME);
        below.unpin(FRAME);
        assertEquals(0, pins());
    }

    @Test
    void aMissingFrameIsPrefetchedOnce() {
        store(FRAME);
        below.prefetch(FRAME);
        assertEquals(0, host.transfers());
        below.tell();
        assertEquals(1, host.transfers());
        settle();
        assertTrue(physical.isResident(FRAME));
        below.prefetch(FRAME);
        below.tell();
        assertEquals(1, host.counters().value(PagingCounter.PAGES_PREFETCHED));
    }

    @Test
    void theFrameOfADiscardedPageIsFreeAndNothingIsWritten() {
        write(FRAME);
        int free = host.framesFree();
        below.discard(FRAME);
        assertEquals(free, host.framesFree());
        below.tell();
        assertEquals(free + 1, host.framesFree());
        assertEquals(0, host.counters().value(PagingCounter.PAGES_OUT));
        assertEquals(PageWord.State.ZERO, PageWord.state(physical.table().word(FRAME)));
    }

    @Test
    void theDriverIsToldOnceForEachReason() {
        store(FRAME);
        below.acquire(FRAME, Access.READ, new Noting());
        below.tell();
        settle();
        store(FRAME + 1);
        host.bringIn(new PageRequest(physical, FRAME + 1, Access.READ, new Noting()));
        below.tell();
        assertEquals(0, host.transfers(), "this event is not of the stage above");
        below.onClosedAbove();
        below.tell();
        assertEquals(1, host.transfers());
    }

    @Test
    void aFrameOfMachineMemoryIsAlwaysThere() {
        StageBelow none = new StageBelow(null);
        assertEquals((long) FRAME * Stage.PAGE, none.pin(FRAME, Access.WRITE));
        assertEquals((long) FRAME * Stage.PAGE, none.position(FRAME));
        assertFalse(none.isPoisoned(FRAME));
        assertThrows(IllegalStateException.class, () -> none.acquire(FRAME, Access.READ, new Noting()));
    }
}
