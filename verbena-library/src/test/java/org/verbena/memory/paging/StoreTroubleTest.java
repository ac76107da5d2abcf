package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/** A store that is full or fails: pages stay, requests go on waiting or are refused, and no thread retries without end. */
final class StoreTroubleTest {
    private static final int FRAMES = 64;

    private final Arena arena = Arena.ofConfined();
    private final SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(3));
    private final Pager pager = new Pager(store, new Frames(), new ClockPolicy(FRAMES), null, FRAMES);
    private final Stage stage = pager.open(200, arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE));
    private final List<Long> pinned = new ArrayList<>();
    private final List<Refusal> refused = new ArrayList<>();

    private static final class Frames implements FrameSupply {
        private int next;

        @Override
        public int limit() {
            return FRAMES;
        }

        @Override
        public int take() {
            return next < FRAMES ? next++ : Driver.NONE;
        }

        @Override
        public void giveBack(int frame) {
            throw new AssertionError("nothing is owed");
        }

        @Override
        public int free() {
            return FRAMES - next;
        }
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private final class Noting implements PageRequest.Listener {
        @Override
        public void onPinned(Stage at, long page) {
            pinned.add(page);
        }

        @Override
        public void onRefused(Stage at, long page, Refusal reason) {
            refused.add(reason);
        }
    }

    private void want(long page, Access access) {
        stage.acquire(page, access, new Noting());
        pager.poke();
    }

    private void settle() {
        store.await(() -> store.underWay() == 0);
    }

    private void dirty(int pages) {
        for (long page = 0; page < pages; page++) {
            if (stage.pin(page, Access.WRITE) >= 0) {
                stage.unpin(page);
            }
        }
    }

    private long count(PagingCounter counter) {
        return pager.counters().value(counter);
    }

    @Test
    void aFullStoreHoldsEverybodyUpUntilThereIsRoom() {
        store.inject(StoreFaults.NONE.room(0));
        dirty(FRAMES);
        settle();
        want(150, Access.WRITE);
        settle();
        assertEquals(List.of(), pinned);
        assertTrue(pager.isStuck());
        long triedBefore = count(PagingCounter.STORE_FULL);
        for (int i = 0; i < 10; i++) {
            pager.poke();
            settle();
        }
        long tried = count(PagingCounter.STORE_FULL) - triedBefore;
        assertTrue(tried >= 1 && tried <= 10, tried + " pages were tried for 10 requests");
        store.inject(StoreFaults.NONE);
        pager.poke();
        settle();
        assertEquals(List.of(150L), pinned);
        assertEquals(List.of(), refused);
    }

    @Test
    void accessesToAFullStoreDoNotTryItAgain() {
        store.inject(StoreFaults.NONE.room(0));
        dirty(FRAMES);
        settle();
        pager.poke();
        settle();
        long before = count(PagingCounter.STORE_FULL);
        for (int i = 0; i < 1000; i++) {
            assertTrue(stage.pin(180, Access.WRITE) < 0);
        }
        settle();
        assertEquals(before, count(PagingCounter.STORE_FULL));
    }

    @Test
    void aFailedPrefetchDoesNotFailTheRequestsThatJoinedIt() {
        dirty(20);
        pager.evict(stage, 0, 20, (_, left, failed) -> assertEquals(0, left + failed));
        settle();
        store.inject(StoreFaults.NONE.readErrorAt(1));
        pager.prefetch(stage, 0, 1);
        pager.poke();
        want(0, Access.READ);
        assertEquals(1, count(PagingCounter.FAULTS_JOINED));
        settle();
        assertEquals(List.of(0L), pinned);
        assertEquals(1, count(PagingCounter.STORE_READ_ERRORS));
    }

    @Test
    void aFailedReadRefusesItsRequestsAndThePageCanBeRequestedAgain() {
        dirty(2);
        pager.evict(stage, 0, 2, (_, left, failed) -> assertEquals(0, left + failed));
        settle();
        store.inject(StoreFaults.NONE.readErrorAt(1));
        want(0, Access.READ);
        want(0, Access.READ);
        settle();
        assertEquals(List.of(Refusal.LOST, Refusal.LOST), refused);
        want(0, Access.READ);
        settle();
        assertEquals(List.of(0L), pinned);
    }

    @Test
    void aRequestThatOverwritesIsNotRefusedWhenAReadFails() {
        dirty(2);
        pager.evict(stage, 0, 2, (_, left, failed) -> assertEquals(0, left + failed));
        settle();
        store.inject(StoreFaults.NONE.readErrorAt(1));
        want(0, Access.READ);
        pager.bringIn(new PageRequest(stage, 0, Access.OVERWRITE, new Noting()));
        pager.poke();
        assertEquals(1, count(PagingCounter.FAULTS_JOINED));
        settle();
        assertEquals(List.of(Refusal.LOST), refused);
        assertEquals(List.of(0L), pinned);
        assertTrue(PageWord.isDirty(stage.table().word(0)));
    }

    @Test
    void aClosedStoreHasNotLostThePage() {
        dirty(1);
        pager.evict(stage, 0, 1, (_, left, failed) -> assertEquals(0, left + failed));
        settle();
        store.close();
        want(0, Access.READ);
        settle();
        assertEquals(List.of(Refusal.CLOSED), refused);
        assertEquals(0, count(PagingCounter.STORE_READ_ERRORS));
    }

    @Test
    void moreThanAWordCanCountWaitTheirTurn() {
        dirty(1);
        pager.evict(stage, 0, 1, (_, left, failed) -> assertEquals(0, left + failed));
        settle();
        for (int i = 0; i < PageWord.PINS_MAX + 5; i++) {
            stage.acquire(0, Access.READ, new Noting());
        }
        pager.poke();
        settle();
        assertEquals(PageWord.PINS_MAX, pinned.size());
        assertEquals(PageWord.PINS_MAX, PageWord.pins(stage.table().word(0)));
        assertEquals(Stage.NOT_RESIDENT, stage.pin(0, Access.READ));
        for (int i = 0; i < 5; i++) {
            stage.unpin(0);
        }
        pager.poke();
        assertEquals(PageWord.PINS_MAX + 5, pinned.size());
    }

    @Test
    void requestsForAClosedMemoryAreRefused() {
        store.inject(StoreFaults.NONE.room(0));
        dirty(FRAMES);
        settle();
        want(150, Access.WRITE);
        pager.close(stage);
        pager.poke();
        settle();
        assertEquals(List.of(Refusal.CLOSED), refused);
        assertEquals(FRAMES, pager.framesFree());
        assertEquals(Stage.NOT_RESIDENT, stage.pin(3, Access.WRITE));
        assertEquals(0, store.slotsUsed());
    }

    @Test
    void afterTheEndNothingIsBroughtIn() {
        dirty(3);
        pager.evict(stage, 0, 3, (_, left, failed) -> assertEquals(0, left + failed));
        settle();
        pager.shut();
        want(0, Access.READ);
        assertEquals(List.of(Refusal.CLOSED), refused);
    }

    @Test
    void aBudgetServesInOrderAndTheGreedyAlone() {
        LeaseBudget budget = pager.transit();
        int all = budget.capacity();
        List<String> served = new ArrayList<>();
        budget.take(all - 1, () -> served.add("first"));
        budget.take(2, () -> served.add("second"));
        budget.take(1, () -> served.add("third"));
        assertEquals(List.of("first"), served, "a later application does not overtake");
        budget.give(all - 1);
        assertEquals(List.of("first", "second", "third"), served);
        budget.take(2 * all, () -> served.add("greedy"));
        budget.give(2);
        assertEquals(3, served.size());
        budget.give(1);
        assertEquals(4, served.size());
        assertTrue(!budget.tryTake(1));
        budget.give(2 * all);
        assertEquals(0, budget.taken());
    }
}
