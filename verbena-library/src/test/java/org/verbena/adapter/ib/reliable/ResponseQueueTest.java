package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.SmallHypervisor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;

/** Reads that are to be answered are counted as messages on their region, also when they are answered again. */
final class ResponseQueueTest {
    private static final int CAPACITY = 4;
    private static final int MTU = 1024;

    private final ProtectionTable table = new ProtectionTable(16, new Seed(1));
    private final Hypervisor hypervisor = SmallHypervisor.open();
    private final Region region = register();
    private final ResponseQueue queue = new ResponseQueue(CAPACITY, table);

    private Region register() {
        return table.register(
                table.createDomain(),
                hypervisor.host().allocateWired(1 << 16),
                0,
                EnumSet.allOf(Right.class),
                CurrentIoOptions.of(CurrentIo.Mode.LIBRARY_AND_PEERS));
    }

    private int counted() {
        return region.currentIo().operations();
    }

    private void addRead(int psn, int packets) {
        queue.addRead(psn, packets, 1, 0, region.key(), (long) packets * MTU);
    }

    private void answer(int packets) {
        for (int i = 0; i < packets; i++) {
            queue.advance();
        }
    }

    @Test
    void aReadIsCountedUntilItsLastPacket() {
        addRead(10, 2);
        addRead(12, 1);
        assertEquals(2, counted());
        answer(1);
        assertEquals(2, counted());
        answer(1);
        assertEquals(1, counted());
        answer(1);
        assertEquals(0, counted());
    }

    @Test
    void atomicsAndReadsOfNothingAreNotCounted() {
        queue.addAtomic(10, 1, 7);
        queue.addRead(11, 1, 1, 0, region.key(), 0);
        assertEquals(0, counted());
    }

    @Test
    void aReadThatIsAnsweredAgainIsCountedAgain() {
        addRead(10, 2);
        addRead(12, 2);
        answer(4);
        assertTrue(queue.goBack(12, false, 0, MTU));
        assertEquals(1, counted());
        assertTrue(queue.goBack(10, false, 0, MTU)); // only the one asked for last is answered
        assertEquals(1, counted());
        answer(2);
        assertFalse(queue.hasPending());
        assertEquals(0, counted());
    }

    @Test
    void anAnswerThatIsLeftOutEndsItsRead() {
        addRead(10, 2);
        answer(2);
        assertTrue(queue.goBack(10, false, 0, MTU));
        queue.skip();
        assertEquals(0, counted());
    }

    @Test
    void droppedAndReleasedReadsHaveEnded() {
        addRead(10, 2);
        addRead(12, 2);
        queue.dropPending();
        assertEquals(0, counted());
        addRead(14, 2);
        queue.release();
        assertEquals(0, counted());
    }

    @Test
    void aReadThatFollowsIntoItsSlotEndsTheOneBefore() {
        for (int i = 0; i < CAPACITY; i++) {
            addRead(10 + i, 1);
        }
        answer(CAPACITY);
        assertTrue(queue.goBack(10, false, 0, MTU));
        assertEquals(1, counted());
        Region other = register();
        queue.addRead(20, 1, 1, 0, other.key(), MTU);
        assertEquals(0, counted());
        assertEquals(1, other.currentIo().operations());
        answer(1);
        assertFalse(queue.hasPending());
        assertEquals(0, other.currentIo().operations());
    }

    @Test
    void whateverThePeerAsksForExactlyTheReadsToBeAnsweredAreCounted() {
        Seed seed = new Seed(7);
        int psn = 0;
        int first = 0;
        for (int round = 0; round < 20_000; round++) {
            switch ((int) Math.floorMod(seed.nextLong(), 8L)) {
                case 0, 1 -> {
                    if (!queue.isFull()) {
                        addRead(psn, 2);
                        psn += 2;
                    }
                }
                case 2 -> {
                    if (!queue.isFull()) {
                        queue.addAtomic(psn, 1, 7);
                        psn++;
                    }
                }
                case 3 -> {
                    int back = (int) Math.floorMod(seed.nextLong(), 2L * CAPACITY);
                    boolean _ = queue.goBack(Math.max(first, psn - back), false, 0, MTU);
                }
                case 4 -> {
                    if (Math.floorMod(seed.nextLong(), 8L) == 0) {
                        queue.dropPending();
                        first = psn;
                    }
                }
                default -> {
                    if (queue.hasPending()) {
                        queue.advance();
                    }
                }
            }
            assertTrue(counted() <= CAPACITY);
            assertTrue(queue.hasPending() || counted() == 0, "counted " + counted() + " in round " + round);
            assertTrue(!queue.hasPending() || queue.isAtomic() || counted() > 0, "not counted in round " + round);
        }
        while (queue.hasPending()) {
            queue.advance();
        }
        assertEquals(0, counted());
    }
}
