package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.LinkException;
import org.verbena.link.sleep.RunnerSleeper;

/** The promises of every frame port. A subclass per kind says how to open two that reach each other. */
@Timeout(60)
abstract class FramePortContractTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int HEADER = FramePort.OFFLOAD_HEADER_BYTES;

    private FramePair pair;
    private FramePort left;
    private FramePort right;

    /** Two ports with MTU 1,500, offloads off. */
    abstract FramePair open() throws Exception;

    @BeforeEach
    void openBoth() throws Exception {
        pair = open();
        left = pair.left;
        right = pair.right;
    }

    @AfterEach
    void closeBoth() {
        if (pair != null) {
            pair.close();
        }
    }

    @Test
    void everyLengthArrivesUnharmedBothWays() {
        for (int length : new int[] {14, 15, 59, 60, 61, 64, 1023, 1024, 1513, 1514}) {
            byte[] frame = FramePair.frame(length, length);
            assertTrue(pair.send(left, frame), () -> left.counters().toString());
            assertArrayEquals(frame, pair.receive(right), "to the right, of length " + length);
            assertTrue(pair.send(right, frame), () -> right.counters().toString());
            assertArrayEquals(frame, pair.receive(left), "to the left, of length " + length);
        }
    }

    @Test
    void orderIsKept() {
        for (int round = 0; round < 200; round++) {
            for (int i = 0; i < 5; i++) {
                assertTrue(pair.send(left, FramePair.frame(5 * round + i, 60 + i * 331)));
            }
            for (int i = 0; i < 5; i++) {
                assertArrayEquals(FramePair.frame(5 * round + i, 60 + i * 331), pair.receive(right));
            }
        }
    }

    @Test
    void aPortThatHasNoFrameSaysSoAtOnce() {
        MemorySegment memory = Arena.ofAuto().allocate(2000);
        for (int i = 0; i < 5_000; i++) {
            assertEquals(0, right.receive(memory, 0, 2000));
        }
        assertEquals(0, right.counters().receiveErrors());
    }

    @Test
    void aFrameThatIsLongerThanTheRoomIsDroppedAndCounted() {
        assertTrue(pair.send(left, FramePair.frame(1, 101)));
        pair.receiveUntil(right, 100, () -> right.counters().receiveTooLong() == 1);
        byte[] next = FramePair.frame(2, 100);
        assertTrue(pair.send(left, next));
        assertArrayEquals(next, pair.receive(right, 100));
        assertEquals(1, right.counters().received());
    }

    @Test
    void aFrameThatIsShorterThanItsHeaderIsDroppedAndCounted() {
        MemorySegment memory = Arena.ofAuto().allocate(100);
        for (int length = 0; length < 14; length++) {
            assertFalse(left.send(memory, 0, length), "of " + length + " bytes");
        }
        assertEquals(14, left.counters().sendDropped());
        assertEquals(0, left.counters().sent());
        assertTrue(pair.send(left, FramePair.frame(1, 60)));
        assertArrayEquals(FramePair.frame(1, 60), pair.receive(right));
    }

    @Test
    void countersTellFramesAndBytes() {
        assertTrue(pair.send(left, FramePair.frame(1, 40)));
        assertTrue(pair.send(left, FramePair.frame(2, 60)));
        assertNotNull(pair.receive(right));
        assertNotNull(pair.receive(right));
        assertEquals(2, left.counters().sent());
        assertEquals(100, left.counters().sentBytes());
        assertEquals(2, right.counters().received());
        assertEquals(100, right.counters().receivedBytes());
        assertFalse(left.counters().toString().isEmpty());
        assertFalse(left.name().isEmpty());
    }

    @Test
    void withOffloadsEachFrameHasAHeader() {
        if (!left.canOffload() || !right.canOffload()) {
            FramePort without = left.canOffload() ? right : left;
            assertThrows(LinkException.class, () -> without.offloads(true));
            without.offloads(false);
            assertFalse(without.offloads());
            return;
        }
        left.offloads(true);
        byte[] frame = FramePair.frame(1, 700);
        assertTrue(pair.send(left, FramePair.headed(frame)));
        assertArrayEquals(frame, pair.receive(right), "a port without offloads has no header");
        right.offloads(true);
        assertTrue(left.offloads());
        assertTrue(pair.send(left, FramePair.headed(frame)));
        assertArrayEquals(FramePair.headed(frame), pair.receive(right));
        assertEquals(1400, left.counters().sentBytes());
        assertEquals(1400, right.counters().receivedBytes());
        byte[] shortFrame = new byte[HEADER + 13];
        assertFalse(pair.send(left, shortFrame));
        left.offloads(false);
        assertTrue(pair.send(left, frame));
        assertArrayEquals(FramePair.headed(frame), pair.receive(right));
        right.offloads(false);
        assertTrue(pair.send(left, frame));
        assertArrayEquals(frame, pair.receive(right));
    }

    @Test
    void noHeaderCausesAnException() {
        if (!left.canOffload() || !right.canOffload()) {
            return;
        }
        left.offloads(true);
        right.offloads(true);
        long sent = 0;
        MemorySegment memory = Arena.ofAuto().allocate(FramePort.FRAME_BYTES_MAX);
        for (int number = 0; number < 2_000; number++) {
            byte[] frame = FramePair.headed(FramePair.frame(number, 14 + number % 200));
            for (int i = 0; i < HEADER; i++) {
                int dice = number * 0x9e37_79b1 + i * 0x85eb_ca6b;
                frame[i] = (byte) (dice >>> 28 < 8 ? 0 : dice >>> 20);
            }
            sent += pair.send(left, frame) ? 1 : 0;
            while (right.receive(memory, 0, FramePort.FRAME_BYTES_MAX) > 0) {
                assertTrue(right.counters().received() > 0);
            }
        }
        assertEquals(sent, left.counters().sent());
        assertEquals(2_000 - sent, left.counters().sendDropped());
        assertTrue(left.counters().sendDropped() > 0, "a header that does not fit its frame is refused");
    }

    @Test
    void everyFrameEndsASleepHoweverItMeetsIt() throws InterruptedException {
        RunnerSleeper sleeper = pair.atRight;
        int frames = 300;
        Semaphore next = new Semaphore(1);
        Thread sender = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < frames; i++) {
                next.acquireUninterruptibly();
                pair.send(left, FramePair.frame(i, 64));
            }
        });
        MemorySegment memory = Arena.ofAuto().allocate(2000);
        for (int received = 0; received < frames; ) {
            if (right.receive(memory, 0, 2000) > 0) {
                received++;
                next.release();
            } else {
                // A wake-up that was missed would be slept through for an hour.
                sleeper.sleep(3_600_000_000_000L);
            }
        }
        sender.join();
    }

    @Test
    void aPortWhoseFramesAreNotWantedLetsItsThreadSleep() {
        right.wantsFrames(false);
        assertTrue(pair.send(left, FramePair.frame(1, 64)));
        int slept = 0;
        for (int i = 0; i < 10; i++) {
            slept += pair.atRight.sleep(2_000_000) ? 0 : 1;
        }
        assertTrue(slept > 0, "a sleep reached its end");
        right.wantsFrames(true);
        assertTrue(pair.atRight.sleep(3_600_000_000_000L));
        assertArrayEquals(FramePair.frame(1, 64), pair.receive(right));
    }

    @Test
    void theMtuIsTheOneThatWasSet() {
        assertEquals(1500, left.mtu());
        left.mtu(9000);
        assertEquals(9000, left.mtu());
        assertThrows(LinkException.class, () -> left.mtu(1));
        assertThrows(LinkException.class, () -> left.mtu(1 << 20));
        assertEquals(9000, left.mtu());
    }

    @Test
    void memoryOnTheHeapIsRefused() {
        MemorySegment heap = MemorySegment.ofArray(new byte[100]);
        assertThrows(IllegalArgumentException.class, () -> left.send(heap, 0, 60));
        assertThrows(IllegalArgumentException.class, () -> left.receive(heap, 0, 60));
        MemorySegment memory = Arena.ofAuto().allocate(100);
        assertThrows(IndexOutOfBoundsException.class, () -> left.send(memory, 50, 60));
        assertThrows(IndexOutOfBoundsException.class, () -> left.receive(memory, 50, 60));
    }

    @Test
    void aClosedPortTakesAndGivesNothing() {
        assertTrue(left.isUp());
        assertTrue(pair.send(right, FramePair.frame(1, 60)));
        left.close();
        left.close();
        MemorySegment memory = Arena.ofAuto().allocate(100);
        assertEquals(0, left.receive(memory, 0, 100));
        assertFalse(left.send(memory, 0, 60));
        assertEquals(1, left.counters().sendDropped());
        assertFalse(left.isUp());
        left.wantsFrames(false);
        left.wantsFrames(true);
        assertEquals(Long.MAX_VALUE, left.sleepMaxNs());
    }

    @Test
    void steadyTrafficAllocatesNothing() {
        Traffic traffic = new Traffic();
        traffic.run(20_000);
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 100 && allocated > 0; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            traffic.run(2_000);
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertEquals(0, allocated, "bytes in 2,000 rounds");
        assertTrue(traffic.received > 0);
    }

    /** A few frames and back, without anything that would allocate by itself. */
    private final class Traffic {
        private final MemorySegment memory = Arena.ofAuto().allocate(4096);
        private long received;

        Traffic() {
            MemorySegment.copy(FramePair.frame(1, 64), 0, memory, JAVA_BYTE, 0, 64);
        }

        void run(int rounds) {
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < 4; i++) {
                    left.send(memory, 0, 64);
                }
                for (int length = right.receive(memory, 2048, 2048);
                        length > 0;
                        length = right.receive(memory, 2048, 2048)) {
                    received++;
                }
            }
        }
    }
}
