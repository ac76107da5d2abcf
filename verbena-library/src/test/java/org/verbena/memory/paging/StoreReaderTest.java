package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ForwardingPageStore;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.Transfer;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class StoreReaderTest {
    private static final int FRAMES = 32;
    private static final int PAGES = 100;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment machine = arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedPageStore disk = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(1));
    private final List<String> submitted = new ArrayList<>();
    private final ForwardingPageStore store = new ForwardingPageStore(disk) {
        @Override
        public void submit(Transfer transfer) {
            submitted.add(
                    transfer.firstSlot() + "+" + transfer.pages() + (transfer.mayBeByCaller() ? " by caller" : ""));
            super.submit(transfer);
        }
    };
    private final Pager pager = new Pager(store, new NumberedFrames(FRAMES), new ClockPolicy(FRAMES), null, FRAMES);
    private final Stage stage = pager.open(PAGES, machine);
    private final Monitor monitor = new Monitor(_ -> Monitor.Rest.NOTHING, store::lend);
    private final StoreTransfers transfers = new StoreTransfers(store, monitor);
    private final List<String> read = new ArrayList<>();
    private final StoreReader reader =
            new StoreReader(transfers, (pageIn, outcome) -> read.add(pageIn.page() + " " + outcome));
    private int frames;

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    private static final class Ignoring implements PageRequest.Listener {
        @Override
        public void onPinned(Stage stage, long page) {}

        @Override
        public void onRefused(Stage stage, long page, Refusal reason) {}
    }

    private void add(long page, boolean requested) {
        StorePageIn pageIn = new StorePageIn(stage, page, 0, true);
        pageIn.frame = frames;
        pageIn.position = (long) frames++ * Stage.PAGE;
        if (requested) {
            pageIn.add(new PageRequest(stage, page, Access.READ, new Ignoring()));
        }
        reader.add(pageIn);
    }

    @Test
    void neighboursAreReadTogetherAndRequestedPagesFirst() {
        add(40, false);
        add(12, true);
        add(10, true);
        add(41, false);
        add(11, true);
        add(13, false);
        reader.submit();
        assertEquals(List.of("10+3 by caller", "13+1", "40+2"), submitted);
    }

    @Test
    void fewPagesOfATurnAreReadByTheCaller() {
        for (int i = 0; i < TurnLimits.BY_CALLER + 1; i++) {
            add(2L * i, true);
        }
        reader.submit();
        assertEquals(
                TurnLimits.BY_CALLER,
                submitted.stream().filter(each -> each.endsWith("by caller")).count());
        assertEquals(TurnLimits.BY_CALLER + 1, submitted.size());
        submitted.clear();
        add(50, true);
        reader.submit();
        assertEquals(List.of("50+1 by caller"), submitted, "the next turn begins to count again");
    }

    @Test
    void eachPageGetsItsOwnResult() {
        Transfer written = new Transfer(Transfer.Kind.WRITE, stage.slot(7), machine, new long[] {0}, _ -> {});
        disk.submit(written);
        disk.work(clock.nowNs());
        assertEquals(Outcome.DONE, written.outcome(0));
        add(7, true);
        add(8, true);
        reader.submit();
        assertTrue(read.isEmpty(), "the store has not worked yet");
        assertEquals(1, monitor.transfers(), "one transfer is under way");
        assertFalse(transfers.takeMoved());
        disk.work(clock.nowNs());
        assertEquals(List.of("7 DONE", "8 CORRUPT"), read);
        assertTrue(transfers.takeMoved(), "a transfer has ended");
        assertFalse(transfers.takeMoved(), "none has ended since");
        assertEquals(0, monitor.transfers());
    }
}
