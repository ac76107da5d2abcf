package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** A guest's pager evicts a dirty page whose guest physical page the host has evicted before. */
final class FrameFetchesTest {
    private static final int FRAMES = 64;
    private static final long STAMP = 0x1234_5678_9abcL;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment machine = arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedPageStore hostDisk = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(1));
    private final SimulatedPageStore guestDisk = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(2));
    private final Pager host = new Pager(hostDisk, new NumberedFrames(FRAMES), new ClockPolicy(FRAMES), null, FRAMES);
    private final Stage physical = host.open(FRAMES, machine);
    private final Pager guest =
            new Pager(guestDisk, new NumberedFrames(FRAMES), new ClockPolicy(FRAMES), physical, FRAMES);
    private final Stage stage = guest.open(FRAMES, machine);
    private final List<String> evicted = new ArrayList<>();
    private int frame;

    @BeforeEach
    void writeAPageAndEvictItsFrame() {
        long position = stage.pin(0, Access.WRITE);
        assertTrue(position >= 0);
        machine.set(ValueLayout.JAVA_LONG, position, STAMP);
        frame = PageWord.frame(stage.table().word(0));
        stage.unpin(0);
        settle();
        host.evict(physical, 0, FRAMES, (_, _, _) -> {});
        settle();
        assertFalse(stage.isResident(0), "the guest physical page is in the host's store");
        assertTrue(PageWord.isDirty(stage.table().word(0)));
    }

    @AfterEach
    void close() {
        hostDisk.close();
        guestDisk.close();
        arena.close();
    }

    private void settle() {
        int ended;
        do {
            guest.attend();
            host.attend();
            ended = hostDisk.work(clock.nowNs()) + guestDisk.work(clock.nowNs());
        } while (ended > 0);
    }

    private void evict() {
        guest.evict(stage, 0, 1, (_, left, failed) -> evicted.add(left + " left, " + failed + " failed"));
    }

    private static final class Noting implements PageRequest.Listener {
        private long pinned = -1;

        @Override
        public void onPinned(Stage at, long page) {
            pinned = page;
        }

        @Override
        public void onRefused(Stage at, long page, Refusal reason) {
            throw new AssertionError("page " + page + " was refused: " + reason);
        }
    }

    @Test
    void theFrameIsFetchedAndThePageIsWritten() {
        evict();
        assertEquals(List.of(), evicted, "the frame is not there yet");
        settle();
        assertEquals(List.of("0 left, 0 failed"), evicted);
        assertEquals(PageWord.State.ABSENT, PageWord.state(stage.table().word(0)));
        assertEquals(1, host.counters().value(PagingCounter.PAGES_IN));
        assertEquals(1, guest.counters().value(PagingCounter.PAGES_OUT));
        Noting noting = new Noting();
        stage.acquire(0, Access.READ, noting);
        guest.poke();
        settle();
        assertEquals(0, noting.pinned);
        assertEquals(STAMP, machine.get(ValueLayout.JAVA_LONG, stage.position(0)));
    }

    @Test
    void aPageThatIsPinnedMeanwhileStays() {
        evict();
        Noting noting = new Noting();
        stage.acquireHere(0, Access.READ, noting);
        assertEquals(0, noting.pinned);
        settle();
        assertEquals(List.of("1 left, 0 failed"), evicted);
        assertEquals(PageWord.State.PRESENT, PageWord.state(stage.table().word(0)));
        assertTrue(PageWord.isDirty(stage.table().word(0)));
        assertEquals(0, PageWord.pins(physical.table().word(frame)), "the fetched frame is unpinned again");
        stage.unpinHere(0);
        evict();
        settle();
        assertEquals(List.of("1 left, 0 failed", "0 left, 0 failed"), evicted, "the next attempt evicts it");
    }

    @Test
    void aPageWhoseFrameIsLostIsLost() {
        hostDisk.corrupt(physical.slot(frame));
        evict();
        settle();
        assertEquals(List.of("0 left, 0 failed"), evicted);
        assertEquals(PageWord.State.POISONED, PageWord.state(stage.table().word(0)));
        assertEquals(Stage.LOST, stage.pin(0, Access.READ));
        assertEquals(1, guest.counters().value(PagingCounter.EVICTIONS));
    }
}
