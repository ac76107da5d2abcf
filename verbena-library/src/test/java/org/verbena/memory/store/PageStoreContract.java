package org.verbena.memory.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.time.Seed;

/** What every page store does. */
abstract class PageStoreContract {
    private static final int CLUSTER = Transfer.PAGES_MAX;

    final Pages source = new Pages(4 * CLUSTER);
    final Pages target = new Pages(4 * CLUSTER);
    PageStore store = open();

    abstract PageStore open();

    /** Waits until this number of transfers of these pages have ended. */
    abstract void await(PageStore opened, Pages pages, int ended);

    @BeforeEach
    void fillTheSource() {
        source.fill(4711);
    }

    @AfterEach
    void closeAll() {
        store.close();
        store.close();
        source.close();
        target.close();
    }

    private void run(Pages pages, Transfer... transfers) {
        int before = pages.ended.get();
        for (Transfer transfer : transfers) {
            store.submit(transfer);
        }
        await(store, pages, before + transfers.length);
    }

    private void writeDone(Transfer transfer) {
        run(source, transfer);
        Pages.assertAll(Outcome.DONE, transfer);
    }

    private void readDone(Transfer transfer) {
        run(target, transfer);
        Pages.assertAll(Outcome.DONE, transfer);
    }

    private void assertSame(int sourcePage, int targetPage) {
        assertEquals(-1, source.page(sourcePage).mismatch(target.page(targetPage)), "page " + sourcePage);
    }

    private static int[] pages(int from, int count) {
        return IntStream.range(from, from + count).toArray();
    }

    @Test
    void aPageComesBackAsItWasWritten() {
        long slot = store.reserve(10);
        writeDone(source.write(slot + 3, 7));
        assertEquals(1, store.slotsUsed());
        readDone(target.read(slot + 3, 2));
        assertSame(7, 2);
        assertEquals(1, store.statistics().pages(Transfer.Kind.READ, Outcome.DONE));
        assertEquals(1, store.statistics().writes().values().count());
    }

    @Test
    void aClusterGoesToPagesThatAreNoNeighbours() {
        long slot = store.reserve(CLUSTER);
        writeDone(source.write(slot, pages(0, CLUSTER)));
        int[] scattered =
                IntStream.range(0, CLUSTER).map(i -> (i * 37) % CLUSTER * 2).toArray();
        readDone(target.read(slot, scattered));
        for (int i = 0; i < CLUSTER; i++) {
            assertSame(i, scattered[i]);
        }
    }

    @Test
    void partsOfAClusterAreReadAlone() {
        long slot = store.reserve(CLUSTER);
        writeDone(source.write(slot, pages(0, CLUSTER)));
        readDone(target.read(slot + 20, pages(100, 7)));
        for (int i = 0; i < 7; i++) {
            assertSame(20 + i, 100 + i);
        }
    }

    @Test
    void manyTransfersAtOnceDoNotDisturbEachOther() {
        long slot = store.reserve(4 * CLUSTER);
        Seed seed = new Seed(5);
        List<Transfer> writes = new ArrayList<>();
        List<Transfer> reads = new ArrayList<>();
        for (int page = 0; page < 4 * CLUSTER; ) {
            int count = Math.min(1 + seed.nextInt(9), 4 * CLUSTER - page);
            writes.add(source.write(slot + page, pages(page, count)));
            reads.add(target.read(slot + page, pages(page, count)));
            page += count;
        }
        run(source, writes.toArray(Transfer[]::new));
        assertEquals(4 * CLUSTER, store.slotsUsed());
        run(target, reads.toArray(Transfer[]::new));
        writes.forEach(write -> Pages.assertAll(Outcome.DONE, write));
        reads.forEach(read -> Pages.assertAll(Outcome.DONE, read));
        assertEquals(-1, source.memory.mismatch(target.memory));
    }

    @Test
    void theLastWriteCounts() {
        long slot = store.reserve(2);
        writeDone(source.write(slot, 0, 1));
        writeDone(source.write(slot, 2));
        assertEquals(2, store.slotsUsed());
        readDone(target.read(slot, 0, 1));
        assertSame(2, 0);
        assertSame(1, 1);
    }

    @Test
    void aSlotThatWasNeverWrittenIsNotRead() {
        long slot = store.reserve(4);
        writeDone(source.write(slot + 1, 1, 2));
        Transfer read = target.read(slot, 0, 1, 2, 3);
        run(target, read);
        assertEquals(List.of(Outcome.CORRUPT, Outcome.DONE, Outcome.DONE, Outcome.CORRUPT), Pages.outcomes(read));
        assertSame(1, 1);
        assertSame(2, 2);
    }

    @Test
    void releasedSlotsHoldNothingAndAreGivenOutAgain() {
        long first = store.reserve(100);
        long second = store.reserve(100);
        assertTrue(Math.abs(first - second) >= 100);
        writeDone(source.write(first, pages(0, CLUSTER)));
        store.release(first, 100);
        assertEquals(0, store.slotsUsed());
        long again = first + 1;
        for (int tries = 0; tries < 1000 && again != first; tries++) {
            again = store.reserve(100);
            settle();
        }
        assertEquals(first, again);
        Transfer read = target.read(first, 0);
        run(target, read);
        Pages.assertAll(Outcome.CORRUPT, read);
        writeDone(source.write(first, 9));
        readDone(target.read(first, 9));
        assertSame(9, 9);
    }

    /** Gives background work of the store a chance. */
    void settle() {}

    @Test
    void slotsThatAreNotReservedAreRefused() {
        long slot = store.reserve(4);
        assertThrows(IllegalArgumentException.class, () -> store.submit(source.write(slot + 3, 0, 1)));
        assertThrows(IllegalArgumentException.class, () -> store.release(slot + 2, 3));
        assertThrows(IllegalArgumentException.class, () -> store.release(slot, 0));
        assertThrows(IllegalArgumentException.class, () -> store.reserve(0));
        IllegalStateException tooMany =
                assertThrows(IllegalStateException.class, () -> store.reserve(SlotRanges.SLOTS_MAX));
        assertTrue(String.valueOf(tooMany.getMessage()).contains("2147483648"), tooMany.toString());
        store.release(slot, 4);
        assertThrows(IllegalArgumentException.class, () -> store.release(slot, 4));
        assertEquals(0, source.ended.get());
    }

    @Test
    void everyTransferEndsOnceWhenTheStoreCloses() {
        long slot = store.reserve(4 * CLUSTER);
        List<Transfer> writes = IntStream.range(0, 4 * CLUSTER)
                .mapToObj(page -> source.write(slot + page, page))
                .toList();
        writes.forEach(store::submit);
        store.close();
        await(store, source, 4 * CLUSTER);
        assertEquals(4 * CLUSTER, source.ended.get());
        for (Transfer write : writes) {
            assertTrue(write.outcome(0) == Outcome.DONE || write.outcome(0) == Outcome.CLOSED);
        }
        assertEquals(0, store.slotsUsed());
    }

    @Test
    void afterTheCloseTransfersEndAsClosed() {
        long slot = store.reserve(4);
        writeDone(source.write(slot, 0));
        store.close();
        Transfer late = target.read(slot, 0);
        store.submit(late);
        assertEquals(1, target.ended.get());
        Pages.assertAll(Outcome.CLOSED, late);
    }
}
