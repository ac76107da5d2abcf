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

/** A page of a guest that is in its guest physical page, which the host has evicted. */
final class DescentTest {
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
    private final Noting noting = new Noting();
    private int frame;

    private final class Noting implements PageRequest.Listener {
        private final List<String> answers = new ArrayList<>();
        private Runnable giveBack = () -> {};
        private boolean abandoned;

        private void add(String answer, Stage at, long page) {
            answers.add(answer + " " + page + (at == stage ? "" : " of another stage"));
        }

        @Override
        public void onPinned(Stage at, long page) {
            add("pinned", at, page);
        }

        @Override
        public void onRefused(Stage at, long page, Refusal reason) {
            add(reason.toString(), at, page);
        }

        @Override
        public void onFrameReserved(Stage at, long page, Runnable end) {
            add("reserved", at, page);
            giveBack = end;
        }

        @Override
        public boolean isAbandoned() {
            return abandoned;
        }
    }

    @BeforeEach
    void writeAPageAndEvictItsFrame() {
        long position = stage.pin(0, Access.WRITE);
        machine.set(ValueLayout.JAVA_LONG, position, STAMP);
        frame = PageWord.frame(stage.table().word(0));
        stage.unpin(0);
        settle();
        host.evict(physical, 0, FRAMES, (_, _, _) -> {});
        settle();
        assertTrue(PageWord.isResident(stage.table().word(0)));
        assertFalse(physical.isResident(frame));
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

    private void acquire(Access access) {
        stage.acquire(0, access, noting);
        guest.poke();
        settle();
    }

    private List<Integer> pins() {
        return List.of(
                PageWord.pins(stage.table().word(0)),
                PageWord.pins(physical.table().word(frame)));
    }

    @Test
    void thePageIsPinnedAtBothStagesForOneAnswer() {
        acquire(Access.READ);
        assertEquals(List.of("pinned 0"), noting.answers);
        assertEquals(List.of(1, 1), pins());
        assertEquals(STAMP, machine.get(ValueLayout.JAVA_LONG, stage.position(0)));
        stage.unpin(0);
        assertEquals(List.of(0, 0), pins());
    }

    @Test
    void aRefusalBelowRemovesThePinAbove() {
        hostDisk.corrupt(physical.slot(frame));
        acquire(Access.READ);
        assertEquals(List.of("LOST 0"), noting.answers);
        assertEquals(List.of(0, 0), pins());
    }

    @Test
    void aFrameReservedBelowKeepsThePinAboveUntilItIsGivenBack() {
        int free = host.framesFree();
        acquire(Access.TO_OVERWRITE);
        assertEquals(List.of("reserved 0"), noting.answers);
        assertEquals(List.of(1, 0), pins());
        assertEquals(free - 1, host.framesFree());
        noting.giveBack.run();
        assertEquals(List.of(0, 0), pins());
        assertEquals(free, host.framesFree());
    }

    @Test
    void aFrameReservedBelowIsGivenBackBeforeThePageIsUnpinned() {
        stage.acquireHere(0, Access.READ, noting);
        Descent descent = new Descent(stage, 0, Access.TO_OVERWRITE, noting);
        List<List<Integer>> whenGivenBack = new ArrayList<>();
        descent.onFrameReserved(physical, frame, () -> whenGivenBack.add(pins()));
        noting.giveBack.run();
        assertEquals(List.of(List.of(1, 0)), whenGivenBack);
        assertEquals(List.of(0, 0), pins());
    }

    @Test
    void aRequestIsAbandonedWhenItsListenerIs() {
        Descent descent = new Descent(stage, 0, Access.READ, noting);
        assertFalse(descent.isAbandoned());
        noting.abandoned = true;
        assertTrue(descent.isAbandoned());
    }
}
