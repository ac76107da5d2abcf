package org.verbena.bench;

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
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;

/** The cost of timers for a queue pair: moving one with each acknowledgement, firing one, looking when none is due. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TimerWheelBenchmark {
    private static final long TIMEOUT_NS = 67_108_864;

    private final TimerWheel wheel = new TimerWheel(0);
    private final WheelTimer timer = new WheelTimer(_ -> {});
    private long nowNs;

    /** Timers of other queue pairs, armed all the time. */
    @Param({"0", "1000"})
    public int others;

    @Setup
    public void arm() {
        for (int i = 0; i < others; i++) {
            wheel.schedule(new WheelTimer(_ -> {}), Long.MAX_VALUE / 2 + i * (long) TimerWheel.TICK_NS);
        }
    }

    /** An armed timer gets another deadline. */
    @Benchmark
    public void reschedule() {
        nowNs += 1000;
        wheel.schedule(timer, nowNs + TIMEOUT_NS);
    }

    /** A turn of an engine in which nothing is due. */
    @Benchmark
    public int expireNothing() {
        nowNs += 100;
        return wheel.expire(nowNs);
    }

    /** A timer is armed and fires. */
    @Benchmark
    public int fire() {
        wheel.schedule(timer, nowNs + TimerWheel.TICK_NS);
        nowNs += 2 * TimerWheel.TICK_NS;
        return wheel.expire(nowNs);
    }
}
