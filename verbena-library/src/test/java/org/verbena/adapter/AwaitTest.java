package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.link.InProcessNetwork;
import org.verbena.memory.ProtectionTable;
import org.verbena.queue.CompletionEntry;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.IdleStrategy;
import org.verbena.queue.Operation;
import org.verbena.queue.Status;
import org.verbena.time.Clock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** Who waits for something of the engine's wakes when it is there, not when the time is over. */
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

    @ParameterizedTest
    @ValueSource(longs = {CompletionRing.ARMED_ANY, CompletionRing.ARMED_SOLICITED})
    void aWaiterIsNotSentAwayByLateNewsOfACompletionThatItHas(long wish) throws InterruptedException {
        var table = new ProtectionTable(16, new Seed(1));
        var engine = new Engine(new InProcessNetwork().open(), table, (_, _) -> {}, 0);
        var runner = new ThreadRunner(engine, Clock.system(), IdleStrategy.BACK_OFF, "engine");
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
