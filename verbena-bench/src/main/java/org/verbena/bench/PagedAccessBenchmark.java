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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/**
 * Copies of a packet into and out of pageable memory, and into and out of contiguous memory of the consumer. The difference
 * is the cost of translation, pin and unpin. One more benchmark measures a whole page fault without the disk.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PagedAccessBenchmark {
    private static final int MACHINE_BYTES = 4 << 20;
    private static final int REGION_BYTES = 1 << 20;
    private static final long SMALL_BYTES = HypervisorOptions.MEMORY_MIN;
    private static final int PAGE = 4096;

    private final ProtectionTable table = new ProtectionTable(1 << 10, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 2, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.remote(domain, 2, Right.REMOTE_READ);
    private final MemorySegment packet = Arena.ofAuto().allocate(PAGE, 64);
    private final Region foreign =
            table.register(domain, Arena.ofAuto().allocate(REGION_BYTES, PAGE), EnumSet.allOf(Right.class));
    private final Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(MACHINE_BYTES)
            .withStore(new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1))));
    private final ManagedMemory memory = hypervisor.host().allocate(REGION_BYTES);
    private final Region paged = table.register(domain, memory, 0, EnumSet.allOf(Right.class));
    private final Hypervisor small = Hypervisor.open(HypervisorOptions.of(SMALL_BYTES)
            .withPolicy(Hypervisor.Policy.CLOCK)
            .withStore(new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1))));
    private final ManagedMemory large = small.host().allocate(2 * SMALL_BYTES);
    private int step;
    private long next;

    /** Bytes of one access. */
    @Param({"64", "4096"})
    public int length;

    @Setup
    public void touch() {
        memory.write(0, Arena.ofAuto().allocate(REGION_BYTES));
        large.write(0, Arena.ofAuto().allocate(2 * SMALL_BYTES).fill((byte) 1));
    }

    @Benchmark
    public Verdict placeForeign() {
        return table.place(writer, foreign.key(), address(foreign), packet, 0, length);
    }

    @Benchmark
    public Verdict placePaged() {
        return table.place(writer, paged.key(), address(paged), packet, 0, length);
    }

    @Benchmark
    public Verdict gatherForeign() {
        return table.gather(reader, foreign.key(), address(foreign), packet, 0, length);
    }

    @Benchmark
    public Verdict gatherPaged() {
        return table.gather(reader, paged.key(), address(paged), packet, 0, length);
    }

    /** Reads the next page of a scan of twice machine memory. The page is never resident: one page comes in, another goes out. */
    @Benchmark
    public void fault() {
        large.read(next, packet.asSlice(0, length));
        next = (next + PAGE) % large.length();
    }

    /** The start of the next page. */
    private long address(Region region) {
        step = (step + 1) & 255;
        return region.address() + (long) step * PAGE;
    }

    @TearDown
    public void close() {
        paged.close();
        memory.close();
        hypervisor.close();
        large.close();
        small.close();
    }
}
