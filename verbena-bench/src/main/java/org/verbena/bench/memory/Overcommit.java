package org.verbena.bench.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/**
 * The share of accesses that find their page resident, with more memory than machine memory: the hypervisor itself, with a store
 * in virtual time, on traces for which the best possible share is known. The result is deterministic. Arguments: accesses of a
 * trace.
 */
final class Overcommit {
    static final double[] TIMES = {1, 1.25, 1.5, 2, 4, 8};

    private static final int FRAMES = 1024;
    private static final long SEED = 7;

    private Overcommit() {}

    static String key(Trace trace, double times, String who) {
        return "overcommit " + trace.label() + " " + times + "x " + who;
    }

    public static void main(String... arguments) {
        int accesses = Integer.parseInt(arguments[0]);
        for (Trace kind : Trace.values()) {
            for (double times : TIMES) {
                int pages = (int) (FRAMES * times);
                int[] trace = kind.draw(pages, accesses, new Seed(SEED));
                int from = accesses / 4;
                double counted = accesses - from;
                int[] filled = afterFilling(trace, pages);
                for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
                    Numbers.print(key(kind, times, policy.name()), 100 * hits(policy, trace, pages, from) / counted);
                }
                Numbers.print(
                        key(kind, times, "LRU"), 100 * Bound.leastRecentlyUsed(filled, FRAMES, pages + from) / counted);
                Numbers.print(key(kind, times, "bound"), 100 * Bound.belady(filled, FRAMES, pages + from) / counted);
            }
        }
    }

    /** The trace after one access to every page, so that all policies begin alike. */
    private static int[] afterFilling(int[] trace, int pages) {
        int[] filled = new int[pages + trace.length];
        Arrays.setAll(filled, i -> i < pages ? i : trace[i - pages]);
        return filled;
    }

    /** Writes every page first, so that a page that is not resident must be read. */
    static double hits(Hypervisor.Policy policy, int[] trace, int pages, int from) {
        var store = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(SEED));
        try (Hypervisor hypervisor = Stores.hypervisor((long) FRAMES * PageStore.PAGE, store, policy);
                ManagedMemory memory = hypervisor.host().allocate((long) pages * PageStore.PAGE);
                Arena arena = Arena.ofConfined()) {
            MemorySegment word = arena.allocate(8);
            for (int page = 0; page < pages; page++) {
                memory.write((long) page * PageStore.PAGE, word);
            }
            long misses = 0;
            for (int i = 0; i < trace.length; i++) {
                if (i == from) {
                    misses = faults(hypervisor);
                }
                memory.read((long) trace[i] * PageStore.PAGE, word);
            }
            return trace.length - from - (double) (faults(hypervisor) - misses);
        }
    }

    private static long faults(Hypervisor hypervisor) {
        return hypervisor.counters().value(PagingCounter.FAULTS);
    }
}
