package org.verbena.memory.swapping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ErrandThreadTest {
    private final ErrandThread errands = new ErrandThread();

    @Test
    void errandsOfSeveralThreadsAreRunInOrderAndOneAtATime() throws InterruptedException {
        int all = 20_000;
        var inside = new AtomicInteger();
        var done = new CountDownLatch(2 * all);
        List<List<Integer>> seen = List.of(new ArrayList<>(), new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        var together = new AtomicInteger();
        for (List<Integer> mine : seen) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < all; i++) {
                    int number = i;
                    errands.run(() -> {
                        together.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        mine.add(number);
                        inside.decrementAndGet();
                        done.countDown();
                    });
                }
            }));
        }
        done.await();
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(1, together.get());
        for (List<Integer> mine : seen) {
            assertEquals(all, mine.size());
            for (int i = 0; i < all; i++) {
                assertEquals(i, mine.get(i));
            }
        }
    }

    @Test
    void anErrandLeftByAnErrandIsRunAfterIt() throws InterruptedException {
        List<String> told = new ArrayList<>();
        var done = new CountDownLatch(1);
        errands.run(() -> {
            errands.run(() -> {
                told.add("second");
                done.countDown();
            });
            told.add("first");
        });
        done.await();
        assertEquals(List.of("first", "second"), told);
    }

    @Test
    void anErrandForLaterIsRunOnTheErrandThreadWhenItsTimeHasPassed() throws InterruptedException {
        List<Runnable> delayed = new ArrayList<>();
        var later = new ErrandThread((milliseconds, task) -> {
            assertEquals(3_600_000, milliseconds);
            delayed.add(task);
        });
        var ranOn = new CompletableFuture<Thread>();
        later.runLater(3_600_000, () -> ranOn.complete(Thread.currentThread()));
        runThrough(later);
        assertFalse(ranOn.isDone());
        delayed.forEach(Runnable::run);
        runThrough(later);
        assertTrue(ranOn.isDone());
        assertTrue(ranOn.join().isVirtual());
    }

    /** Errands are run in order: after this each earlier errand has been run. */
    private static void runThrough(ErrandThread errands) throws InterruptedException {
        var done = new CountDownLatch(1);
        errands.run(done::countDown);
        done.await();
    }

    @Test
    void theSystemsDelayRunsTheErrand() throws InterruptedException {
        var done = new CountDownLatch(1);
        errands.runLater(1, done::countDown);
        done.await();
    }
}
