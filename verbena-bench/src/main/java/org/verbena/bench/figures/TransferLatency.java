package org.verbena.bench.figures;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.services.push.MessagingLayer;
import org.verbena.services.push.PoolShape;
import org.verbena.services.push.SendBuffers;
import org.verbena.services.push.ServiceConnection;
import org.verbena.services.push.ServiceHandler;
import org.verbena.services.push.ServiceOptions;
import org.verbena.services.push.ServiceReply;
import org.verbena.services.push.TransferModel;
import org.verbena.time.NanoClock;
import org.verbena.verbs.AdapterOptions;

/**
 * Data that go to and fro between two messaging layers, each with a thread that never waits: a program that prints, for each size of {@link #SIZES}, the median and the 99th percentile
 * of half a round trip, in microseconds.
 *
 * <p>Arguments: {@code LINK MODEL SECONDS}, a {@link FabricLink.Kind} and a {@link TransferModel}. Each size is measured for so many seconds.
 */
final class TransferLatency {
    /** Bytes of the data. */
    static final int[] SIZES = {64, 1500};

    /** Until everything is compiled, beside two threads that never wait. */
    private static final double WARM_UP_SECONDS = 2;
    /** Before each further size. */
    private static final double SETTLE_SECONDS = 0.3;

    private static final long CONNECT_LIMIT_NS = 10_000_000_000L;
    private static final int SAMPLES_MAX = 1 << 22;
    private static final ServiceOptions OPTIONS = ServiceOptions.DEFAULT.withPools(1 << 20, new PoolShape(64, 2048));

    private TransferLatency() {}

    /** Prints four numbers. */
    public static void main(String... arguments) throws InterruptedException {
        FabricLink.Kind kind = FabricLink.Kind.valueOf(arguments[0]);
        TransferModel model = TransferModel.valueOf(arguments[1]);
        double seconds = Double.parseDouble(arguments[2]);
        try (Arena arena = Arena.ofShared();
                FabricLink link = FabricLink.open(kind, AdapterOptions.Run.INLINE)) {
            End far = new End(link, false, arena);
            InetSocketAddress at = far.layer.listen(link.listenAt(), OPTIONS, made -> {
                far.connection = made;
                return far;
            });
            End near = new End(link, true, arena);
            near.connection = near.layer.connect(at, link.farUdpPort(), OPTIONS.withModel(model), near);
            Thread echoing = Thread.ofPlatform().daemon().start(far::echo);
            System.out.println(measure(near, seconds));
            near.layer.close();
            far.ended = true;
            echoing.join();
            far.layer.close();
        }
    }

    private static StringJoiner measure(End near, double seconds) {
        StringJoiner line = new StringJoiner(" ");
        long limitNs = System.nanoTime() + CONNECT_LIMIT_NS;
        near.workUntil(() -> near.open || System.nanoTime() > limitNs);
        if (!near.open) {
            throw new MeasurementException("not connected: " + near.failure);
        }
        near.roundTrips(SIZES[0], WARM_UP_SECONDS);
        for (int size : SIZES) {
            near.roundTrips(size, SETTLE_SECONDS);
            int count = near.roundTrips(size, seconds);
            Arrays.sort(near.samples, 0, count);
            line.add(halfUs(near.samples[count / 2]));
            line.add(halfUs(near.samples[(int) (count * 0.99)]));
        }
        return line;
    }

    private static String halfUs(long ns) {
        return String.format(Locale.ROOT, "%.3f", ns / 2e3);
    }

    /** One end, used by one thread. */
    private static final class End implements ServiceHandler {
        private final NanoClock clock = NanoClock.system();
        private final SendBuffers buffers;
        private final MessagingLayer layer;
        private final boolean answers;
        private final long[] samples;
        private @Nullable ServiceConnection connection;
        private volatile boolean ended;
        private boolean open;
        private String failure = "";
        private long arrived;

        private End(FabricLink link, boolean near, Arena arena) {
            this.buffers = new SendBuffers(arena, new PoolShape(64, 2048));
            this.layer = new MessagingLayer(near ? link.near() : link.far(), clock, buffers, 2);
            this.answers = !near;
            this.samples = new long[near ? SAMPLES_MAX : 0];
        }

        private void echo() {
            workUntil(() -> ended);
        }

        private void workUntil(BooleanSupplier condition) {
            while (!condition.getAsBoolean()) {
                layer.work(clock.nowNs());
            }
        }

        /** Round trips for a time; the number of samples, each of one round trip in nanoseconds. */
        private int roundTrips(int size, double seconds) {
            int count = 0;
            long beginNs = System.nanoTime();
            long endNs = beginNs + (long) (seconds * 1e9);
            while (beginNs < endNs && count < samples.length) {
                long before = arrived;
                push(size);
                while (arrived == before) {
                    layer.work(clock.nowNs());
                    if (!open) {
                        throw new MeasurementException("the connection is over: " + failure);
                    }
                }
                long nowNs = System.nanoTime();
                samples[count++] = nowNs - beginNs;
                beginNs = nowNs;
            }
            return count;
        }

        private void push(int size) {
            int slot = buffers.take(size);
            ServiceConnection to = connection;
            if (slot < 0 || to == null || !to.push(slot, size)) {
                throw new MeasurementException("a datum was not taken");
            }
            buffers.release(slot);
        }

        @Override
        public void onOpen() {
            open = true;
        }

        @Override
        public void onData(MemorySegment memory, long offset, int length) {
            arrived++;
            if (answers) {
                push(length);
            }
        }

        @Override
        public int onRequest(int operation, MemorySegment request, long offset, int length, ServiceReply reply) {
            return 1;
        }

        @Override
        public void onReply(long context, int status, MemorySegment reply, long offset, int length) {
            // no request is sent
        }

        @Override
        public void onClosed(String reason) {
            open = false;
            failure = reason;
        }
    }
}
