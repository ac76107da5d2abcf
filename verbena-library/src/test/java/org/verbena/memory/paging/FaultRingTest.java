package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.FaultKind;
import org.verbena.FaultedAccess;
import org.verbena.PageFault;
import org.verbena.Verdict;

/** The ring between engines and a listener of page faults. */
final class FaultRingTest {
    private final AtomicLong news = new AtomicLong();
    private final FaultRing ring = new FaultRing(news::getAndIncrement);
    private final List<String> taken = new ArrayList<>();
    private final FaultRing.Receiver receiver = new FaultRing.Receiver() {
        @Override
        public void onBegin(PageFault fault) {
            taken.add("begin " + fault.number());
        }

        @Override
        public void onEnd(PageFault fault, Verdict outcome, long durationNs) {
            taken.add("end " + fault.number() + " " + outcome + " " + durationNs);
        }
    };

    private static PageFault fault(long number) {
        return new PageFault(number, "a", new FaultedAccess(FaultKind.READ, 0, 1, 2, 3, 4), 1, 1);
    }

    @Test
    void newsComesOutInOrder() {
        assertTrue(ring.isEmpty());
        assertFalse(ring.take(receiver));
        assertTrue(ring.offer(fault(1), null, 0));
        assertTrue(ring.offer(fault(2), Verdict.PAGE_LOST, 9));
        assertEquals(2, news.get());
        while (ring.take(receiver)) {}
        assertEquals(List.of("begin 1", "end 2 PAGE_LOST 9"), taken);
        assertTrue(ring.isEmpty());
    }

    @Test
    void aFullRingDropsAndCounts() {
        PageFault one = fault(1);
        for (int lap = 1; lap <= 3; lap++) {
            for (int i = 0; i < FaultRing.CAPACITY; i++) {
                assertTrue(ring.offer(one, null, 0));
            }
            assertFalse(ring.offer(one, null, 0));
            assertEquals(lap, ring.dropped());
            for (int i = 0; i < FaultRing.CAPACITY; i++) {
                assertTrue(ring.take(receiver));
            }
            assertTrue(ring.isEmpty());
        }
        assertEquals(3 * FaultRing.CAPACITY, news.get());
    }

    @Test
    void neitherAddingNorDroppingAllocates() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        PageFault one = fault(1);
        ring.offer(one, Verdict.GRANTED, 1);
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        long itself = threads.getCurrentThreadAllocatedBytes() - before;
        before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 2 * FaultRing.CAPACITY; i++) {
            ring.offer(one, Verdict.GRANTED, i);
        }
        assertEquals(itself, threads.getCurrentThreadAllocatedBytes() - before);
        assertEquals(FaultRing.CAPACITY + 1, ring.dropped());
    }

    /** Several engines add while one thread takes: each news comes out once, in the order of its engine, or is counted. */
    @Test
    @Timeout(60)
    void nothingIsLostOrDoubledBetweenThreads() throws InterruptedException {
        int each = 50_000;
        CountDownLatch done = new CountDownLatch(2);
        for (int thread = 0; thread < 2; thread++) {
            int engine = thread;
            Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    ring.offer(fault(2L * i + engine), Verdict.GRANTED, 2L * i + engine);
                }
                done.countDown();
            });
        }
        long[] last = {-2, -1};
        long[] count = {0};
        FaultRing.Receiver checking = new FaultRing.Receiver() {
            @Override
            public void onBegin(PageFault fault) {
                throw new AssertionError("no begin was added");
            }

            @Override
            public void onEnd(PageFault fault, Verdict outcome, long durationNs) {
                assertEquals(fault.number(), durationNs);
                int engine = (int) (fault.number() % 2);
                assertTrue(fault.number() > last[engine]);
                last[engine] = fault.number();
                count[0]++;
            }
        };
        boolean over;
        do {
            over = done.getCount() == 0;
            while (ring.take(checking)) {}
        } while (!over);
        assertEquals(2L * each, count[0] + ring.dropped());
        assertTrue(count[0] >= FaultRing.CAPACITY);
    }
}
