package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class SimulatedPageStoreTest {
    private final VirtualClock clock = new VirtualClock(1_000);
    private final Pages pages = new Pages(64);
    private final SimulatedPageStore store = new SimulatedPageStore(clock, new ServiceTime(100, 10, 0), new Seed(1), 2);
    private final long slot = store.reserve(64);

    @BeforeEach
    void fill() {
        pages.fill(1);
    }

    @AfterEach
    void close() {
        store.close();
        pages.close();
    }

    private void finish(SimulatedPageStore working) {
        while (working.nextDeadlineNs() != Long.MAX_VALUE) {
            clock.advanceTo(working.nextDeadlineNs());
            working.work(clock.nowNs());
        }
    }

    private List<Outcome> run(Transfer transfer) {
        store.submit(transfer);
        finish(store);
        return Pages.outcomes(transfer);
    }

    @Test
    void aTransferEndsWhenItIsDueAndNotBefore() {
        store.submit(pages.write(slot, 0, 1, 2));
        assertEquals(1_130, store.nextDeadlineNs());
        assertEquals(0, store.work(1_129));
        assertEquals(0, pages.ended.get());
        assertEquals(1, store.work(1_130));
        assertEquals(1, pages.ended.get());
        assertEquals(Long.MAX_VALUE, store.nextDeadlineNs());
        assertEquals(130, store.statistics().writes().values().max());
    }

    /** Else a consumer that fills memory at one moment leaves the store busy for a long time after. */
    @Test
    void aWaitThatMovesNoClockDoesNotDelayLaterTransfers() {
        for (int i = 0; i < 40; i++) {
            store.submit(pages.write(slot + i, i));
        }
        store.await(() -> pages.ended.get() >= 30);
        assertEquals(1_000, clock.nowNs());
        finish(store);
        assertTrue(clock.nowNs() <= 1_000 + 10 / 2 * 110, () -> "at " + clock.nowNs());
    }

    @Test
    void onlyAFewAreWorkedAtAndReadsGoBeforeWrites() {
        run(pages.write(slot, 0, 1, 2, 3, 4, 5));
        List<String> order = new ArrayList<>();
        long startNs = clock.nowNs();
        for (Transfer.Kind kind : List.of(Transfer.Kind.WRITE, Transfer.Kind.READ)) {
            for (int i = 0; i < 3; i++) {
                String name = kind + " " + i;
                int at = kind.ordinal() * 3 + i;
                long[] position = {(long) at * PageStore.PAGE};
                store.submit(new Transfer(kind, slot + at, pages.memory, position, _ -> order.add(name)));
            }
        }
        store.work(startNs + 110);
        assertEquals(2, order.size());
        assertEquals(4, store.underWay());
        // In one go: the times of those that waited count from when there was room, not from now.
        store.work(startNs + 330);
        assertEquals(List.of("WRITE 0", "WRITE 1", "READ 0", "READ 1", "READ 2", "WRITE 2"), order);
    }

    @Test
    void theMediumFailsAtThePageItWasToldTo() {
        run(pages.write(slot, 0, 1, 2));
        store.inject(StoreFaults.NONE.readErrorAt(2));
        assertEquals(List.of(Outcome.DONE, Outcome.IO_ERROR, Outcome.DONE), run(pages.read(slot, 3, 4, 5)));
        assertEquals(List.of(Outcome.DONE, Outcome.DONE, Outcome.DONE), run(pages.read(slot, 3, 4, 5)));
        assertEquals(-1, pages.page(1).mismatch(pages.page(4)));
    }

    @Test
    void aWriteThatFailedLeavesNothingThatCouldBeTakenForThePage() {
        run(pages.write(slot, 0, 1));
        store.inject(StoreFaults.NONE.writeErrorAt(1));
        assertEquals(List.of(Outcome.IO_ERROR, Outcome.DONE), run(pages.write(slot, 2, 3)));
        assertEquals(1, store.slotsUsed());
        assertEquals(List.of(Outcome.CORRUPT, Outcome.DONE), run(pages.read(slot, 4, 5)));
    }

    @Test
    void roomEndsAndComesBack() {
        store.inject(StoreFaults.NONE.room(2));
        assertEquals(List.of(Outcome.DONE, Outcome.DONE, Outcome.NO_SPACE), run(pages.write(slot, 0, 1, 2)));
        assertEquals(List.of(Outcome.DONE), run(pages.write(slot, 3)));
        assertEquals(List.of(Outcome.NO_SPACE), run(pages.write(slot + 2, 2)));
        store.release(slot, 1);
        assertEquals(List.of(Outcome.DONE), run(pages.write(slot + 2, 2)));
        assertEquals(List.of(Outcome.NO_SPACE), run(pages.write(slot + 3, 2)));
        store.inject(StoreFaults.NONE);
        assertEquals(List.of(Outcome.DONE), run(pages.write(slot + 3, 2)));
        assertEquals(3, store.statistics().pages(Transfer.Kind.WRITE, Outcome.NO_SPACE));
    }

    @Test
    void aFlippedBitIsFound() {
        assertThrows(IllegalArgumentException.class, () -> store.corrupt(slot + 1));
        run(pages.write(slot, 0, 1, 2));
        store.corrupt(slot + 1);
        assertEquals(List.of(Outcome.DONE, Outcome.CORRUPT, Outcome.DONE), run(pages.read(slot, 3, 4, 5)));
        run(pages.write(slot + 1, 1));
        assertEquals(List.of(Outcome.DONE), run(pages.read(slot + 1, 4)));
    }

    @Test
    void aPageThatChangesWhileItIsWrittenIsNotTrusted() {
        store.submit(pages.write(slot, 0, 1));
        pages.page(1).set(ValueLayout.JAVA_BYTE, 77, (byte) ~pages.page(1).get(ValueLayout.JAVA_BYTE, 77));
        finish(store);
        assertEquals(List.of(Outcome.DONE, Outcome.CORRUPT), run(pages.read(slot, 2, 3)));
    }

    @Test
    void aStalledTransferStaysUntilItIsLetGoAndOthersPass() {
        run(pages.write(slot, 0, 1, 2));
        store.inject(StoreFaults.NONE.stallReadAt(2));
        int before = pages.ended.get();
        Transfer stalled = pages.read(slot + 1, 4);
        store.submit(pages.read(slot, 3));
        store.submit(stalled);
        store.submit(pages.read(slot + 2, 5));
        finish(store);
        assertEquals(before + 2, pages.ended.get());
        assertEquals(1, store.underWay());
        store.work(Long.MAX_VALUE);
        assertEquals(before + 2, pages.ended.get());
        clock.advance(5_000);
        store.resume();
        finish(store);
        assertEquals(before + 3, pages.ended.get());
        Pages.assertAll(Outcome.DONE, stalled);
        assertEquals(-1, pages.page(1).mismatch(pages.page(4)));
    }

    @Test
    void aStalledTransferEndsWithTheStore() {
        store.inject(StoreFaults.NONE.stallWriteAt(1));
        Transfer stalled = pages.write(slot, 0);
        store.submit(stalled);
        finish(store);
        store.close();
        assertEquals(1, pages.ended.get());
        Pages.assertAll(Outcome.CLOSED, stalled);
    }

    @Test
    void theSameSeedDoesTheSame() {
        assertEquals(story(3), story(3));
        assertNotEquals(story(3), story(4));
    }

    /** When everything ended and how, of a store with jitter and errors by chance. */
    private List<String> story(long seed) {
        clock.advance(1);
        long startNs = clock.nowNs();
        List<String> story = new ArrayList<>();
        try (SimulatedPageStore drawn = new SimulatedPageStore(clock, new ServiceTime(100, 1, 1_000), new Seed(seed))) {
            drawn.inject(StoreFaults.NONE.writeErrorRate(0.2).readErrorRate(0.2));
            long first = drawn.reserve(64);
            for (int round = 0; round < 2; round++) {
                Transfer.Kind kind = round == 0 ? Transfer.Kind.WRITE : Transfer.Kind.READ;
                for (int page = 0; page < 64; page++) {
                    long[] position = {(long) page * PageStore.PAGE};
                    drawn.submit(new Transfer(
                            kind,
                            first + page,
                            pages.memory,
                            position,
                            ended -> story.add(ended + " " + ended.outcome(0) + " " + (clock.nowNs() - startNs))));
                }
                finish(drawn);
            }
        }
        return story;
    }

    @Test
    void errorsComeAboutAsOftenAsTold() {
        store.inject(StoreFaults.NONE.writeErrorRate(0.25));
        for (int round = 0; round < 100; round++) {
            run(pages.write(slot, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
        }
        long failed = store.statistics().pages(Transfer.Kind.WRITE, Outcome.IO_ERROR);
        assertTrue(failed > 190 && failed < 310, failed + " of 1000 failed");
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> StoreFaults.NONE.readErrorRate(1.5));
        assertThrows(IllegalArgumentException.class, () -> StoreFaults.NONE.writeErrorAt(-1));
        assertThrows(IllegalArgumentException.class, () -> StoreFaults.NONE.room(-1));
        assertThrows(IllegalArgumentException.class, () -> new ServiceTime(-1, 0, 0));
        assertThrows(
                IllegalArgumentException.class, () -> new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(1), 0));
    }
}
