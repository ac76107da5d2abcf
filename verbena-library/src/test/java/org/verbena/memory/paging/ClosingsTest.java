package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A stage is closed while an access puts a page into a frame. */
final class ClosingsTest {
    private static final int FRAMES = 64;

    /** Has something happen in the middle of a turn: when it is told that a frame has lost its page. */
    private static final class Meddling extends ForwardingPolicy {
        private Runnable once = () -> {};

        Meddling() {
            super(new ClockPolicy(FRAMES));
        }

        @Override
        public void onRemoved(int frame) {
            super.onRemoved(frame);
            Runnable now = once;
            once = () -> {};
            now.run();
        }
    }

    /** A page was looked at while it was being put there, and again when the policy had yet to be told of it. */
    @Test
    void aFrameThatIsNewIsNotFree() {
        try (Arena arena = Arena.ofConfined();
                SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(1))) {
            Meddling policy = new Meddling();
            Pager pager = new Pager(store, new NumberedFrames(FRAMES), policy, null, FRAMES);
            Stage stage = pager.open(2, arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE));
            PageTable table = stage.table();
            assertTrue(stage.pin(0, Access.READ) >= 0);
            int frame = pager.takeFrame();
            assertTrue(table.change(1, table.word(1), PageWord.present(table.word(1), frame, 1, 0)));
            pager.close(stage); // both are busy
            policy.once = () -> {
                pager.onInstalled(stage, 1, frame);
                table.unpin(1);
            };
            stage.unpin(0);
            pager.attend();
            assertEquals(PageWord.State.CLOSED, PageWord.state(table.word(0)));
            assertEquals(PageWord.State.CLOSED, PageWord.state(table.word(1)));
            assertEquals(0, store.slotsUsed());
            assertEquals(0, policy.size());
            Set<Integer> free = new HashSet<>();
            for (int i = 0; i < FRAMES; i++) {
                assertTrue(free.add(pager.takeFrame()), "a frame that is free twice");
            }
            assertEquals(Driver.NONE, pager.takeFrame());
        }
    }
}
