package org.verbena.bench.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;

/**
 * Bytes of heap that are kept for a page: heap in use by a hypervisor all of whose frames are in use and whose memory has been
 * in the store, and by one of twice its size. The part that does not depend on the size is not counted.
 */
final class Metadata {
    /** Managed memory over machine memory. */
    static final int[] TIMES = {1, 2, 8};

    private static final long SMALL_BYTES = 128L << 20;
    private static final int TRIES = 3;

    private Metadata() {}

    static String key(Hypervisor.Policy policy, int overcommit) {
        return "metadata " + policy + " " + overcommit + "x B per page";
    }

    public static void main(String... arguments) {
        heap(Hypervisor.Policy.CLOCK, SMALL_BYTES, 1); // classes are loaded by the first
        for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
            for (int times : TIMES) {
                long[] more = new long[TRIES];
                Arrays.setAll(more, _ -> heap(policy, 2 * SMALL_BYTES, times) - heap(policy, SMALL_BYTES, times));
                Numbers.print(key(policy, times), Sample.of(more).median() * PageStore.PAGE / (SMALL_BYTES * times));
            }
        }
    }

    /** Heap that a hypervisor and its memory take. */
    private static long heap(Hypervisor.Policy policy, long machineBytes, int times) {
        long before = heap();
        try (Hypervisor hypervisor = Stores.hypervisor(machineBytes, Stores.cached(), policy);
                ManagedMemory memory = hypervisor.host().allocate(times * machineBytes)) {
            fill(memory);
            return heap() - before;
        }
    }

    private static void fill(ManagedMemory memory) {
        int step = 1 << 20;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment piece = arena.allocate(step);
            for (long offset = 0; offset < memory.length(); offset += step) {
                piece.fill((byte) (offset >>> 20));
                memory.write(offset, piece);
            }
        }
    }

    private static long heap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
            Stores.pause(20);
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
