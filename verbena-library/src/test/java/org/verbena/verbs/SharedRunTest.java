package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
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
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.PacketHandler;
import org.verbena.link.Sleeper;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.StreamAcceptor;
import org.verbena.link.stream.StreamListener;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.stream.StreamUser;

/** Which thread drives an adapter that is shared, and which one sleeps for it. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@OverEachWire
final class SharedRunTest {
    private static final Duration LONG = Duration.ofHours(1);
    /** Messages of a wire that its receiver has not taken. The completion queue has room for more. */
    private static final int OUTSTANDING = 32;

    /** The threads that use a link or a network of streams. */
    private static final class Users {
        final Set<Thread> drivers = ConcurrentHashMap.newKeySet();
        final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();
        volatile @Nullable Thread lastSleeper;

        void onReceive() {
            drivers.add(Thread.currentThread());
        }

        void onSleep() {
            lastSleeper = Thread.currentThread();
            sleepers.add(Thread.currentThread());
        }
    }

    private static final class RecordedLink extends ForwardingLink {
        private final Users users;

        RecordedLink(Link inner, Users users) {
            super(inner);
            this.users = users;
        }

        @Override
        public int receive(PacketHandler handler, int limit) {
            users.onReceive();
            return super.receive(handler, limit);
        }

        @Override
        public long sleepMaxNs() {
            users.onSleep();
            return super.sleepMaxNs();
        }
    }

    private record RecordedNetwork(StreamNetwork inner, Users users) implements StreamNetwork {
        @Override
        public String name() {
            return inner.name();
        }

        @Override
        public List<InetAddress> locals() {
            return inner.locals();
        }

        @Override
        public ByteStream connect(Endpoint remote, int localPort, StreamUser user) {
            return inner.connect(remote, localPort, user);
        }

        @Override
        public StreamListener listen(Endpoint at, int backlog, StreamAcceptor acceptor) {
            return inner.listen(at, backlog, acceptor);
        }

        @Override
        public int poll(long nowNs) {
            users.onReceive();
            return inner.poll(nowNs);
        }

        @Override
        public void attach(Sleeper sleeper) {
            inner.attach(sleeper);
        }

        @Override
        public long sleepMaxNs() {
            users.onSleep();
            return inner.sleepMaxNs();
        }

        @Override
        public void close() {
            inner.close();
        }
    }

    private final Users users = new Users();
    private final Adapter near;
    private final Adapter far;

    SharedRunTest(Wire wire) {
        Wires wires = new Wires(wire);
        near = wires.openLive(
                AdapterOptions.DEFAULT.withName("near"),
                link -> new RecordedLink(link, users),
                network -> new RecordedNetwork(network, users));
        far = wires.openLive(AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.THREAD));
    }

    @AfterEach
    void close() {
        near.close();
        far.close();
    }

    /** A connection from the far adapter to the near one. */
    private final class Line {
        final Node from = new Node(far, 4096, 64);
        final Node to = new Node(near, 4096, 64);
        private final AtomicInteger received = new AtomicInteger();
        private int sent;

        Line() {
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
        while (!thread.equals(users.lastSleeper)) {
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
        Line wire = new Line();
        while (!users.drivers.contains(Thread.currentThread())) {
            wire.to.completions.poll();
        }
    }

    @Test
    void theAdaptersThreadDrivesWhileNoConsumerDoes() throws InterruptedException {
        Line wire = new Line();
        for (int i = 0; i < 100; i++) {
            assertTrue(
                    wire.from.queuePair.post(new WorkRequest.Write(1, wire.from.segment(0, 64), wire.to.remote(64))));
            assertNotNull(wire.from.completions.poll(LONG));
        }
    }

    /** A post is seen although the consumer that posted has polled before and does not again. */
    @Test
    void aPostIsSentAlthoughNoPollFollows() throws InterruptedException {
        Line wire = new Line();
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
        Line wire = new Line();
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
            Line first = new Line();
            Line second = new Line();
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
        Line polled = new Line();
        Line watched = new Line();
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
        Line wire = new Line();
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
        assertTrue(users.sleepers.stream().noneMatch(Thread::isVirtual), () -> "sleepers " + users.sleepers);
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
