package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.PacketHandler;
import org.verbena.link.process.InProcessNetwork;

/** Which thread drives an adapter that is shared, and which one sleeps for it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SharedRunTest {
    private static final Duration LONG = Duration.ofHours(1);
    /** Messages of a wire that its receiver has not taken. The completion queue has room for more. */
    private static final int OUTSTANDING = 32;

    /** Remembers the threads that use a link. */
    private static final class RecordedLink extends ForwardingLink {
        final Set<Thread> drivers = ConcurrentHashMap.newKeySet();
        final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();
        volatile @Nullable Thread lastSleeper;

        RecordedLink(Link inner) {
            super(inner);
        }

        @Override
        public int receive(PacketHandler handler, int limit) {
            drivers.add(Thread.currentThread());
            return super.receive(handler, limit);
        }

        @Override
        public long sleepMaxNs() {
            lastSleeper = Thread.currentThread();
            sleepers.add(Thread.currentThread());
            return super.sleepMaxNs();
        }
    }

    private final InProcessNetwork network = new InProcessNetwork();
    private final RecordedLink link = new RecordedLink(network.open());
    private final Adapter near = Adapter.open(link, AdapterOptions.DEFAULT.withName("near"));
    private final Adapter far = Adapter.open(network.open(), AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.THREAD));

    @AfterEach
    void close() {
        near.close();
        far.close();
    }

    /** A connection from the far adapter to the near one. */
    private final class Wire {
        final Node from = new Node(far, 4096, 64);
        final Node to = new Node(near, 4096, 64);
        private final AtomicInteger received = new AtomicInteger();
        private int sent;

        Wire() {
            Node.connect(from, to, Node.PATIENT);
        }

        /** Sends when there is room for one more completion: the receiver has taken all but a few. */
        void send() {
            while (sent - received.get() >= OUTSTANDING) {
                LockSupport.parkNanos(20_000);
            }
            sent++;
            var receive = new WorkRequest.Receive(1, to.segment(0, 64));
            var send = new WorkRequest.Send(1, Payload.inline(new byte[] {1}), SendOptions.UNSIGNALLED);
            while (!to.queuePair.post(receive)) {
                LockSupport.parkNanos(20_000);
            }
            while (!from.queuePair.post(send)) {
                LockSupport.parkNanos(20_000);
            }
        }

        Thread receiver(int count, CompletableFuture<Integer> done) {
            return Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        assertNotNull(to.completions.poll(LONG));
                        received.incrementAndGet();
                    }
                    done.complete(count);
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            });
        }
    }

    /** The adapter's thread may watch. It offers the watch to a consumer when its sleep ends: at a command, or after a second. */
    private void untilLastSleeperIs(Thread thread) {
        while (!thread.equals(link.lastSleeper)) {
            near.management().call(() -> {});
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static int get(CompletableFuture<Integer> future) throws Exception {
        return future.get(50, TimeUnit.SECONDS);
    }

    @Test
    void theDefaultIsShared() {
        assertEquals(AdapterOptions.Run.SHARED, AdapterOptions.DEFAULT.run());
    }

    @Test
    void aConsumerThatPollsDrives() {
        Wire wire = new Wire();
        while (!link.drivers.contains(Thread.currentThread())) {
            wire.to.completions.poll();
        }
    }

    @Test
    void theAdaptersThreadDrivesWhileNoConsumerDoes() throws InterruptedException {
        Wire wire = new Wire();
        for (int i = 0; i < 100; i++) {
            assertTrue(
                    wire.from.queuePair.post(new WorkRequest.Write(1, wire.from.segment(0, 64), wire.to.remote(64))));
            assertNotNull(wire.from.completions.poll(LONG));
        }
    }

    /** A post is seen although the consumer that posted has polled before and does not again. */
    @Test
    void aPostIsSentAlthoughNoPollFollows() throws InterruptedException {
        Wire wire = new Wire();
        for (int i = 0; i < 100; i++) {
            assertTrue(wire.from.queuePair.post(new WorkRequest.Receive(i, wire.from.segment(0, 64))));
            for (int poll = 0; poll < i % 16; poll++) {
                wire.to.completions.poll();
            }
            assertTrue(wire.to.queuePair.post(
                    new WorkRequest.Send(1, Payload.inline(new byte[] {1}), SendOptions.UNSIGNALLED)));
            assertNotNull(wire.from.completions.poll(LONG));
        }
    }

    /** The packet wakes the consumer itself: no other thread stands between. */
    @Test
    void aConsumerThatWaitsBecomesTheWatcher() throws Exception {
        Wire wire = new Wire();
        var stop = new AtomicBoolean();
        var done = new CompletableFuture<Integer>();
        Thread waiter = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!stop.get()) {
                    assertNotNull(wire.to.completions.poll(LONG));
                }
                done.complete(1);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        wire.send(); // the adapter's thread may watch until then
        untilLastSleeperIs(waiter);
        stop.set(true);
        wire.send();
        get(done);
    }

    @Test
    void aWatcherThatLeavesHandsOverToAThreadThatIsParked() throws Exception {
        for (int round = 0; round < 20; round++) {
            Wire first = new Wire();
            Wire second = new Wire();
            var firstDone = new CompletableFuture<Integer>();
            var secondDone = new CompletableFuture<Integer>();
            Thread one = first.receiver(2, firstDone);
            first.send();
            untilLastSleeperIs(one);
            Thread other = second.receiver(1, secondDone);
            while (other.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(20_000);
            }
            first.send();
            get(firstDone);
            untilLastSleeperIs(other);
            second.send();
            get(secondDone);
        }
    }

    /** Its turn may bring the completion that the watcher sleeps for. */
    @Test
    void aConsumerThatPollsWakesTheWatcher() throws Exception {
        Wire polled = new Wire();
        Wire watched = new Wire();
        int count = 2_000;
        var done = new CompletableFuture<Integer>();
        watched.receiver(count, done);
        for (int i = 0; i < count; i++) {
            watched.send();
            polled.to.completions.poll();
            polled.to.completions.poll();
        }
        assertEquals(count, get(done));
    }

    @Test
    void aVirtualThreadNeverWatches() throws Exception {
        Wire wire = new Wire();
        var done = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> {
            try {
                for (int i = 0; i < 200; i++) {
                    assertNotNull(wire.to.completions.poll(LONG));
                    wire.received.incrementAndGet();
                }
                done.complete(200);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        for (int i = 0; i < 200; i++) {
            wire.send();
            LockSupport.parkNanos(20_000);
        }
        assertEquals(200, get(done));
        assertTrue(link.sleepers.stream().noneMatch(Thread::isVirtual), () -> "sleepers " + link.sleepers);
    }

    @Test
    void aTurnThatWaitsForTheEngineIsRefused() {
        CompletionQueue completions = near.createCompletionQueue(4);
        near.management().call(() -> assertThrows(IllegalStateException.class, () -> completions.poll(LONG)));
        near.management()
                .call(() -> assertThrows(
                        IllegalStateException.class, () -> near.management().await(new CompletableFuture<>(), LONG)));
    }

    @Test
    void itMayBeClosedFromACallback() {
        near.management().call(near::close);
        assertThrows(IllegalStateException.class, () -> near.management().call(() -> {}));
    }
}
