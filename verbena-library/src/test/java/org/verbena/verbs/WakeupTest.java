package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.time.VirtualClock;

/** A wait for completions is ended from outside: the present one, or else the next, and no other. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // an epoll does not end with an interrupt
@OverEachWire
final class WakeupTest {
    /** A wake-up that was lost would be waited for until the test's own limit. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final int ROUNDS = 1000;
    private static final int SLEEPS = 150;

    private final Wires wires;

    WakeupTest(Wire wire) {
        wires = new Wires(wire);
    }

    /** Run modes, links whose sleep is a park or a wait in the system, kinds of threads that wait. */
    enum Setting {
        SHARED_IN_MEMORY(AdapterOptions.Run.SHARED, false, false),
        SHARED_BY_SOCKETS(AdapterOptions.Run.SHARED, true, false),
        SHARED_VIRTUAL(AdapterOptions.Run.SHARED, true, true),
        THREAD(AdapterOptions.Run.THREAD, true, false),
        THREAD_VIRTUAL(AdapterOptions.Run.THREAD, true, true),
        INLINE_IN_MEMORY(AdapterOptions.Run.INLINE, false, false),
        INLINE_BY_SOCKETS(AdapterOptions.Run.INLINE, true, false);

        final AdapterOptions.Run run;
        final boolean sockets;
        final boolean virtual;

        Setting(AdapterOptions.Run run, boolean sockets, boolean virtual) {
            this.run = run;
            this.sockets = sockets;
            this.virtual = virtual;
        }

        Adapter open(Wires wires) {
            AdapterOptions options = AdapterOptions.DEFAULT.withRun(run);
            return sockets ? wires.openBySockets(options) : wires.openLive(options);
        }

        <T> WaitingThread<T> start(WaitingThread.Wait<T> wait) {
            return WaitingThread.start(virtual, wait);
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsTheWaitThatAThreadIsIn(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            WaitingThread<Boolean> any = setting.start(() -> queue.await(LONG));
            any.isStillWaiting();
            queue.wakeup();
            assertFalse(any.get());
            WaitingThread<Boolean> solicited = setting.start(() -> queue.awaitSolicited(LONG));
            solicited.isStillWaiting();
            queue.wakeup();
            assertFalse(solicited.get());
            WaitingThread<Boolean> polled = setting.start(() -> queue.poll(LONG) == null);
            polled.isStillWaiting();
            queue.wakeup();
            assertTrue(polled.get());
        }
    }

    /** A sleep that no wake-up ends lasts a second: the test's limit would be over. */
    @ParameterizedTest
    @EnumSource
    void endsASleepAtOnce(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            CompletionQueue other = adapter.createCompletionQueue(4);
            for (int round = 0; round < SLEEPS; round++) {
                WaitingThread<Boolean> first =
                        setting.start(() -> queue.await(LONG)).asleep();
                WaitingThread<Boolean> second =
                        setting.start(() -> other.await(LONG)).asleep();
                // One of the two sleeps for both, where consumers drive.
                boolean reversed = round % 2 == 1;
                (reversed ? other : queue).wakeup();
                assertFalse((reversed ? second : first).get());
                (reversed ? queue : other).wakeup();
                assertFalse((reversed ? first : second).get());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsTheNextWaitIfThereIsNoneAndNotTheOneBehindIt(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            queue.wakeup();
            queue.wakeup();
            WaitingThread<Boolean> next = setting.start(() -> queue.await(LONG));
            assertFalse(next.get());
            WaitingThread<Boolean> behind = setting.start(() -> queue.await(LONG));
            behind.isStillWaiting();
            queue.wakeup();
            assertFalse(behind.get());
        }
    }

    /** The waiter looks at the count after each wait; a wake-up that is lost leaves it waiting, and the other thread too. */
    @ParameterizedTest
    @EnumSource
    void noneIsLostWheneverItComes(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            var count = new AtomicInteger();
            var seen = new AtomicInteger();
            WaitingThread<Integer> waiter = setting.start(() -> {
                int waits = 0;
                while (seen.get() < ROUNDS) {
                    assertFalse(queue.await(LONG));
                    waits++;
                    seen.set(count.get());
                }
                return waits;
            });
            for (int round = 1; round <= ROUNDS; round++) {
                count.set(round);
                queue.wakeup();
                for (int spins = 0; seen.get() < round; spins++) {
                    assertFalse(waiter.hasFailed(), "the waiter has failed");
                    if (spins > 1000) {
                        Thread.onSpinWait();
                    }
                }
            }
            assertEquals(ROUNDS, waiter.get(), "each wake-up ends one wait");
        }
    }

    @ParameterizedTest
    @EnumSource
    void endsNoWaitOfAnotherQueue(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            CompletionQueue first = adapter.createCompletionQueue(4);
            CompletionQueue second = adapter.createCompletionQueue(4);
            WaitingThread<Boolean> one = setting.start(() -> first.await(LONG));
            one.isStillWaiting();
            WaitingThread<Boolean> other = setting.start(() -> second.await(LONG));
            other.isStillWaiting();
            // One of the two sleeps for both, where consumers drive; each of them can be woken.
            first.wakeup();
            assertFalse(one.get());
            other.isStillWaiting();
            WaitingThread<Boolean> again = setting.start(() -> first.await(LONG));
            again.isStillWaiting();
            first.wakeup();
            assertFalse(again.get());
            other.isStillWaiting();
            second.wakeup();
            assertFalse(other.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCompletionGoesFirstAndTheWakeUpIsLeft(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            Node node = new Node(adapter, 4096, 16);
            Node peer = new Node(adapter, 4096, 16);
            Node.connect(node, peer, Node.PATIENT);
            node.completions.wakeup();
            assertTrue(node.queuePair.post(new WorkRequest.Write(1, node.segment(0, 64), peer.remote(64))));
            WaitingThread<Boolean> both = setting.start(() -> {
                boolean woken = false;
                while (!node.completions.await(LONG)) {
                    assertFalse(woken, "one wake-up ends one wait");
                    woken = true;
                }
                return woken;
            });
            boolean woken = both.get();
            assertEquals(1, node.drain().size());
            WaitingThread<Boolean> next = setting.start(() -> node.completions.await(LONG));
            if (woken) {
                next.isStillWaiting();
                node.completions.wakeup();
            }
            assertFalse(next.get());
        }
    }

    @Test
    void anInterruptAndTheEndOfTheAdapterLeaveTheWakeUp() throws InterruptedException {
        Adapter adapter = wires.openLive(AdapterOptions.DEFAULT);
        CompletionQueue queue = adapter.createCompletionQueue(4);
        queue.wakeup();
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> queue.await(LONG));
        assertFalse(queue.await(LONG));
        queue.wakeup();
        adapter.close();
        assertThrows(IllegalStateException.class, () -> queue.await(LONG));
        queue.wakeup();
        assertThrows(IllegalStateException.class, () -> queue.await(LONG));
        queue.close();
        queue.wakeup();
        assertThrows(IllegalStateException.class, () -> queue.await(LONG));
    }

    @ParameterizedTest
    @EnumSource
    void aCallbackOfTheAdapterMayCallIt(Setting setting) throws Exception {
        try (Adapter adapter = setting.open(wires)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            WaitingThread<Boolean> waiter = setting.start(() -> queue.await(LONG));
            waiter.isStillWaiting();
            adapter.management().call(queue::wakeup);
            assertFalse(waiter.get());
        }
    }

    @Test
    void anAdapterThatIsRunByHandDoesNotWaitAnyway() throws InterruptedException {
        try (Adapter adapter =
                wires.open(new VirtualClock(0), AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL))) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            queue.wakeup();
            assertFalse(queue.await(LONG));
            assertNull(queue.poll(LONG));
        }
    }
}
