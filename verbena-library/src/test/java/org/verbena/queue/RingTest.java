package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ConcurrentModificationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RingTest {
    private static final int SLOT = 16;

    private final MemorySegment memory = Arena.ofAuto().allocate(Ring.lengthOf(8, SLOT), 128);
    private final Ring ring = Ring.over(memory, 8, SLOT);

    private void produce(Ring to, long value) {
        long position = to.claim();
        to.memory().set(ValueLayout.JAVA_LONG, to.slot(position), value);
        to.publish(position);
    }

    @Test
    void headerLayoutIsAsDocumented() {
        assertEquals(384, Ring.HEADER_LENGTH);
        produce(ring, 1);
        produce(ring, 2);
        ring.release(1);
        ring.wanted();
        assertEquals(2, memory.get(ValueLayout.JAVA_LONG, 0), "tail");
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 8), "producer's guard");
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 128), "head");
        assertEquals(0, memory.get(ValueLayout.JAVA_LONG, 136), "consumer's guard");
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 256), "flag");
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 384), "first slot");
        assertEquals(2, memory.get(ValueLayout.JAVA_LONG, 400), "second slot");
        ring.claim();
        assertEquals(1, memory.get(ValueLayout.JAVA_LONG, 8), "producer's guard while inside");
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
            assertEquals(384 + (i % 8) * SLOT, ring.slot(i));
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
        assertThrows(IllegalArgumentException.class, () -> Ring.over(memory, 6, SLOT));
        assertThrows(IllegalArgumentException.class, () -> Ring.over(memory, 8, 12));
        assertThrows(IllegalArgumentException.class, () -> Ring.over(memory, 8, 0));
        assertThrows(IllegalArgumentException.class, () -> Ring.over(memory, 16, SLOT));
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the other thread may have to share this core
    void everythingArrivesOnceAndInOrderBetweenTwoThreads() throws InterruptedException {
        int count = 200_000;
        Thread producer = Thread.ofPlatform().start(() -> {
            for (long i = 0; i < count; ) {
                long position = ring.claim();
                if (position < 0) {
                    Thread.yield();
                    continue;
                }
                memory.set(ValueLayout.JAVA_LONG, ring.slot(position), i);
                memory.set(ValueLayout.JAVA_LONG, ring.slot(position) + 8, ~i);
                ring.publish(position);
                i++;
            }
        });
        for (long i = 0; i < count; ) {
            if (ring.tail() == i) {
                Thread.yield();
                continue;
            }
            assertEquals(i, memory.get(ValueLayout.JAVA_LONG, ring.slot(i)));
            assertEquals(~i, memory.get(ValueLayout.JAVA_LONG, ring.slot(i) + 8));
            ring.release(++i);
        }
        producer.join();
        assertEquals(count, ring.tail());
    }
}
