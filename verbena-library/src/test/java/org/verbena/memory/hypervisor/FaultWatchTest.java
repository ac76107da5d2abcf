package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.FaultKind;
import org.verbena.PageFault;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.paging.FaultEvents;

/** Listeners of page faults: slow ones, broken ones, several. */
final class FaultWatchTest {
    private static final int PAGE = GuestStand.PAGE;

    private final GuestStand stand = new GuestStand(2);
    private final ManagedMemory memory = stand.hypervisor.host().allocate(8 * PAGE);
    private final Region region = stand.register(memory);
    private final List<String> told = new ArrayList<>();
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();

    private final class Noting implements FaultListener {
        @Override
        public void onBegin(PageFault fault) {
            told.add("begin " + fault.number());
        }

        @Override
        public void onEnd(PageFault fault, Verdict outcome, Duration duration) {
            told.add("end " + fault.number() + " " + outcome + " " + duration.toNanos());
        }
    }

    FaultWatchTest() {
        memory.write(0, MemorySegment.ofArray(new byte[8 * PAGE]));
    }

    @AfterEach
    void close() {
        region.close();
        memory.close();
        stand.close();
    }

    private void evict() {
        assertEquals(0, Eviction.evict(stand.hypervisor, stand.store, memory, 0, 8));
    }

    /** A fault that ends after a time, as the queue pair that waits for it says. */
    private void fault(long durationNs) {
        evict();
        Fault fault = stand.fault(Right.REMOTE_READ, region, 0, 100);
        assertFalse(fault.start());
        stand.await(fault);
        fault.tellEnd(fault.outcome(), durationNs);
        fault.tellEnd(Verdict.NOT_RESIDENT, durationNs); // told before
        fault.release();
    }

    private void runCalls() {
        for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
            call.run();
        }
    }

    @Test
    void aListenerIsToldBeginAndEndLater() {
        try (FaultWatch watch = stand.hypervisor.watchFaults(new Noting(), calls::add)) {
            fault(17);
            assertEquals(List.of(), told, "not on the thread that met the fault");
            assertEquals(1, calls.size());
            runCalls();
            assertEquals(List.of("begin 1", "end 1 GRANTED 17"), told);
            assertEquals(0, watch.failures());
            assertNull(watch.lastFailure());
        }
    }

    @Test
    void aFaultBeforeTheFirstListenerIsNotNumbered() {
        fault(1);
        try (FaultWatch _ = stand.hypervisor.watchFaults(new Noting(), calls::add)) {
            fault(2);
            runCalls();
            assertEquals(List.of("begin 1", "end 1 GRANTED 2"), told);
        }
    }

    @Test
    void aSlowListenerLosesTheNewsThatFindNoPlaceAndItIsCounted() {
        try (FaultWatch watch = stand.hypervisor.watchFaults(new Noting(), calls::add)) {
            int more = 10;
            for (int i = 0; i < FaultWatch.WAITING_MAX / 2 + more; i++) {
                fault(i);
            }
            assertEquals(2L * more, watch.dropped());
            FaultEvents all = stand.hypervisor.paging().pager().faultEvents();
            assertEquals(2L * more, all.dropped());
            assertEquals(FaultWatch.WAITING_MAX, all.told());
            assertEquals(1, calls.size());
            runCalls();
            assertEquals(FaultWatch.WAITING_MAX, told.size());
            assertEquals("begin 1", told.getFirst());
            assertEquals("end 512 GRANTED 511", told.getLast());
            told.clear();
            fault(3);
            runCalls();
            assertEquals(2, told.size(), "there is room again");
            assertEquals(2L * more, watch.dropped());
        }
    }

    @Test
    void aListenerThatThrowsIsCountedAndToldTheRest() {
        RuntimeException thrown = new IllegalStateException("not today");
        try (FaultWatch watch = stand.hypervisor.watchFaults(
                (fault, _, _) -> {
                    told.add("end " + fault.number());
                    throw thrown;
                },
                calls::add)) {
            fault(1);
            fault(2);
            runCalls();
            assertEquals(List.of("end 1", "end 2"), told);
            assertEquals(2, watch.failures());
            assertEquals(thrown, watch.lastFailure());
            assertEquals(2, stand.hypervisor.paging().pager().faultEvents().failures());
            fault(3);
            runCalls();
            assertEquals(3, told.size());
        }
    }

    @Test
    void anExecutorThatRunsTheListenerAtOnceIsAFailure() {
        try (FaultWatch watch = stand.hypervisor.watchFaults(new Noting(), Runnable::run)) {
            fault(1);
            assertEquals(List.of(), told);
            assertEquals(2, watch.failures());
            assertTrue(String.valueOf(watch.lastFailure()).contains("another thread"));
        }
    }

    @Test
    void newsWaitsWhileTheExecutorFails() {
        boolean[] broken = {true};
        Executor executor = call -> {
            if (broken[0]) {
                throw new IllegalStateException("no thread");
            }
            calls.add(call);
        };
        try (FaultWatch watch = stand.hypervisor.watchFaults(new Noting(), executor)) {
            fault(1);
            assertEquals(2, watch.failures());
            broken[0] = false;
            fault(2);
            runCalls();
            assertEquals(List.of("begin 1", "end 1 GRANTED 1", "begin 2", "end 2 GRANTED 2"), told);
        }
    }

    @Test
    void eachListenerHasItsOwnNews() {
        List<Long> others = new ArrayList<>();
        try (FaultWatch slow = stand.hypervisor.watchFaults((_, _, _) -> {}, _ -> {})) {
            FaultWatch second = stand.hypervisor.watchFaults((fault, _, _) -> others.add(fault.number()), calls::add);
            try (FaultWatch _ = stand.hypervisor.watchFaults(new Noting(), calls::add)) {
                fault(1);
                runCalls();
                second.close();
                second.close();
                fault(2);
                runCalls();
            }
            assertEquals(4, told.size());
            assertEquals(List.of(1L), others);
            assertEquals(0, slow.dropped());
        }
    }

    @Test
    void aWatchThatIsClosedMakesNoMoreCalls() {
        FaultWatch watch = stand.hypervisor.watchFaults(new Noting(), calls::add);
        fault(1);
        watch.close();
        runCalls();
        assertEquals(List.of(), told);
    }

    @Test
    @Timeout(60)
    void withoutAnExecutorAVirtualThreadCalls() throws InterruptedException {
        BlockingQueue<Thread> callers = new ArrayBlockingQueue<>(1);
        try (FaultWatch _ = stand.hypervisor.watchFaults((fault, _, _) -> {
            assertEquals(FaultKind.READ, fault.access().kind());
            callers.add(Thread.currentThread());
        })) {
            fault(1);
            Thread caller = callers.take();
            assertTrue(caller.isVirtual());
            assertNotEquals(Thread.currentThread(), caller);
        }
    }
}
