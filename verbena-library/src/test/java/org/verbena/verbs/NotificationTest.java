package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.IdleStrategy;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;

/** Waiting for completions, in the machine's time: with an engine thread, and driven by the waiter itself. */
@Timeout(60)
@OverEachWire
final class NotificationTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final Wire wire;

    NotificationTest(Wire wire) {
        this.wire = wire;
    }

    private static AdapterOptions options(AdapterOptions.Run run) {
        return AdapterOptions.DEFAULT.withRun(run).withIdle(IdleStrategy.PARK);
    }

    /** A sender with a thread of its own, and a receiver that runs as a test says. */
    private static final class Ends implements AutoCloseable {
        final Node sender;
        final Node receiver;

        Ends(Wire wire, AdapterOptions.Run run) {
            Wires wires = new Wires(wire);
            sender = new Node(wires.openLive(options(AdapterOptions.Run.THREAD)), 4096, 16);
            receiver = new Node(wires.openLive(options(run)), 4096, 16);
            Node.connect(sender, receiver, Node.PATIENT);
            for (int i = 0; i < 16; i++) {
                receiver.queuePair.post(new WorkRequest.Receive(i, receiver.segment(0, 64)));
            }
        }

        void send(boolean solicited) {
            SendOptions how = solicited ? SendOptions.UNSIGNALLED.withSolicited() : SendOptions.UNSIGNALLED;
            sender.queuePair.post(new WorkRequest.Send(1, Payload.inline(new byte[] {1}), how));
        }

        @Override
        public void close() {
            sender.adapter.close();
            receiver.adapter.close();
        }
    }

    @FunctionalInterface
    private interface Waiting<T extends @Nullable Object> {
        T get() throws InterruptedException;
    }

    private static <T extends @Nullable Object> CompletableFuture<T> inBackground(Waiting<T> waiting) {
        var result = new CompletableFuture<T>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(waiting.get());
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private static void isStillWaiting(CompletableFuture<?> waiter) throws InterruptedException, ExecutionException {
        try {
            waiter.get(200, TimeUnit.MILLISECONDS);
            throw new AssertionError("returned too early");
        } catch (TimeoutException expected) {
            assertFalse(waiter.isDone());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void aWaiterGetsTheCompletion(AdapterOptions.Run run) throws Exception {
        try (var ends = new Ends(wire, run)) {
            for (int i = 0; i < 10; i++) {
                CompletableFuture<@Nullable Completion> waiter =
                        inBackground(() -> ends.receiver.completions.poll(LONG));
                ends.send(false);
                Completion completion = waiter.get();
                assertNotNull(completion);
                assertEquals(i, completion.id());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void aWaiterForSolicitedOnesSleepsOnWhileOthersArrive(AdapterOptions.Run run) throws Exception {
        try (var ends = new Ends(wire, run)) {
            var waiter = inBackground(() -> ends.receiver.completions.awaitSolicited(LONG));
            isStillWaiting(waiter);
            ends.send(false);
            isStillWaiting(waiter);
            ends.send(true);
            assertTrue(waiter.get());
            assertEquals(0, ends.receiver.drain().getFirst().id());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void anErrorWakesAWaiterForSolicitedOnes(AdapterOptions.Run run) throws Exception {
        try (var ends = new Ends(wire, run)) {
            var waiter = inBackground(() -> ends.receiver.completions.awaitSolicited(LONG));
            isStillWaiting(waiter);
            ends.receiver.queuePair.abort();
            assertTrue(waiter.get());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void whoHasWaitedLongEnoughGetsNothing(AdapterOptions.Run run) throws InterruptedException {
        try (var ends = new Ends(wire, run)) {
            assertFalse(ends.receiver.completions.await(Duration.ofMillis(20)));
            assertNull(ends.receiver.completions.poll(Duration.ofMillis(1)));
            assertFalse(ends.receiver.completions.await(Duration.ZERO));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void whatIsThereAlreadyIsNotWaitedFor(AdapterOptions.Run run) throws InterruptedException {
        try (var ends = new Ends(wire, run)) {
            ends.send(false);
            assertTrue(ends.receiver.completions.await(LONG));
            assertTrue(ends.receiver.completions.await(LONG));
            assertTrue(ends.receiver.completions.awaitSolicited(LONG));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void closingTheAdapterWakesItsWaiters(AdapterOptions.Run run) throws Exception {
        var ends = new Ends(wire, run);
        var waiter = inBackground(() -> ends.receiver.completions.await(LONG));
        isStillWaiting(waiter);
        ends.receiver.adapter.close();
        var e = assertThrows(ExecutionException.class, () -> waiter.get(20, TimeUnit.SECONDS));
        assertInstanceOf(IllegalStateException.class, e.getCause());
        ends.close();
    }
}
