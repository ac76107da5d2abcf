package org.verbena.adapter;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.IdleStrategy;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.adapter.ib.port.InfiniBandPort;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.PacketHandler;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionEntry;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.RingMemory;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** A thread that waits for an event of the engine wakes when the event comes, not when the time is over. */
@Timeout(60)
final class AwaitTest {
    /** A wake-up that was missed would be slept through for an hour. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final int ROUNDS = 3000;

    @Test
    void aWaiterIsWokenByTheCompletionOfItsFuture() throws InterruptedException {
        try (Adapter adapter = Adapter.open(new InProcessNetwork().open(), AdapterOptions.DEFAULT)) {
            for (int round = 0; round < ROUNDS; round++) {
                var future = new CompletableFuture<Integer>();
                Thread other = Thread.ofPlatform().start(() -> future.complete(1));
                adapter.management().await(future, LONG);
                assertTrue(future.isDone());
                other.join();
            }
        }
    }

    private static Engine engine(Link link, ProtectionTable table, RunnerSleeper sleeper) {
        sleeper.add(link);
        EngineParts parts = EngineParts.make(table, (_, _) -> {}, 0, sleeper::wakeup);
        return new Engine(parts, List.of(new InfiniBandPort(link, parts)), RingMemory.LOCAL);
    }

    @ParameterizedTest
    @ValueSource(longs = {CompletionRing.ARMED_ANY, CompletionRing.ARMED_SOLICITED})
    void aWaiterIsNotSentAwayByLateNewsOfACompletionThatItHas(long wish) throws InterruptedException {
        var table = new ProtectionTable(16, new Seed(1));
        var sleeper = new RunnerSleeper();
        var engine = engine(new InProcessNetwork().open(), table, sleeper);
        var runner = new ThreadRunner(engine, sleeper, NanoClock.system(), IdleStrategy.BACK_OFF, "engine");
        var ring = new CompletionRing(4);
        ring.push(solicited());
        ring.endPoll(ring.beginPoll() + 1);
        Thread waiter = Thread.ofPlatform().start(() -> await(runner, ring, wish));
        awaitArmed(waiter, ring);
        ring.notifyArmed();
        awaitArmed(waiter, ring);
        ring.push(solicited());
        ring.notifyArmed();
        waiter.join();
        runner.close();
    }

    /** It is told at once, and why: what comes of a wait whose time is over looks the same as an idle peer. */
    @Test
    void aWaiterIsToldThatTheEngineFailed() {
        var table = new ProtectionTable(16, new Seed(1));
        var failing = new AtomicBoolean();
        Link link = new ForwardingLink(new InProcessNetwork().open()) {
            @Override
            public int receive(PacketHandler handler, int limit) {
                if (failing.get()) {
                    throw new AssertionError("a bug");
                }
                return super.receive(handler, limit);
            }
        };
        var sleeper = new RunnerSleeper();
        var engine = engine(link, table, sleeper);
        var runner = new ThreadRunner(engine, sleeper, NanoClock.system(), IdleStrategy.BACK_OFF, "engine");
        var ring = new CompletionRing(4);
        Thread breaker = Thread.ofPlatform().start(() -> {
            while (!ring.armed()) {
                Thread.onSpinWait();
            }
            failing.set(true);
            sleeper.wakeup();
        });
        var gone = assertThrows(
                IllegalStateException.class, () -> runner.await(ring, CompletionRing.ARMED_ANY, LONG.toNanos()));
        assertEquals("a bug", requireNonNull(gone.getCause()).getMessage());
        assertDoesNotThrow(() -> breaker.join());
        // What was there before can be taken all the same.
        ring.push(solicited());
        assertDoesNotThrow(() -> runner.await(ring, CompletionRing.ARMED_ANY, LONG.toNanos()));
        runner.close();
    }

    private static CompletionEntry solicited() {
        return new CompletionEntry().of(1, 1, Operation.RECEIVE, Status.FLUSHED);
    }

    private static void await(Runner runner, CompletionRing ring, long wish) {
        try {
            runner.await(ring, wish, LONG.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitArmed(Thread waiter, CompletionRing ring) {
        while (!ring.armed()) {
            assertTrue(waiter.isAlive(), "it waits no more, and nothing is there");
            Thread.onSpinWait();
        }
    }
}
