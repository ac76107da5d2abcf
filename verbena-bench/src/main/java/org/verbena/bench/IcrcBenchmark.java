package org.verbena.bench;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.verbena.link.Endpoint;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Icrc;

/** The cost of the invariant CRC of one packet. It is computed twice for every packet, once at each end. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class IcrcBenchmark {
    private final Endpoint source = Endpoint.of("127.0.0.1", 4791);
    private final Endpoint target = Endpoint.of("127.0.0.2", 4791);
    private final Icrc icrc = new Icrc();
    private ByteBuffer packet = ByteBuffer.allocateDirect(0);

    /** Bytes behind the BTH. */
    @Param({"8", "64", "1024", "4096"})
    public int payload;

    @Setup
    public void fill() {
        packet = ByteBuffer.allocateDirect(Bth.LENGTH + payload);
        for (int i = 0; i < packet.capacity(); i++) {
            packet.put(i, (byte) (i * 31));
        }
    }

    /** The CRC of a packet over IPv4. */
    @Benchmark
    public int compute() {
        return icrc.compute(
                packet,
                0,
                packet.capacity(),
                source.high(),
                source.low(),
                target.high(),
                target.low(),
                source.port(),
                target.port(),
                0);
    }
}
