package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Wire;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** Service connections over sockets and within the process, in the machine's time. The test's thread drives both ends. */
final class RealLinksTest {
    /** Turns without any progress, after which the test fails; far more than a loaded machine needs. */
    private static final long LIMIT_NS = 60_000_000_000L;

    private static final ServiceOptions OPTIONS =
            ServiceOptions.DEFAULT.withPools(16 << 20, new PoolShape(64, 2048), new PoolShape(8, 70_000));

    /** A kind of link. */
    enum Kind {
        UDP,
        TCP,
        IN_PROCESS
    }

    /** Two nodes. */
    private static final class Ends implements AutoCloseable {
        final NanoClock clock = NanoClock.system();
        final Arena arena = Arena.ofShared();
        final Adapter one;
        final Adapter two;
        final SendBuffers oneBuffers = new SendBuffers(arena, new PoolShape(256, 2048), new PoolShape(16, 70_000));
        final SendBuffers twoBuffers = new SendBuffers(arena, new PoolShape(256, 2048), new PoolShape(16, 70_000));
        final MessagingLayer oneLayer;
        final MessagingLayer twoLayer;
        final Recorder first = new Recorder();
        final Recorder second = new Recorder();
        final ServiceConnection connector;
        ServiceConnection[] accepted = new ServiceConnection[1];

        Ends(Kind kind, ServiceOptions options, ServiceOptions accepting) {
            InProcessNetwork network = new InProcessNetwork();
            one = open(kind, network, "one");
            two = open(kind, network, "two");
            oneLayer = new MessagingLayer(one, clock, oneBuffers, 4);
            twoLayer = new MessagingLayer(two, clock, twoBuffers, 4);
            InetSocketAddress at =
                    twoLayer.listen(new InetSocketAddress(two.endpoint().address(), 0), accepting, made -> {
                        accepted[0] = made;
                        return second;
                    });
            connector = oneLayer.connect(at, kind == Kind.UDP ? two.endpoint().port() : 0, options, first);
        }

        private static Adapter open(Kind kind, InProcessNetwork network, String name) {
            AdapterOptions options = AdapterOptions.DEFAULT.withName(name).withRun(AdapterOptions.Run.INLINE);
            InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            return switch (kind) {
                case UDP -> Adapter.open(at, options);
                case TCP -> Adapter.open(at, options.withWire(Wire.IWARP));
                case IN_PROCESS -> Adapter.open(network.open(), options);
            };
        }

        void runUntil(BooleanSupplier condition) {
            long endNs = clock.nowNs() + LIMIT_NS;
            while (!condition.getAsBoolean()) {
                oneLayer.work(clock.nowNs());
                twoLayer.work(clock.nowNs());
                assertTrue(
                        clock.nowNs() < endNs,
                        () -> "not reached: " + connector + connector.counters() + ", " + accepted[0]
                                + accepted[0].counters() + "; " + first.closed + "; " + second.closed);
            }
        }

        static boolean push(SendBuffers buffers, ServiceConnection connection, byte[] data) {
            int slot = buffers.take(data.length);
            if (slot < 0) {
                return false;
            }
            MemorySegment.copy(MemorySegment.ofArray(data), 0, buffers.memory(), buffers.offset(slot), data.length);
            boolean taken = connection.push(slot, data.length);
            buffers.release(slot);
            return taken;
        }

        @Override
        public void close() {
            oneLayer.close();
            twoLayer.close();
            one.close();
            two.close();
            arena.close();
        }
    }

    private static void exchange(Ends ends, int count) {
        ends.runUntil(() -> ends.first.opened == 1 && ends.second.opened == 1);
        Seed seed = new Seed(11);
        List<byte[]> there = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] data = ServiceConnectionTest.random(seed, 1 + seed.nextInt(i % 16 == 0 ? 70_000 : 2048));
            there.add(data);
            ends.runUntil(() -> ends.connector.queued() == 0 && Ends.push(ends.oneBuffers, ends.connector, data));
            ends.runUntil(() -> ends.accepted[0].queued() == 0 && Ends.push(ends.twoBuffers, ends.accepted[0], data));
        }
        ends.runUntil(() -> ends.first.data.size() == count && ends.second.data.size() == count);
        for (int i = 0; i < count; i++) {
            assertArrayEquals(there.get(i), ends.second.data.get(i), "datum " + i);
            assertArrayEquals(there.get(i), ends.first.data.get(i), "datum " + i);
        }
        assertEquals(
                0,
                ends.connector.counters().refused(),
                () -> ends.connector.counters().refusals() + ": "
                        + ends.connector.counters().lastRefusal());
        assertEquals(0, ends.accepted[0].counters().refused());
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void dataGoOverEveryLink(Kind kind) {
        for (TransferModel model : TransferModel.values()) {
            try (Ends ends = new Ends(kind, OPTIONS.withModel(model), OPTIONS)) {
                exchange(ends, 400);
                ends.connector.close("done");
                ends.runUntil(() -> ends.first.closed != null && ends.second.closed != null);
                assertEquals("done", ends.first.closed);
                assertEquals(0, ends.one.queuePairCount());
                assertEquals(0, ends.two.queuePairCount());
                assertEquals(ends.oneBuffers.count(), ends.oneBuffers.freeCount());
            }
        }
    }

    @Test
    void datagramsFindAnAdapterAtAnotherPortOfTheSameAddress() {
        ServiceOptions datagrams = OPTIONS.withDataChannel(DataChannel.SEND, ChannelAttributes.DATAGRAM);
        try (Ends ends = new Ends(Kind.UDP, datagrams, datagrams)) {
            ends.runUntil(() -> ends.first.opened == 1 && ends.second.opened == 1);
            byte[] data = ServiceConnectionTest.random(new Seed(5), 900);
            assertTrue(Ends.push(ends.oneBuffers, ends.connector, data));
            assertTrue(Ends.push(ends.twoBuffers, ends.accepted[0], data));
            ends.runUntil(() -> ends.first.data.size() == 1 && ends.second.data.size() == 1);
            assertArrayEquals(data, ends.first.data.getFirst());
            assertArrayEquals(data, ends.second.data.getFirst());
        }
    }

    @Test
    void poolsMayBePagedMemory() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                Ends ends = new Ends(
                        Kind.UDP,
                        OPTIONS,
                        OPTIONS.withPools(64 << 20, new PoolShape(512, 4096), new PoolShape(32, 70_000))
                                .withPageable(hypervisor))) {
            exchange(ends, 1000);
        }
    }
}
