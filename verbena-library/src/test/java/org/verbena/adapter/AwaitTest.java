package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.InProcessNetwork;
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
}
