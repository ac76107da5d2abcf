package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/**
 * Much work on a large memory was left by a thread that found the monitor occupied. An engine's thread that takes a turn does a
 * bounded part of it. A thread that has time does the rest.
 */
final class TurnLimitsTest {
    private static final int FRAMES = 8192;
    private static final int PAGES = 6000;
    /** What an engine may look at when it comes by. */
    private static final int PART = TurnLimits.TURNS_OF_THE_BUSY * TurnLimits.PAGES;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment machine = arena.allocate((long) FRAMES * Stage.PAGE, Stage.PAGE);
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedPageStore disk = new SimulatedPageStore(clock, ServiceTime.DISK, new Seed(1));
    private final CountingStore store = new CountingStore(disk);
    private final NumberedFrames frames = new NumberedFrames(FRAMES);
    private final List<CountingPolicy> policies = new ArrayList<>();

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    /** Counts the calls to a policy and its questions. */
    private static final class CountingPolicy extends ForwardingPolicy {
        long told;
        long looks;
        /** The frame that was looked at last. */
        int last;

        CountingPolicy(EvictionPolicy inner) {
            super(inner);
        }

        @Override
        public void onInstalled(int frame, long page) {
            told++;
            super.onInstalled(frame, page);
        }

        @Override
        public void onRemoved(int frame) {
            told++;
            super.onRemoved(frame);
        }

        @Override
        public void onKept(int frame) {
            told++;
            super.onKept(frame);
        }

        @Override
        public int choose(Residents residents) {
            return super.choose(new Residents() {
                @Override
                public boolean isPinned(int frame) {
                    looks++;
                    last = frame;
                    return residents.isPinned(frame);
                }

                @Override
                public boolean takeReferenced(int frame) {
                    return residents.takeReferenced(frame);
                }

                @Override
                public long page(int frame) {
                    return residents.page(frame);
                }
            });
        }
    }

    private Pager pager(boolean s3) {
        return pager(s3, store, FRAMES);
    }

    private Pager pager(boolean s3, PageStore on, int expected) {
        CountingPolicy policy = new CountingPolicy(s3 ? new S3FifoPolicy(FRAMES) : new ClockPolicy(FRAMES));
        policies.add(policy);
        return new Pager(on, frames, policy, null, expected);
    }

    /** Pages that were touched and are not pinned. */
    private Stage touched(Pager pager, int pages) {
        Stage stage = pager.open(pages, machine);
        for (int page = 0; page < pages; page++) {
            assertTrue(stage.pin(page, Access.READ) >= 0);
            stage.unpin(page);
        }
        return stage;
    }

    private void rest() {
        assertTrue(store.lent > 0, "no thread was called to do the rest");
        endTransfers();
    }

    private void endTransfers() {
        for (int i = 0; i < 10_000 && disk.nextDeadlineNs() != Long.MAX_VALUE; i++) {
            clock.advanceTo(Math.max(clock.nowNs(), disk.nextDeadlineNs()));
            disk.work(clock.nowNs());
        }
    }

