package org.verbena.services.lan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.link.frame.FrameCable;
import org.verbena.link.frame.FramePort;
import org.verbena.trace.MetricRegistry;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AdapterOptions.Run;

/** A unit and a host with threads of their own, over UDP. */
final class LanThreadsTest {
    private static final long A = 0x0200_0000_000aL;
    private static final long STATION = 0x0011_2233_4455L;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ROUND_TRIPS = 200;

    @ParameterizedTest
    @EnumSource(
            value = Run.class,
            names = {"SHARED", "THREAD", "INLINE"})
    void framesGoBothWaysAndCloseEndsEverything(Run run)
            throws ExecutionException, InterruptedException, TimeoutException {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        MetricRegistry metrics = new MetricRegistry();
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(run).withMetrics(metrics);
        try (Arena arena = Arena.ofConfined();
                FrameCable lan = FrameCable.open();
                FrameCable os = FrameCable.open();
                Adapter unitAdapter = Adapter.open(here, options);
                Adapter hostAdapter = Adapter.open(here, options)) {
            UnitDriver unit = UnitDriver.open(
                    unitAdapter, lan.left(), UnitOptions.at(here).withMetrics(metrics));
            HostDriver host = HostDriver.open(
                    hostAdapter,
                    os.left(),
                    unit.address(),
                    unitAdapter.endpoint().port(),
                    HostOptions.DEFAULT.withAddress(new MacAddress(A)));
            unit.start();
            host.start();
            await(() -> os.right().isUp(), () -> host.state() + ": " + host.failure());
            MemorySegment memory = arena.allocate(70_000);
            for (int i = 0; i < ROUND_TRIPS; i++) {
                send(os.right(), memory, LanStand.frame(STATION, A, i, 100));
                assertEquals(i, LanStand.number(receive(lan.right(), memory)));
                send(lan.right(), memory, LanStand.frame(A, STATION, i, 1000));
                assertEquals(i, LanStand.number(receive(os.right(), memory)));
            }
            assertEquals(
                    ROUND_TRIPS,
                    host.statistics().get(LIMIT.toSeconds(), TimeUnit.SECONDS).get("tx_packets"));
            host.close();
            assertEquals(HostState.CLOSED, host.state());
            assertEquals(0, hostAdapter.queuePairCount());
            await(() -> unit.hostCount() == 0, () -> "the unit has " + unit.hostCount() + " hosts");
            unit.close();
            await(() -> unitAdapter.queuePairCount() == 0, () -> unitAdapter.queuePairCount() + " queue pairs");
        }
    }

    private static void send(FramePort port, MemorySegment memory, byte[] frame) {
        MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
        assertTrue(port.send(memory, 0, frame.length));
    }

    private static byte[] receive(FramePort port, MemorySegment memory) {
        int[] length = {0};
        await(() -> (length[0] = port.receive(memory, 0, 70_000)) != 0, () -> "no frame at " + port.name());
        return memory.asSlice(0, length[0]).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void await(BooleanSupplier condition, Supplier<String> failure) {
        long endNs = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > endNs) {
                throw new AssertionError(failure.get());
            }
            Thread.onSpinWait();
        }
    }
}
