package org.verbena.services.push;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** A great many data one after the other, in the machine's time: their contents, and what they allocate. */
final class SteadyStateTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long LIMIT_NS = 120_000_000_000L;
    private static final int SIZE_MAX = 2048;
    private static final int DATA = 1_000_000;
    /** What a compilation or a class loaded late may cost in all, far below one byte a datum. */
    private static final long SLACK = 16_000;

    private static final int ROUND = 40_000;
    private static final int ATTEMPTS = 12;

    /** Bytes that data are cut from: those of a datum follow from its number. */
    private static final byte[] PATTERN = ServiceConnectionTest.random(new Seed(17), 3 * SIZE_MAX);

    /** Size and place in the pattern of one datum after the other. */
    private static final class Sequence {
        private final Seed seed = new Seed(23);
        private final int least;
        private final int most;
        int offset;
        int size;

        Sequence(int least, int most) {
            this.least = least;
            this.most = most;
            next();
        }

        void next() {
            size = least + seed.nextInt(most - least + 1);
            offset = seed.nextInt(2 * SIZE_MAX);
        }
    }

    /** Compares data with what must come. */
    private static final class Checker implements ServiceHandler {
        private static final MemorySegment EXPECTED = MemorySegment.ofArray(PATTERN);
        final Sequence expected;
        int received;
        int wrong;
        boolean open;

        @Nullable
        String closed;

        Checker(Sequence expected) {
            this.expected = expected;
        }

        @Override
        public void onOpen() {
            open = true;
        }

        @Override
        public void onData(MemorySegment memory, long offset, int length) {
            received++;
            if (length != expected.size
                    || MemorySegment.mismatch(
                                    memory,
                                    offset,
                                    offset + length,
                                    EXPECTED,
                                    expected.offset,
                                    expected.offset + length)
                            >= 0) {
                wrong++;
            }
            expected.next();
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
    }

    /** Two layers and one connection, driven by the test's thread. */
    private static final class Line implements AutoCloseable {
        final NanoClock clock = NanoClock.system();
        final Arena arena = Arena.ofShared();
        final Adapter one;
        final Adapter two;
        final SendBuffers buffers = new SendBuffers(arena, new PoolShape(512, SIZE_MAX));
        final SendBuffers others = new SendBuffers(arena, new PoolShape(8, SIZE_MAX));
        final MessagingLayer oneLayer;
        final MessagingLayer twoLayer;
        final Checker first;
        final Checker second;
        final Sequence sent;
        final ServiceConnection connection;

        @Nullable
        ServiceConnection accepted;

        Line(boolean udp, ServiceOptions options, int least, int most) {
            InProcessNetwork network = new InProcessNetwork();
            one = open(udp, network, "one");
            two = open(udp, network, "two");
            oneLayer = new MessagingLayer(one, clock, buffers, 1);
            twoLayer = new MessagingLayer(two, clock, others, 1);
            sent = new Sequence(least, most);
            first = new Checker(new Sequence(least, most));
            second = new Checker(new Sequence(least, most));
            InetSocketAddress at =
                    twoLayer.listen(new InetSocketAddress(two.endpoint().address(), 0), options, made -> {
                        accepted = made;
                        return second;
                    });
            connection = oneLayer.connect(at, udp ? two.endpoint().port() : 0, options, first);
            long endNs = clock.nowNs() + LIMIT_NS;
            while (!first.open || !second.open) {
                turn(endNs);
            }
        }

        private static Adapter open(boolean udp, InProcessNetwork network, String name) {
            AdapterOptions options = AdapterOptions.DEFAULT.withName(name).withRun(AdapterOptions.Run.INLINE);
            return udp
                    ? Adapter.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), options)
                    : Adapter.open(network.open(), options);
        }

        private void turn(long endNs) {
            long nowNs = clock.nowNs();
            oneLayer.work(nowNs);
            twoLayer.work(nowNs);
            if (nowNs > endNs || first.closed != null || second.closed != null) {
                throw new AssertionError("not reached: " + first.closed + ", " + second.closed + ", " + second.received
                        + " received, " + connection.counters());
            }
        }

        /** Sends data and waits until all have arrived. */
        void send(int count) {
            long endNs = clock.nowNs() + LIMIT_NS;
            int end = second.received + count;
            int left = count;
            while (second.received < end) {
                while (left > 0 && connection.queued() < 64 && connection.underWay() < 400 && push()) {
                    left--;
                }
                turn(endNs);
            }
        }

        private boolean push() {
            int slot = buffers.take(sent.size);
            if (slot < 0) {
                return false;
            }
            MemorySegment.copy(
                    PATTERN, sent.offset, buffers.memory(), ValueLayout.JAVA_BYTE, buffers.offset(slot), sent.size);
            boolean taken = connection.push(slot, sent.size);
            buffers.release(slot);
            if (taken) {
                sent.next();
            }
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

    @Test
    void aMillionDataOfRandomSizesArriveAsTheyWereSent() {
        try (Line line = new Line(false, ServiceOptions.DEFAULT, 1, SIZE_MAX)) {
            line.send(DATA);
            assertEquals(0, line.second.wrong);
            assertEquals(DATA, line.second.received);
            assertEquals(0, line.connection.counters().refused());
            assertEquals(DATA, line.connection.counters().value(ServiceCounter.DATA_SENT));
        }
    }

    @ParameterizedTest(name = "udp {0}, model {1}, elements {2}")
    @CsvSource({
        "false, PUSH_PUSH, 128",
        "true, PUSH_PUSH, 128",
        "false, PUSH_PUSH, 700", // most elements need a message
        "true, PUSH_PUSH, 700",
        "false, PUSH_PULL, 128",
        "false, PULL_PULL, 128",
        "true, PULL_PULL, 128",
        "false, PULL_PULL, 700"
    })
    void dataAllocateNothing(boolean udp, TransferModel model, int elements) {
        ServiceOptions options =
                ServiceOptions.DEFAULT.withModel(model).withPools(64 << 20, new PoolShape(elements, SIZE_MAX));
        // A connection of 700 elements has many receives: room in the completion queue for few sends.
        try (Line line = new Line(udp, elements > 256 ? options.withQueue(64, 64) : options, 1, 200)) {
            long best = Long.MAX_VALUE;
            for (int attempt = 0; attempt < ATTEMPTS && best >= SLACK; attempt++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                line.send(ROUND);
                best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            long allocated = best;
            assertEquals(0, line.second.wrong);
            if (elements > 256) {
                assertTrue(line.connection.counters().value(ServiceCounter.INDICATED_BY_MESSAGE) > 1000);
            }
            assertTrue(allocated < SLACK, () -> allocated + " bytes in " + ROUND + " data");
        }
    }
}
