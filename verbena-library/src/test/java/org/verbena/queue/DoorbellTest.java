package org.verbena.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class DoorbellTest {
    private final AtomicLong wakeups = new AtomicLong();
    private final Doorbell doorbell = new Doorbell(65_536, wakeups::incrementAndGet);

    DoorbellTest() {
        doorbell.cover(65_535);
    }

    private List<Integer> drain() {
        var rung = new ArrayList<Integer>();
        assertEquals(doorbell.drain(rung::add), rung.size());
        return rung;
    }

    @Test
    void ringsAreHandedOutOnceInTheOrderOfTheirIndexes() {
        for (int index : new int[] {65_535, 4096, 0, 63, 64, 4095, 0, 63, 12_345}) {
            doorbell.ring(index);
        }
        assertTrue(doorbell.pending());
        assertEquals(List.of(0, 63, 64, 4095, 4096, 12_345, 65_535), drain());
        assertFalse(doorbell.pending());
        assertEquals(List.of(), drain());
    }

    @Test
    void everyIndexHasItsOwnBit() {
        for (int i = 0; i < 65_536; i++) {
            doorbell.ring(i);
            assertEquals(List.of(i), drain());
        }
    }

    @Test
    void aRingBeforeItsIndexIsCoveredIsNotForgotten() {
        var growing = new Doorbell(65_536, () -> {});
        growing.cover(1);
        growing.ring(4096);
        assertFalse(growing.pending());
        growing.cover(4096);
        assertTrue(growing.pending());
        assertEquals(1, growing.drain(index -> assertEquals(4096, index)));
    }

    @Test
    void aRingWhileDrainingIsForTheNextTime() {
        doorbell.ring(5);
        doorbell.drain(doorbell::ring);
        assertTrue(doorbell.pending());
        assertEquals(List.of(5), drain());
    }

    @Test
    void layoutIsAsDocumented() {
        MemorySegment memory = doorbell.memory();
        assertEquals(0x474e_4952_4e42_5256L, memory.get(ValueLayout.JAVA_LONG, 0), "magic");
        assertEquals(2, memory.get(ValueLayout.JAVA_INT, 8), "version");
        assertEquals(4, memory.get(ValueLayout.JAVA_INT, 12), "kind");
        assertEquals(65_536, memory.get(ValueLayout.JAVA_INT, 16), "capacity");
        doorbell.sleeping(true);
        assertEquals(1, memory.get(ValueLayout.JAVA_INT, 128), "asleep");
        doorbell.ring(4096 + 65);
        assertEquals(2, memory.get(ValueLayout.JAVA_LONG, 256 + 8), "summary");
        assertEquals(2, memory.get(ValueLayout.JAVA_LONG, 384 + 65 * 8), "second level");
        assertEquals(384 + 8192, memory.byteSize());
        assertEquals(384 + 512, Doorbell.lengthOf(64));
        assertEquals(512 + 17 * 512, Doorbell.lengthOf(65_537));
    }

    @Test
    void anotherProcessRingsThroughTheMemory() {
        AtomicLong others = new AtomicLong();
        Doorbell other = Doorbell.attach(doorbell.memory(), others::incrementAndGet);
        other.ring(4711);
        assertEquals(0, others.get());
        assertEquals(List.of(4711), drain());
        doorbell.sleeping(true);
        other.ring(4712);
        assertEquals(1, others.get(), "the ringing side wakes");
        assertEquals(0, wakeups.get());
        assertEquals(List.of(4712), drain());
    }

    @Test
    void memoryThatHoldsNoDoorbellIsRefused() {
        MemorySegment memory = doorbell.memory();
        memory.set(ValueLayout.JAVA_INT, 16, -1);
        assertThrows(IllegalArgumentException.class, () -> Doorbell.attach(memory, () -> {}));
        memory.set(ValueLayout.JAVA_INT, 16, 1 << 20);
        assertThrows(IllegalArgumentException.class, () -> Doorbell.attach(memory, () -> {}));
        memory.set(ValueLayout.JAVA_INT, 12, 1);
        assertThrows(IllegalArgumentException.class, () -> Doorbell.attach(memory, () -> {}));
    }

    @Test
    void bitsThatStandForNoQueuePairAreIgnored() {
        var small = new Doorbell(100, () -> {});
        small.cover(99);
        small.memory().asSlice(256).fill((byte) 0xff);
        var rung = new ArrayList<Integer>();
        assertEquals(100, small.drain(rung::add));
        assertEquals(99, rung.getLast());
        assertEquals(0, small.drain(rung::add));
    }

    @Test
    void onlyASleeperIsWoken() {
        doorbell.ring(1);
        assertEquals(0, wakeups.get());
        doorbell.sleeping(true);
        doorbell.ring(1);
        assertEquals(1, wakeups.get());
        doorbell.sleeping(false);
        doorbell.ring(2);
        assertEquals(1, wakeups.get());
    }

    /** Whatever a producer wrote before it rang is seen by the engine once it stops draining. */
    @Test
    void noRingIsLostBetweenTwoThreads() throws InterruptedException {
        int queues = 130;
        int rounds = 200_000;
        var written = new AtomicLongArray(queues);
        long[] seen = new long[queues];
        Thread producer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < rounds; i++) {
                int queue = (int) (((i * 2_654_435_761L) >>> 7) & 0xffff) % queues;
                written.setRelease(queue, written.getPlain(queue) + 1);
                doorbell.ring(queue);
            }
        });
        while (producer.isAlive()) {
            doorbell.drain(queue -> seen[queue] = written.getAcquire(queue));
        }
        doorbell.drain(queue -> seen[queue] = written.getAcquire(queue));
        for (int i = 0; i < queues; i++) {
            assertEquals(written.get(i), seen[i], "queue " + i);
        }
    }

    /** An engine that goes to sleep properly is never left asleep with work. */
    @Test
    void noWakeUpIsLostBetweenTwoThreads() throws InterruptedException {
        int rounds = 20_000;
        Thread engine = Thread.currentThread();
        var waking = new Doorbell(64, () -> LockSupport.unpark(engine));
        waking.cover(7);
        var written = new AtomicLong();
        var answered = new AtomicLong();
        Thread producer = Thread.ofPlatform().daemon().start(() -> {
            for (int i = 1; i <= rounds; i++) {
                written.set(i);
                waking.ring(7);
                while (answered.get() < i) {
                    Thread.onSpinWait();
                }
            }
        });
        while (answered.get() < rounds) {
            waking.drain(_ -> answered.set(written.get()));
            waking.sleeping(true);
            while (!waking.pending() && answered.get() < rounds) {
                LockSupport.park();
                assertFalse(Thread.interrupted(), "a wake-up was lost: slept until the test's time was over");
            }
            waking.sleeping(false);
        }
        producer.join();
        assertEquals(rounds, answered.get());
    }
}
