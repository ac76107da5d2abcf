package org.verbena.verbs;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;

/** A wait for something that is closed ends with a reason, and nothing is made at a closed adapter. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@OverEachWire
final class ClosedQueuesTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final Wires wires;

    ClosedQueuesTest(Wire wire) {
        wires = new Wires(wire);
    }

    private Adapter open(AdapterOptions.Run run) {
        return wires.openLive(AdapterOptions.DEFAULT.withRun(run));
    }

    /** A wait in the background, with its outcome. */
    private record Wait(Thread thread, CompletableFuture<Object> outcome) {
        @FunctionalInterface
        private interface Call {
            @Nullable
            Object run() throws InterruptedException;
        }

        static Wait begin(Call call) {
            var outcome = new CompletableFuture<Object>();
            Thread thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    Object result = call.run();
                    outcome.complete(result == null ? "nothing" : result);
                } catch (Throwable e) {
                    outcome.completeExceptionally(e);
                }
            });
            return new Wait(thread, outcome);
        }

        /** Returns when the thread sleeps. A thread that sleeps in the system counts as running, and is in its sleeper. */
        Wait sleeps() {
            while (thread.getState() != Thread.State.TIMED_WAITING && !isInSleeper() && !outcome.isDone()) {
                LockSupport.parkNanos(20_000);
            }
            return this;
        }

        private boolean isInSleeper() {
            return Arrays.stream(thread.getStackTrace())
                    .anyMatch(frame -> frame.getClassName().startsWith(RunnerSleeper.class.getPackageName()));
        }

        Throwable failure() {
            ExecutionException e = assertThrows(ExecutionException.class, () -> outcome.get(50, TimeUnit.SECONDS));
            return requireNonNull(e.getCause());
        }
    }

    private static void isClosed(Executable call) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertEquals("the adapter is closed", e.getMessage());
    }

    @ParameterizedTest
    @EnumSource
    void aWaitAtAClosedAdapterIsRefused(AdapterOptions.Run run) {
        Adapter adapter = open(run);
        CompletionQueue completions = adapter.createCompletionQueue(4);
        adapter.close();
        isClosed(() -> completions.poll(Duration.ofSeconds(1)));
        isClosed(() -> completions.await(Duration.ofSeconds(1)));
        isClosed(() -> completions.awaitSolicited(Duration.ofSeconds(1)));
        isClosed(() -> adapter.events().poll(Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void closingTheAdapterWakesAWaiter(AdapterOptions.Run run) {
        Adapter adapter = open(run);
        CompletionQueue completions = adapter.createCompletionQueue(4);
        Wait wait = Wait.begin(() -> completions.poll(LONG)).sleeps();
        Wait events = Wait.begin(() -> adapter.events().poll(LONG)).sleeps();
        Wait moreEvents = Wait.begin(() -> adapter.events().poll(LONG)).sleeps();
        adapter.close();
        for (Wait each : List.of(wait, events, moreEvents)) {
            assertEquals("the adapter is closed", each.failure().getMessage());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void closingTheQueueWakesItsWaiterAndRefusesPolls(AdapterOptions.Run run) {
        try (Adapter adapter = open(run)) {
            CompletionQueue completions = adapter.createCompletionQueue(4);
            Wait wait = Wait.begin(() -> completions.poll(LONG)).sleeps();
            completions.close();
            assertInstanceOf(IllegalStateException.class, wait.failure());
            assertEquals("the completion queue is closed", wait.failure().getMessage());
            assertThrows(IllegalStateException.class, completions::poll);
            assertThrows(IllegalStateException.class, () -> completions.poll(new Completions(1)));
            assertThrows(IllegalStateException.class, () -> completions.poll(LONG));
            completions.close();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void aSecondThreadThatWaitsIsRefusedAndTheFirstGetsItsCompletion(AdapterOptions.Run run) throws Exception {
        try (Adapter far = open(AdapterOptions.Run.THREAD);
                Adapter near = open(run)) {
            Node sender = new Node(far, 4096, 16);
            Node receiver = new Node(near, 4096, 16);
            Node.connect(sender, receiver, Node.PATIENT);
            for (int round = 0; round < 20; round++) {
                assertTrue(receiver.queuePair.post(new WorkRequest.Receive(round, receiver.segment(0, 64))));
                Wait first = Wait.begin(() -> receiver.completions.poll(LONG)).sleeps();
                assertThrows(ConcurrentModificationException.class, () -> receiver.completions.poll(LONG));
                assertThrows(ConcurrentModificationException.class, () -> receiver.completions.await(LONG));
                assertTrue(sender.queuePair.post(
                        new WorkRequest.Send(1, Payload.inline(new byte[] {1}), SendOptions.UNSIGNALLED)));
                Completion completion = assertInstanceOf(Completion.class, first.outcome.get(50, TimeUnit.SECONDS));
                assertEquals(round, completion.id());
            }
        }
    }

    @Test
    void nothingIsMadeAtAClosedAdapter() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64);
            EnumSet<Right> rights = EnumSet.of(Right.LOCAL_WRITE);
            Adapter adapter = open(AdapterOptions.Run.SHARED);
            ProtectionDomain domain = adapter.createProtectionDomain();
            Region region = adapter.register(domain, memory, rights);
            adapter.close();
            List<Executable> calls = List.of(
                    () -> adapter.createCompletionQueue(4),
                    () -> adapter.createSharedReceiveQueue(4, 1),
                    adapter::createProtectionDomain,
                    () -> adapter.createProtectionDomain(RemoteAccess.WINDOWS_ONLY),
                    () -> adapter.register(domain, memory, rights),
                    () -> adapter.reserve(domain, memory, rights),
                    () -> adapter.share(region, domain, rights),
                    () -> adapter.createWindow(domain, Window.Type.TYPE_2),
                    () -> adapter.createAddressHandle(domain, adapter.endpoint()));
            for (int i = 0; i < calls.size(); i++) {
                assertThrows(IllegalStateException.class, calls.get(i), "call " + i);
            }
            region.close();
            domain.close();
        }
    }
}
