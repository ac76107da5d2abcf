package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ConcurrentModificationException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.QueuePairState;

@Timeout(60)
final class RingTest {
    private static final int SLOT = 16;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.lengthOf(8, SLOT), 128);
    private final Ring ring = Ring.create(memory, RingKind.RECEIVE, 8, SLOT);

    private void produce(Ring to, long value) {
        long position = to.claim();
        to.memory().set(ValueLayout.JAVA_LONG, to.slot(position), value);
        to.publish(position);
    }

    @Test
    void headerLayoutIsAsDocumented() {
        assertEquals(512, Ring.HEADER_LENGTH);
        produce(ring, 1);
        produce(ring, 2);
        ring.release(1);
        ring.wanted();
        ring.state(QueuePairState.READY_TO_SEND);
        assertEquals(0x474e_4952_4e42_5256L, memory.get(ValueLayout.JAVA_LONG, 0), "magic");
        assertEquals(2, memory.get(ValueLayout.JAVA_INT, 8), "version");
        assertEquals(2, memory.get(ValueLayout.JAVA_INT, 12), "kind");
        assertEquals(8, memory.get(ValueLayout.JAVA_INT, 16), "capacity");
        assertEquals(SLOT, memory.get(ValueLayout.JAVA_INT, 20), "slot length");
        assertEquals(3, memory.get(ValueLayout.JAVA_INT, 32), "state");
        assertEquals(2, memory.get(ValueLayout.JAVA_LONG, 128), "tail");
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 136), "producer's guard");
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 144), "head that the producer has read");
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 256), "head");
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 264), "consumer's guard");
        assertEquals(1, memory.get(ValueLayout.JAVA_INT, 384), "wish");
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 512), "first slot");
        assertEquals(2, memory.get(ValueLayout.JAVA_LONG, 528), "second slot");
        ring.claim();
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 136), "producer's guard while inside");
        ring.enterConsumer();
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 264), "consumer's guard while inside");
    }

    @Test
    void aSecondObjectOnTheMemoryIsTheSameRing() {
        Ring other = Ring.attach(memory, RingKind.RECEIVE);
        assertEquals(8, other.capacity());
        assertEquals(SLOT, other.slotLength());
        produce(ring, 7);
        assertEquals(1, other.published(0));
        assertEquals(7, memory.get(ValueLayout.JAVA_LONG, other.slot(0)));
        other.release(1);
        assertEquals(0, ring.filled());
        other.wanted();
        assertTrue(ring.takeWanted());
        ring.state(QueuePairState.ERROR);
        assertEquals(QueuePairState.ERROR, other.state());
    }

    private void assertRefused(String message, MemorySegment at, RingKind kind) {
        assertEquals(
                message,
                assertThrows(IllegalArgumentException.class, () -> Ring.attach(at, kind))
                        .getMessage());
    }

    @Test
    void memoryOfAnotherKindOrLayoutIsRefusedInWords() {
        assertRefused("the ring has kind 2; this side expects 1", memory, RingKind.SEND);
        memory.set(ValueLayout.JAVA_INT, 8, 1);
        assertRefused("the ring has layout version 1; this side expects 2", memory, RingKind.RECEIVE);
        memory.set(ValueLayout.JAVA_INT, 8, 2);
        memory.set(ValueLayout.JAVA_INT, 16, 12);
        assertRefused(
                "a ring of kind RECEIVE needs a power of two of slots, a multiple of 8 and at least 16 bytes each; found"
                        + " 12 slots of 16 bytes",
                memory,
                RingKind.RECEIVE);
        memory.set(ValueLayout.JAVA_INT, 16, 1024);
        assertRefused("the ring needs 16896 bytes; found 640", memory, RingKind.RECEIVE);
        memory.set(ValueLayout.JAVA_LONG, 0, Long.reverseBytes(0x474e_4952_4e42_5256L));
        assertRefused(
                "the memory holds no ring: it begins with 0x5652424e52494e47, written by a machine of the other byte order",
                memory,
                RingKind.RECEIVE);
        memory.set(ValueLayout.JAVA_LONG, 0, 4711);
        assertRefused(
                "the memory holds no ring: it begins with 0x1267; expected 0x474e49524e425256",
                memory,
                RingKind.RECEIVE);
        assertRefused("the ring needs 128 bytes; found 64", memory.asSlice(0, 64), RingKind.RECEIVE);
    }

    @Test
    void sizesAreThoseOfTheMomentOfAttaching() {
        Ring other = Ring.attach(memory, RingKind.RECEIVE);
        memory.set(ValueLayout.JAVA_INT, 16, 1 << 20);
        memory.set(ValueLayout.JAVA_INT, 20, 1 << 20);
        assertEquals(512 + 7 * SLOT, other.slot(7));
        assertEquals(512, other.slot(8));
    }

    @Test
    void aFullRingRefusesUntilASlotComesBack() {
        for (int i = 0; i < 8; i++) {
            produce(ring, i);
        }
        assertEquals(-1, ring.claim());
        assertEquals(-1, ring.claim());
        ring.release(1);
        assertEquals(8, ring.claim());
        ring.publish(8);
        assertEquals(-1, ring.claim());
    }

    @Test
    void positionsWrapAroundTheSlots() {
        for (long i = 0; i < 100; i++) {
            produce(ring, i);
            assertEquals(i + 1, ring.tail());
            assertEquals(512 + (i % 8) * SLOT, ring.slot(i));
            assertEquals(i, memory.get(ValueLayout.JAVA_LONG, ring.slot(i)));
            ring.release(i + 1);
        }
        assertEquals(100, ring.head());
    }

    @Test
    void aClaimGivenUpLeavesNothing() {
        assertEquals(0, ring.claim());
        ring.leaveProducer();
        assertEquals(0, ring.tail());
        assertEquals(0, ring.claim());
    }

    @Test
    void aSecondProducerIsToldSo() throws InterruptedException {
        ring.claim();
        assertThrows(ConcurrentModificationException.class, ring::claim);
        var failure = new Throwable[1];
        Thread other = Thread.ofPlatform().start(() -> {
            try {
                ring.claim();
            } catch (ConcurrentModificationException e) {
                failure[0] = e;
            }
        });
        other.join();
        assertTrue(failure[0] instanceof ConcurrentModificationException);
        assertTrue(String.valueOf(failure[0].getMessage()).contains("two threads at once"));
    }

    @Test
    void aSecondConsumerIsToldSo() {
        ring.enterConsumer();
        assertThrows(ConcurrentModificationException.class, ring::enterConsumer);
        ring.leaveConsumer();
        ring.enterConsumer();
    }

    @Test
    void aWishIsTakenOnce() {
        assertFalse(ring.takeWanted());
        ring.wanted();
        assertTrue(ring.takeWanted());
        assertFalse(ring.takeWanted());
    }

    @Test
    void memoryThatDoesNotFitIsRefused() {
        for (int[] sizes : new int[][] {{6, SLOT}, {0, SLOT}, {-8, SLOT}, {8, 12}, {8, 0}, {8, 8}, {16, SLOT}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Ring.create(memory, RingKind.RECEIVE, sizes[0], sizes[1]),
                    sizes[0] + " slots of " + sizes[1] + " bytes");
        }
        MemorySegment heap = MemorySegment.ofArray(new long[256]);
        assertThrows(IllegalArgumentException.class, () -> Ring.create(heap, RingKind.RECEIVE, 8, SLOT));
        MemorySegment readOnly = memory.asReadOnly();
        assertThrows(IllegalArgumentException.class, () -> Ring.attach(readOnly, RingKind.RECEIVE));
    }

    @Test
    void everythingArrivesOnceAndInOrderBetweenTwoThreads() throws InterruptedException {
        int count = 200_000;
        Thread producer = Thread.ofPlatform().start(() -> {
            int misses = 0;
            for (long i = 0; i < count; ) {
                long position = ring.claim();
                if (position < 0) {
                    pause(++misses);
                    continue;
                }
                misses = 0;
                memory.set(ValueLayout.JAVA_LONG, ring.slot(position), i);
                memory.set(ValueLayout.JAVA_LONG, ring.slot(position) + 8, ~i);
                ring.publish(position);
                i++;
            }
        });
        int misses = 0;
        for (long i = 0; i < count; ) {
            if (ring.tail() == i) {
                pause(++misses);
                continue;
            }
            misses = 0;
            assertEquals(i, memory.get(ValueLayout.JAVA_LONG, ring.slot(i)));
            assertEquals(~i, memory.get(ValueLayout.JAVA_LONG, ring.slot(i) + 8));
            ring.release(++i);
        }
        producer.join();
        assertEquals(count, ring.tail());
    }

    /** Sleeps after some misses: on a core that other programs use, a yield would give them the core for milliseconds. */
    private static void pause(int misses) {
        if (misses < 1_000) {
            Thread.onSpinWait();
        } else {
            LockSupport.parkNanos(1_000);
        }
    }
}
