package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;

/**
 * Random histories of service connections in virtual time. A {@link Ledger} of the packets on the wire checks that each element has one owner. Data carry
 * their number, so that each end knows what it must get.
 */
final class PoolHistoriesTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int STANDS = 25;
    private static final int HISTORIES = 20;
    private static final int HEADER = 4;

    private static final List<ServiceOptions> KINDS = List.of(
            ServiceOptions.DEFAULT,
            ServiceOptions.DEFAULT.withModel(TransferModel.PUSH_PULL),
            ServiceOptions.DEFAULT.withModel(TransferModel.PULL_PULL),
            ServiceOptions.DEFAULT.withDataChannel(DataChannel.RDMA, ChannelAttributes.UNACKNOWLEDGED),
            ServiceOptions.DEFAULT.withDataChannel(DataChannel.SEND, ChannelAttributes.RELIABLE),
            ServiceOptions.DEFAULT.withDataChannel(DataChannel.NONE, ChannelAttributes.RELIABLE));

    /** One end: what it has sent and must get. */
    private static final class End implements ServiceHandler {
        final Stand.Node node;
        final boolean lossy;
        final List<byte[]> accepted = new ArrayList<>();
        int received;
        int missed;
        boolean open;

        @Nullable
        ServiceConnection connection;

        @Nullable
        End peer;

        @Nullable
        String closed;

        @Nullable
        String fault;

        End(Stand.Node node, boolean lossy) {
            this.node = node;
            this.lossy = lossy;
        }

        @Override
        public void onOpen() {
            open = true;
        }

        @Override
        public void onData(MemorySegment memory, long offset, int length) {
            byte[] data = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            List<byte[]> expected = peer == null ? List.of() : peer.accepted;
            if (closed != null || !open) {
                fault = "data before the beginning or after the end";
            }
            while (lossy
                    && received + missed < expected.size()
                    && !Arrays.equals(data, expected.get(received + missed))) {
                missed++;
            }
            int at = received + missed;
            if (at >= expected.size()) {
                fault = "more data than were sent";
            } else if (!Arrays.equals(data, expected.get(at))) {
                fault = "datum " + at + " is another one";
            }
            received++;
        }

        @Override
        public int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
            return 0;
        }

        @Override
        public void onReply(long context, int status, MemorySegment reply, long offset, int length) {}

        @Override
        public void onClosed(String reason) {
            closed = reason;
        }

        void push(Seed seed) {
            ServiceConnection to = connection;
            if (to == null || !to.isOpen()) {
                return;
            }
            int most = Math.max(HEADER, to.dataBytesMax());
            int length =
                    HEADER + seed.nextInt(seed.nextInt(4) == 0 ? most - HEADER + 1 : Math.min(200, most - HEADER) + 1);
            int slot = node.buffers.take(length);
            if (slot < 0) {
                return;
            }
            byte[] data = ServiceConnectionTest.random(seed, length);
            MemorySegment.ofArray(data).set(ValueLayout.JAVA_INT_UNALIGNED, 0, accepted.size());
            MemorySegment.copy(
                    MemorySegment.ofArray(data), 0, node.buffers.memory(), node.buffers.offset(slot), length);
            long dropped = to.counters().value(ServiceCounter.DROPPED_NOT_INDICABLE);
            accepted.add(data); // before the push: it may be delivered within
            boolean taken = to.push(slot, length);
            if (!taken || to.counters().value(ServiceCounter.DROPPED_NOT_INDICABLE) > dropped) {
                accepted.removeLast();
            }
            node.buffers.release(slot);
        }

        long late() {
            ServiceConnection of = connection;
            return of == null ? 0 : of.counters().value(ServiceCounter.LATE);
        }

        long sent() {
            ServiceConnection of = connection;
            return of == null ? 0 : of.counters().value(ServiceCounter.DATA_SENT);
        }
    }

    private static ServiceOptions options(ServiceOptions kind, Seed seed) {
        int small = 1 + seed.nextInt(12);
        int large = 1 + seed.nextInt(4);
        PoolShape one = new PoolShape(small, 64 + seed.nextInt(900));
        PoolShape two = new PoolShape(large, 1000 + seed.nextInt(9000));
        long most = one.bytes() + two.bytes() + (seed.nextBoolean() ? 0 : seed.nextInt(200_000));
        return kind.withPools(most, one, two)
                .withQueue(seed.nextInt(4) == 0 ? 0 : seed.nextInt(60), 1 + seed.nextInt(80))
                .withMessageBytesMax(256 + seed.nextInt(8000))
                .withLimits(Duration.ofSeconds(3), Duration.ofSeconds(50));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void eachElementHasOneOwnerAndNoneIsLost(int kind) {
        long base = Long.getLong("verbena.seed", 20_000);
        for (long value = base; value < base + STANDS; value++) {
            long seed = value;
            try {
                stand(KINDS.get(kind), new Seed(seed * 10 + kind));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("kind " + kind + ", -Dverbena.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
    }

    private static void stand(ServiceOptions kind, Seed seed) {
        Ledger ledger = new Ledger();
        boolean lossy = !kind.data().acknowledged(); // there the network must not double packets
        LinkFaults faults = switch (seed.nextInt(lossy ? 2 : 3)) {
            case 0 -> lossy ? LinkFaults.loss(0.03) : LinkFaults.NONE;
            case 1 -> lossy ? LinkFaults.NONE : new LinkFaults(0.01, 0.01, 0.02, 0);
            default -> new LinkFaults(0.02, 0.02, 0.05, 0.01);
        };
        try (Stand stand = new Stand()) {
            Stand.Node one =
                    stand.node(link -> ledger.new Tap(new LossyLink(link, seed.fork("one"), faults, faults), 0), 2);
            Stand.Node two =
                    stand.node(link -> ledger.new Tap(new LossyLink(link, seed.fork("two"), faults, faults), 1), 2);
            for (int i = 0; i < HISTORIES; i++) {
                ledger.clear();
                history(stand, one, two, kind, seed, 700 + i, ledger);
                assertTrue(ledger.faults.isEmpty(), () -> ledger.faults.toString());
            }
        }
    }

    private static void history(
            Stand stand, Stand.Node one, Stand.Node two, ServiceOptions kind, Seed seed, int port, Ledger ledger) {
        boolean lossy = !kind.data().acknowledged();
        End first = new End(one, lossy);
        End second = new End(two, lossy);
        first.peer = second;
        second.peer = first;
        var at = two.layer.listen(two.at(port), options(kind, seed), made -> {
            ledger.clear(); // a request that was repeated may make a second connection
            second.connection = made;
            return second;
        });
        ServiceConnection connection = one.layer.connect(at, 0, options(kind, seed), first);
        first.connection = connection;
        int steps = seed.nextInt(60);
        if (seed.nextInt(8) != 0) {
            assertTrue(stand.runUntil(() -> first.open && second.open, LONG), () -> "open: " + describe(first, second));
        }
        for (int i = 0; i < steps && first.fault == null && second.fault == null; i++) {
            step(stand, first, second, seed);
        }
        boolean quiet = seed.nextInt(3) > 0;
        if (quiet) {
            stand.runUntil(() -> first.open && second.open, LONG);
            stand.run(Duration.ofMillis(2500));
            assertQuiet(first, second, ledger, lossy, kind.dataChannel());
        }
        End closing = end(stand, first, second, seed, kind);
        stand.runUntil(() -> first.closed != null && (second.connection == null || second.closed != null), LONG);
        stand.run(Duration.ofSeconds(seed.nextInt(2) * 12L)); // what was left of a half-made connection ends
        assertEnd(stand, first, second, lossy ? null : closing, kind.dataChannel());
    }

    private static void step(Stand stand, End first, End second, Seed seed) {
        End either = seed.nextBoolean() ? first : second;
        switch (seed.nextInt(20)) {
            case 0 -> {
                either.node.frozen = true;
                stand.run(Duration.ofMillis(1 + seed.nextInt(300)));
                either.node.frozen = false;
            }
            case 1 -> stand.run(Duration.ofMillis(1 + seed.nextInt(300)));
            case 2 -> {
                if (seed.nextInt(4) == 0) {
                    stand.run(Duration.ofSeconds(12)); // extra pools go
                }
            }
            case 3, 4, 5 -> stand.run(Duration.ofNanos(seed.nextInt(20_000)));
            case 6, 7 -> stand.run(Duration.ofNanos(seed.nextInt(2_000_000)));
            case 8 -> {
                for (int i = seed.nextInt(80); i > 0; i--) {
                    first.push(seed);
                    second.push(seed);
                }
            }
            default -> {
                for (int i = seed.nextInt(9); i >= 0; i--) {
                    either.push(seed);
                }
            }
        }
    }

    /** Nothing is on its way: all data are there, and all elements are with the senders. */
    private static void assertQuiet(End first, End second, Ledger ledger, boolean lossy, DataChannel use) {
        if (first.closed != null || second.closed != null) {
            throw new AssertionError("ended: " + first.closed + "; " + second.closed);
        }
        if (!lossy) {
            assertEquals(first.accepted.size(), second.received, () -> "data there; " + describe(first, second));
            assertEquals(second.accepted.size(), first.received, () -> "data back; " + describe(first, second));
            if (use == DataChannel.RDMA) {
                assertEquals("", ledger.consumed(), "elements that no end returns");
            }
        }
        assertEquals(first.node.buffers.count(), first.node.buffers.freeCount(), () -> describe(first, second));
        assertEquals(second.node.buffers.count(), second.node.buffers.freeCount(), () -> describe(first, second));
        for (End end : List.of(first, second)) {
            ServiceConnection connection = end.connection;
            if (connection != null) {
                assertEquals(
                        0,
                        connection.counters().refused(),
                        () -> connection.counters().toString()
                                + connection.counters().lastRefusal());
            }
        }
    }

    private static String describe(End first, End second) {
        return text(first) + "; " + text(second);
    }

    private static String text(End end) {
        ServiceConnection connection = end.connection;
        return connection == null
                ? "no connection"
                : connection + " " + connection.counters() + " queued " + connection.queued() + " " + end.closed + " "
                        + end.fault;
    }

    /** Ends the connection in one of many ways; the end that closed it first, if in order. */
    private static @Nullable End end(Stand stand, End first, End second, Seed seed, ServiceOptions kind) {
        ServiceConnection connector = first.connection;
        ServiceConnection acceptor = second.open ? second.connection : null;
        assertTrue(connector != null, "made");
        boolean open = connector.isOpen() && acceptor != null && acceptor.isOpen();
        switch (seed.nextInt(8)) {
            case 0 -> connector.abort("abort");
            case 1 -> {
                if (acceptor != null) {
                    acceptor.abort("abort");
                } else {
                    connector.close("closed");
                }
            }
            case 2 -> {
                connector.close("closed");
                stand.run(Duration.ofNanos(seed.nextInt(40_000)));
                connector.abort("abort");
            }
            case 3 -> {
                connector.close("closed");
                stand.run(Duration.ofNanos(seed.nextInt(40_000)));
                if (acceptor != null) {
                    acceptor.close("closed");
                }
                return open && kind.dataChannel() == DataChannel.RDMA ? first : null;
            }
            case 4, 5 -> {
                if (acceptor != null) {
                    acceptor.close("closed");
                    return open ? second : null;
                }
                connector.abort("abort");
            }
            default -> {
                connector.close("closed");
                return open ? first : null;
            }
        }
        return null;
    }

    private static void assertEnd(Stand stand, End first, End second, @Nullable End closing, DataChannel use) {
        for (End end : List.of(first, second)) {
            ServiceConnection connection = end.connection;
            assertEquals(null, end.fault);
            if (connection == null) {
                continue;
            }
            assertTrue(end.closed != null, () -> "no end: " + describe(first, second));
            assertEquals(0, connection.domain().entries(), "left in the domain");
            assertEquals(
                    0,
                    connection.counters().refused(),
                    () -> "" + connection.counters().lastRefusal());
            assertEquals(end.node.buffers.count(), end.node.buffers.freeCount(), "buffers");
        }
        if (closing != null) {
            End other = closing == first ? second : first;
            // An end that closes and reads its data reads no more.
            long late = "closed".equals(other.closed) ? other.late() : 0;
            assertEquals(
                    closing.sent(),
                    other.received + late,
                    () -> "data of the end that closes; " + describe(first, second));
            if (use == DataChannel.RDMA) {
                assertEquals(
                        other.sent(),
                        closing.received + closing.late(),
                        () -> "data of the other end; " + describe(first, second));
            }
        }
        assertTrue(
                stand.runUntil(
                        () -> stand.nodes.stream()
                                .allMatch(node ->
                                        node.adapter.queuePairCount() == 0 && node.layer.connectionCount() == 0),
                        LONG),
                () -> "queue pairs left: " + stand.nodes.get(0).adapter.queuePairCount() + ", "
                        + stand.nodes.get(1).adapter.queuePairCount() + "; " + describe(first, second));
    }
}
