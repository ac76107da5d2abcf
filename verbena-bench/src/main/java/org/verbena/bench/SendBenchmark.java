package org.verbena.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.verbs.AdapterOptions;

/** Sends of 64 bytes between two adapters in one process, both driven by the one thread that measures. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SendBenchmark {
    private static final int MESSAGE_BYTES = 64;
    private static final int CAPACITY = 256;
    private static final int MESSAGES = 64;

    private final InProcessNetwork network = new InProcessNetwork();
    private final End near = new End(network.open(), AdapterOptions.Run.INLINE, MESSAGE_BYTES, CAPACITY);
    private final End far = new End(network.open(), AdapterOptions.Run.INLINE, MESSAGE_BYTES, CAPACITY);

    @Setup
    public void connect() {
        End.connect(near, far);
        for (int i = 0; i < CAPACITY / 2; i++) {
            near.postReceive();
            far.postReceive();
        }
    }

    /** A round trip counts as two operations: the figure is half a round trip. */
    @Benchmark
    @OperationsPerInvocation(2)
    public void halfRoundTrip() {
        near.postSend();
        carry(far, near);
        far.postSend();
        carry(near, far);
    }

    private static void carry(End target, End source) {
        while (target.takeReceives() == 0) {
            source.poll();
            target.poll();
        }
        target.postReceive();
    }

    /** Many messages in one direction: the figure is the time of one message. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public void stream() {
        for (int i = 0; i < MESSAGES; i++) {
            near.postSend();
        }
        near.takeSends();
        for (int left = MESSAGES; left > 0; left -= near.takeSends()) {
            far.poll();
            for (int received = far.takeReceives(); received > 0; received--) {
                far.postReceive();
            }
            near.poll();
        }
    }

    @TearDown
    public void close() {
        near.close();
        far.close();
    }
}
