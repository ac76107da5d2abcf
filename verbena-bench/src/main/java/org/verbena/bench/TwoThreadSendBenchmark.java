package org.verbena.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.verbs.AdapterOptions;

/**
 * Sends of 64 bytes between two adapters in one process, each driven by a thread of its own that polls without pause.
 * Each thread needs a core. In each pair of figures that of the initiator counts.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TwoThreadSendBenchmark {
    private static final int MESSAGE_BYTES = 64;
    private static final int CAPACITY = 256;
    private static final int UNDER_WAY = 64;

    private final InProcessNetwork network = new InProcessNetwork();
    private final End near = new End(network.open(), AdapterOptions.Run.INLINE, MESSAGE_BYTES, CAPACITY);
    private final End far = new End(network.open(), AdapterOptions.Run.INLINE, MESSAGE_BYTES, CAPACITY);
    /** Messages of the initiator that are not done; some are left when an iteration ends. */
    private int underWay;

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
    @Group("halfRoundTrip")
    @GroupThreads
    @OperationsPerInvocation(2)
    public void initiator(Control control) {
        if (underWay == 0) {
            near.postSend();
            underWay = 1;
        }
        while (underWay > 0 && !control.stopMeasurement) {
            near.poll();
            if (near.takeReceives() > 0) {
                near.postReceive();
                underWay = 0;
            }
        }
    }

    @Benchmark
    @Group("halfRoundTrip")
    @GroupThreads
    public void echo() {
        far.poll();
        for (int received = far.takeReceives(); received > 0; received--) {
            far.postReceive();
            far.postSend();
        }
    }

    /** Sends one message as soon as one under way is done: the figure is the time of one message. */
    @Benchmark
    @Group("stream")
    @GroupThreads
    public void source(Control control) {
        while (underWay >= UNDER_WAY) {
            if (control.stopMeasurement) {
                return;
            }
            near.poll();
            underWay -= near.takeSends();
        }
        near.postSend();
        underWay++;
    }

    @Benchmark
    @Group("stream")
    @GroupThreads
    public void sink() {
        far.poll();
        for (int received = far.takeReceives(); received > 0; received--) {
            far.postReceive();
        }
    }

    @TearDown
    public void close() {
        near.close();
        far.close();
    }
}
