package org.verbena.bench.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.verbena.memory.Hypervisor;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.store.PageStore;

/**
 * Bytes of heap that are kept for a page: heap in use with and without a hypervisor all of whose frames are in use and whose
 * memory has been in the store.
 */
final class Metadata {
    /** Managed memory over machine memory. */
    static final int[] TIMES = {1, 2, 8};

    private static final long MACHINE_BYTES = 256L << 20;

    private Metadata() {}

    static String key(Hypervisor.Policy policy, int overcommit) {
        return "metadata " + policy + " " + overcommit + "x B per page";
    }

    public static void main(String... arguments) {
        measure(Hypervisor.Policy.CLOCK, 1); // classes are loaded by the first
        for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
            for (int overcommit : TIMES) {
                Numbers.print(key(policy, overcommit), measure(policy, overcommit));
            }
        }
    }

    private static double measure(Hypervisor.Policy policy, int overcommit) {
        long before = heap();
        PageStore store = Stores.cached();
        try (Hypervisor hypervisor = Stores.hypervisor(MACHINE_BYTES, store, policy);
                ManagedMemory memory = hypervisor.host().allocate(overcommit * MACHINE_BYTES)) {
            fill(memory);
            // What the observer of the store itself needs is not the hypervisor's.
            long used = heap() - before - ObservedPageStore.OWN_BYTES;
            long pages = memory.length() / PageStore.PAGE;
            return (double) used / pages;
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
