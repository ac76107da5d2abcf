package org.verbena.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completions;
import org.verbena.verbs.WorkRequest;

/**
 * The cost of a request for its consumer: one post and one poll. The engines are run by hand between two invocations, outside
 * the measured time. An invocation posts many writes and polls, one by one, the completions of the writes of the last one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PostPollBenchmark {
    private static final int REQUESTS = 256;

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork();
    private final End near = new End(network.open(), AdapterOptions.Run.MANUAL, 64, REQUESTS);
    private final End far = new End(network.open(), AdapterOptions.Run.MANUAL, 64, REQUESTS);
    private final Completions one = new Completions(1);
    private final WorkRequest.Write write = new WorkRequest.Write(1, near.segment(64), far.memory());
    private boolean posted;

    @Setup
    public void connect() {
        End.connect(near, far);
    }

    /** The work of the engines, not measured. Every request posted is done afterwards. */
    @Setup(Level.Invocation)
    public void runEngines() {
        for (int idle = 0; idle < 2; ) {
            clock.advance(1000);
            int done = near.adapter.work(clock.nowNs()) + far.adapter.work(clock.nowNs());
            idle = done == 0 ? idle + 1 : 0;
        }
    }

    /** One post and one poll. */
    @Benchmark
    @OperationsPerInvocation(REQUESTS)
    public void postAndPoll(Blackhole hole) {
        for (int i = 0; i < REQUESTS; i++) {
            if (near.completionQueue.poll(one) == 0 && posted) {
                throw new IllegalStateException("completion " + i + " of " + REQUESTS + " is missing");
            }
            hole.consume(one.size());
            near.queuePair.post(write);
        }
        posted = true;
    }

    @TearDown
    public void close() {
        near.close();
        far.close();
    }
}
