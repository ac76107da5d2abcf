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
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;

/**
 * The cost of the checks of the protection table, alone and with the copy they guard. Foreign memory is contiguous, managed
 * memory is translated page by page; the difference is the cost of translation.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ProtectionTableBenchmark {
    private static final int REGION_BYTES = 1 << 20;

    private final ProtectionTable table = new ProtectionTable(1 << 10, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 2, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.remote(domain, 2, Right.REMOTE_READ);
    private final MemorySegment packet = Arena.ofAuto().allocate(4096, 64);
    private final Region foreign =
            table.register(domain, Arena.ofAuto().allocate(REGION_BYTES, 4096), EnumSet.allOf(Right.class));
    private final Region managed = table.register(
            domain, new MachineMemory(2 * REGION_BYTES).allocate(REGION_BYTES), 0, EnumSet.allOf(Right.class));
    private int step;

    /** Bytes of one access. */
    @Param({"8", "4096"})
    public int length;

    /** Judges only. */
    @Benchmark
    public Verdict judge() {
        return table.judge(writer, foreign.key(), address(foreign), length);
    }

    @Benchmark
    public Verdict placeForeign() {
        return table.place(writer, foreign.key(), address(foreign), packet, 0, length);
    }

    @Benchmark
    public Verdict gatherForeign() {
        return table.gather(reader, foreign.key(), address(foreign), packet, 0, length);
    }

    @Benchmark
    public Verdict placeManaged() {
        return table.place(writer, managed.key(), address(managed), packet, 0, length);
    }

    @Benchmark
    public Verdict gatherManaged() {
        return table.gather(reader, managed.key(), address(managed), packet, 0, length);
    }

    /** The next address, never at the start of a page: 4096 bytes always cross into the next page. */
    private long address(Region region) {
        step = (step + 1) & 63;
        return region.address() + 64 + step * 4096L;
    }
}
