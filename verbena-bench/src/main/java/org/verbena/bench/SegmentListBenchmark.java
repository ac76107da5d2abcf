package org.verbena.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
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
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.adapter.pair.SegmentList;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.LocalSegments;
import org.verbena.time.Seed;

/**
 * The cost of judging all segments of a request before its first byte moves: a copy of the first bytes against the same copy of
 * later bytes, which judges nothing but the bytes it moves.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SegmentListBenchmark {
    private static final int COPY = 64;
    private static final int SEGMENT = 4096;

    private final ProtectionTable table = new ProtectionTable(1 << 10, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor reader = Accessor.local(domain, 2, Right.LOCAL_READ);
    private final Accessor writer = Accessor.local(domain, 2, Right.LOCAL_WRITE);
    private final MemorySegment packet = Arena.ofAuto().allocate(4096, 64);
    private final Region region =
            table.register(domain, Arena.ofAuto().allocate(1 << 20, 4096), EnumSet.allOf(Right.class));
    private final MemorySegment ring = Arena.ofAuto().allocate(1024, 8);
    private final SegmentList list = SegmentList.within((int) ring.byteSize());

    /** Segments of the request. */
    @Param({"1", "2", "8"})
    public int segments;

    /** Fills the ring. */
    @Setup
    public void load() {
        for (int i = 0; i < segments; i++) {
            LocalSegments.write(
                    ring, (long) i * LocalSegments.LENGTH, region.address() + i * 8192L, SEGMENT, region.key());
        }
        list.load(ring, 0, segments);
    }

    /** The first bytes of a message of several packets. */
    @Benchmark
    public Verdict gatherFirst() {
        return list.gather(table, reader, 0, packet, 0, COPY);
    }

    @Benchmark
    public Verdict gatherLater() {
        return list.gather(table, reader, COPY, packet, 0, COPY);
    }

    /** The first bytes of a message into a receive. */
    @Benchmark
    public Verdict placeFirst() {
        return list.place(table, writer, 0, packet, 0, COPY);
    }

    @Benchmark
    public Verdict placeLater() {
        return list.place(table, writer, COPY, packet, 0, COPY);
    }
}
