package org.verbena.adapter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.WheelTimer;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ManagementPort;

/** Several threads wait for one adapter: they sleep, they relieve each other, and they leave nothing behind. */
@Timeout(60)
final class WaitersTest {
    private static final Duration LONG = Duration.ofHours(1);

    private static Adapter open(AdapterOptions.Run run) {
        return Adapter.open(new InProcessNetwork().open(), AdapterOptions.DEFAULT.withRun(run));
    }

    private static Thread waiter(Adapter adapter, CompletableFuture<?> future) {
        return Thread.ofPlatform().daemon(true).start(() -> {
            try {
                adapter.management().await(future, LONG);
            } catch (InterruptedException | IllegalStateException e) {
                // Nobody does; or the adapter was closed, which the test looks at.
            }
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void allSleepAndEachIsWoken(AdapterOptions.Run run) throws InterruptedException {
        try (Adapter adapter = open(run)) {
            var first = new CompletableFuture<Integer>();
            var second = new CompletableFuture<Integer>();
            Thread one = waiter(adapter, first);
            Thread other = waiter(adapter, second);
            // A thread that spins is never seen asleep together with the other one.
            while (one.getState() != Thread.State.TIMED_WAITING || other.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            // The thread that drives returns; the other thread then drives the engine itself.
            first.complete(1);
            one.join();
            ManagementPort port = adapter.management();
            WheelTimer timer = new WheelTimer(nowNs -> second.complete(2));
            port.call(() -> port.schedule(timer, port.nowNs() + 20_000_000));
            other.join();
            assertEquals(2, second.join());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void waitingAgainAndAgainLeavesNothingWithTheFuture(AdapterOptions.Run run) throws InterruptedException {
        try (Adapter adapter = open(run)) {
            var never = new CompletableFuture<Integer>();
            for (int i = 0; i < 10; i++) {
                adapter.management().await(never, Duration.ofNanos(1000));
            }
            assertTrue(never.getNumberOfDependents() <= 1, () -> never.getNumberOfDependents() + " dependents");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD", "INLINE"})
    void whoWaitsForAClosedAdapterIsToldSo(AdapterOptions.Run run) throws InterruptedException {
        var never = new CompletableFuture<Integer>();
        Adapter adapter = open(run);
        Thread waiter = waiter(adapter, never);
        adapter.close();
        waiter.join();
        assertThrows(IllegalStateException.class, () -> adapter.management().await(never, LONG));
        assertThrows(IllegalStateException.class, () -> adapter.management().call(() -> {}));
    }

    @Test
    void anAdapterThatIsDrivenInlineMayBeClosedFromACallback() {
        Adapter adapter = open(AdapterOptions.Run.INLINE);
        adapter.management().call(adapter::close);
        assertThrows(IllegalStateException.class, () -> adapter.management().call(() -> {}));
    }

    @Test
    void anEngineThatDiesOfACheckedExceptionLeavesNobodyWaiting() throws InterruptedException {
        try (Adapter adapter = open(AdapterOptions.Run.THREAD)) {
            ManagementPort port = adapter.management();
            WheelTimer timer = new WheelTimer(nowNs -> sneak(new IOException("a callback's")));
            var never = new CompletableFuture<Integer>();
            Thread waiter = waiter(adapter, never);
            port.call(() -> port.schedule(timer, port.nowNs()));
            waiter.join();
            IllegalStateException e = assertThrows(IllegalStateException.class, () -> port.call(() -> {}));
            assertInstanceOf(IOException.class, e.getCause());
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable e) throws E {
        throw (E) e;
    }
}