    private static long count(Stage stage, PageWord.State state) {
        long found = 0;
        for (long page = 0; page < stage.table().pages(); page++) {
            found += PageWord.state(stage.table().word(page)) == state ? 1 : 0;
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSweep(boolean s3) {
        Pager pager = pager(s3);
        Stage stage = touched(pager, PAGES);
        long[] left = {-1};
        pager.submit(() -> pager.evict(stage, 0, PAGES, (_, stay, _) -> left[0] = stay));
        for (int engines = 1; engines <= 3; engines++) {
            pager.nudge();
            assertTrue(policies.getFirst().told <= (long) engines * PART, () -> policies.getFirst().told + " told");
        }
        assertEquals(-1, left[0]);
        rest();
        assertEquals(0, left[0]);
        assertEquals(PAGES, count(stage, PageWord.State.ZERO));
        assertEquals(PAGES, pager.counters().value(PagingCounter.EVICTIONS));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aMemoryThatIsClosedWhileFramesAreWanted(boolean s3) {
        Pager pager = pager(s3);
        Stage stage = touched(pager, PAGES);
        Stage other = touched(pager, FRAMES - PAGES);
        for (int page = 0; page < FRAMES - PAGES; page++) {
            assertTrue(other.pin(page, Access.READ) >= 0);
        }
        for (int page = 0; page < PAGES; page++) {
            assertTrue(stage.pin(page, Access.READ) >= 0);
        }
        pager.attend(); // finds no frame to reclaim
        Stage wanting = pager.open(1, machine);
        pager.bringIn(new PageRequest(wanting, 0, Access.READ, new Waits()));
        for (int page = 0; page < PAGES; page++) {
            stage.unpin(page);
        }
        policies.getFirst().told = 0;
        pager.submit(() -> pager.close(stage));
        pager.poke();
        long closed = count(stage, PageWord.State.CLOSED);
        assertTrue(closed > 0 && closed <= PART, () -> closed + " pages closed by an engine");
        assertTrue(policies.getFirst().told <= PART, () -> policies.getFirst().told + " told");
        pager.attend(); // no request waits for the rest
        assertEquals(PAGES, count(stage, PageWord.State.CLOSED));
        assertEquals(PAGES, store.released);
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 24})
    void slotsOfALargeMemory(long pages) {
        Pager pager = pager(false);
        Stage stage = pager.open(pages, machine);
        Waits waits = new Waits();
        pager.submit(() -> pager.close(stage));
        // A request waits for a frame that only the end of the closing can free, so an engine goes on.
        Stage other = touched(pager, 1);
        pager.bringIn(new PageRequest(other, 0, Access.READ, waits));
        pager.poke();
        assertTrue(
                store.released <= (long) PART * TurnLimits.SLOTS_PER_PAGE,
                () -> store.released + " slots given back by an engine");
        pager.attend();
        assertEquals(pages, store.released);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesThatAreAllPinned(boolean s3) {
        Pager pager = pager(s3);
        Stage stage = pager.open(FRAMES, machine);
        for (int page = 0; page < FRAMES; page++) {
            assertTrue(stage.pin(page, Access.READ) >= 0);
        }
        CountingPolicy policy = policies.getFirst();
        policy.looks = 0;
        Stage more = pager.open(1, machine);
        pager.bringIn(new PageRequest(more, 0, Access.READ, new Waits()));
        pager.poke();
        long most = (long) TurnLimits.TURNS_OF_THE_BUSY * (TurnLimits.MISSES + 2 * EvictionPolicy.LOOKS_MAX);
        assertTrue(policy.looks > 0 && policy.looks <= most, () -> policy.looks + " looks");
        rest();
        assertTrue(pager.isStuck());
    }

    /** A scan of all frames goes on where it was, however often the pager is poked. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesThatAreAllPinnedWhileNoThreadHasTime(boolean s3) {
        Pager pager = pager(s3);
        Stage stage = pager.open(FRAMES, machine);
        for (int page = 0; page < FRAMES; page++) {
            assertTrue(stage.pin(page, Access.READ) >= 0);
        }
        Stage more = pager.open(1, machine);
        pager.bringIn(new PageRequest(more, 0, Access.READ, new Waits()));
        int pokes = 0;
        while (!pager.isStuck()) {
            pager.poke();
            assertTrue(++pokes <= 8 * FRAMES / PART, "never seen that no frame can be had");
        }
        assertTrue(pager.isShort());
    }

    /** All frames but those of some other pages are pinned, and a request waits for a frame. */
    private Stage pinned(Pager pager, int others, Waits waits) {
        Stage stage = pager.open(FRAMES - others, machine);
        for (int page = 0; page < FRAMES - others; page++) {
            assertTrue(stage.pin(page, Access.READ) >= 0);
        }
        pager.bringIn(new PageRequest(pager.open(1, machine), 0, Access.READ, waits));
        for (int scans = 0; scans < 2; scans++) { // the second is for the frames that became known during the first
            do {
                pager.poke();
            } while (!pager.isStuck());
        }
        policies.getFirst().looks = 0;
        return stage;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesThatWereAllPinnedAreLookedAtAgainWhenAPinIsGone(boolean s3) {
        Pager pager = pager(s3);
        CountingPolicy policy = policies.getFirst();
        Waits waits = new Waits();
        Stage stage = pinned(pager, 0, waits);
        for (int i = 0; i < 1000; i++) {
            pager.poke();
        }
        assertEquals(0, policy.looks, "looks at frames that are pinned as before");
        assertTrue(stage.pin(1, Access.READ) >= 0);
        stage.unpin(1); // another pin is left
        pager.poke();
        assertEquals(0, policy.looks, "looks at frames that are pinned as before");

        stage.unpin(FRAMES / 2);
        pager.poke();
        rest();
        assertEquals(1, waits.pinned);
        assertTrue(policy.looks <= 2L * FRAMES, () -> policy.looks + " looks");
    }

    @ParameterizedTest
    @ValueSource(ints = {3 * FRAMES - PART})
    void aPinThatGoesBehindTheBackOfAScanIsWorthAnother(int looks) {
        Pager pager = pager(false);
        CountingPolicy policy = policies.getFirst();
        Waits waits = new Waits();
        Stage stage = pinned(pager, 0, waits);
        stage.unpin(0);
        assertTrue(stage.pin(0, Access.READ) >= 0); // a scan in vain
        while (policy.looks < looks) {
            pager.poke();
        }
        assertTrue(!pager.isStuck(), "the last frames are not looked at yet");
        long page = 0;
        while (PageWord.frame(stage.table().word(page)) != policy.last) {
            page++;
        }
        stage.unpin(page);
        while (!pager.isStuck()) {
            pager.poke();
        }
        assertEquals(0, waits.pinned);
        pager.poke();
        rest();
        assertEquals(1, waits.pinned);
    }

    /** A page that is brought in ahead of need is not pinned, so no pin is removed that would tell of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void framesThatWereAllPinnedAreLookedAtAgainWhenAPageIsAdded(boolean s3) {
        Pager pager = pager(s3);
        Stage cold = pager.open(1, machine);
        assertTrue(cold.pin(0, Access.WRITE) >= 0);
        cold.unpin(0);
        pager.evict(cold, 0, 1, (_, _, _) -> {});
        endTransfers();
        assertEquals(1, count(cold, PageWord.State.ABSENT));
        pager.prefetch(cold, 0, 1);
        pager.attend();
        assertEquals(1, count(cold, PageWord.State.LOADING));
        Waits waits = new Waits();
        Stage _ = pinned(pager, 1, waits);
        endTransfers();
        assertEquals(1, count(cold, PageWord.State.PRESENT));
        for (int pokes = 0; pokes < 8 * FRAMES / PART; pokes++) {
            pager.poke();
        }
        assertEquals(1, waits.pinned);
    }

    @ParameterizedTest
    @ValueSource(ints = {4000})
    void framesThatGoBack(int owed) {
        Pager pager = pager(false);
        Stage stage = touched(pager, PAGES);
        pager.evict(stage, 0, PAGES, (_, _, _) -> {});
        assertEquals(PAGES, count(stage, PageWord.State.ZERO));
        int before = frames.free();
        pager.submit(() -> pager.owe(owed));
        pager.nudge();
        int gone = frames.free() - before;
        assertTrue(gone > 0 && gone <= PART, () -> gone + " frames given back by an engine");
        rest();
        assertEquals(owed, frames.free() - before);
    }

    @ParameterizedTest
    @ValueSource(ints = {3000})
    void pagesThatManyWaitFor(int wanted) {
        Pager pager = pager(false);
        Stage stage = pager.open(wanted, machine);
        Waits waits = new Waits();
        for (int page = 0; page < wanted; page++) {
            pager.bringIn(new PageRequest(stage, page, Access.WRITE, waits));
        }
        pager.poke();
        int served = waits.pinned;
        assertTrue(
                served > 0 && served <= TurnLimits.TURNS_OF_THE_BUSY * TurnLimits.ASSIGNED,
                () -> served + " pages served by an engine");
        rest();
        assertEquals(wanted, waits.pinned);
    }

    @ParameterizedTest
    @ValueSource(ints = {2000})
    void leasesThatManyWaitFor(int waiting) {
        Pager pager = pager(false);
        LeaseBudget budget = pager.transit();
        int all = budget.capacity();
        assertTrue(budget.tryTake(all));
        int[] granted = {0};
        for (int i = 0; i < waiting; i++) {
            budget.take(1, () -> granted[0]++);
        }
        pager.attend();
        store.lent = 0;
        budget.give(all);
        assertTrue(granted[0] > 0 && granted[0] <= PART, () -> granted[0] + " leases granted by an engine");
        rest();
        assertEquals(waiting, granted[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {PAGES})
    void aTableThatAGuestWrites(int pages) {
        Pager host = pager(false);
        Stage physical = host.open(pages, machine);
        Stage[] closed = new Stage[1];
        TableDriver driver = new TableDriver(
                physical, 10, missing -> missing.stage().driver().close(closed[0]));
        Stage stage = driver.open(pages, machine);
        closed[0] = stage;
        for (int page = 0; page < pages; page++) {
            driver.map(stage, page, page);
        }
        Stage other = driver.open(1, machine);
        driver.bringIn(new PageRequest(other, 0, Access.READ, new Waits()));
        driver.poke();
        long gone = count(stage, PageWord.State.CLOSED);
        assertTrue(gone > 0 && gone <= PART, () -> gone + " pages closed by an engine");
        rest();
        assertEquals(pages, count(stage, PageWord.State.CLOSED));
    }

    private static final class Waits implements PageRequest.Listener {
        private int pinned;

        @Override
        public void onPinned(Stage stage, long page) {
            pinned++;
        }

        @Override
        public void onRefused(Stage stage, long page, Refusal reason) {
            throw new AssertionError("page " + page + " refused: " + reason);
        }
    }
}
