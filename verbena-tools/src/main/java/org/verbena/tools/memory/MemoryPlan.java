package org.verbena.tools.memory;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.store.StoreOptions;
import org.verbena.tools.perf.Extent;

/**
 * The plan of a run: amounts of memory, and the load.
 *
 * @param memory bytes of machine memory
 * @param overcommit registered memory for each byte of it
 * @param store a directory or new file for the page store; null: among the system's temporary files
 * @param policy how frames are chosen to lose their pages
 * @param pattern which cell comes next
 * @param operation of the load
 * @param size bytes of a message
 * @param queuePairs connections between the two adapters
 * @param depth messages under way on each
 * @param guests domains that share the target's memory; 0: it is the host's
 * @param extent how long the load lasts
 */
public record MemoryPlan(
        long memory,
        double overcommit,
        @Nullable Path store,
        Hypervisor.Policy policy,
        AccessPattern pattern,
        MemoryOperation operation,
        int size,
        int queuePairs,
        int depth,
        int guests,
        Extent extent) {
    private static final long PAGE = MachineMemory.FRAME;
    private static final int DEPTH = 8;
    /** A message of this many bytes has partial pages at both ends of most cells, so writes need page-ins too. */
    private static final int SIZE = 10_000;

    /** A zipf mix for five seconds, four times the memory. */
    public static MemoryPlan of(long memory) {
        return new MemoryPlan(
                memory,
                4,
                null,
                Hypervisor.Policy.S3_FIFO,
                AccessPattern.ZIPF,
                MemoryOperation.MIX,
                SIZE,
                4,
                DEPTH,
                0,
                Extent.ofSeconds(5));
    }

    public MemoryPlan withExtent(Extent other) {
        return new MemoryPlan(
                memory, overcommit, store, policy, pattern, operation, size, queuePairs, depth, guests, other);
    }

    /** Bytes registered at both ends together, in whole pages. */
    public long registered() {
        return (long) (memory * overcommit) / PAGE * PAGE;
    }

    /** Of these, the buffers of the initiator. */
    long buffers() {
        return Math.max(registered() / 8 / PAGE * PAGE, 2L * underWay() * Buffers.slot(size));
    }

    int underWay() {
        return queuePairs * depth;
    }

    HypervisorOptions hypervisor() {
        HypervisorOptions options = HypervisorOptions.of(memory).withPolicy(policy);
        return store == null ? options : options.withStore(StoreOptions.at(store));
    }
}
