package org.verbena.bench.memory;

import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.time.Seed;
import org.verbena.trace.PagingCounter;
import org.verbena.verbs.WorkRequest;

/**
 * Reads of 4 KiB by several queue pairs from more memory than machine memory, over a real link from a real file, past the page cache.
 * Arguments: wire, seconds.
 */
final class OvercommitTraffic {
    static final double[] TIMES = {1, 1.5, 2, 4, 8};

    private static final int MACHINE_BYTES = 32 << 20;
    private static final int QUEUE_PAIRS = 16;
    private static final int ACCESSES = 1 << 16;

    private OvercommitTraffic() {}

    static String key(String wire, Trace trace, double times, Hypervisor.Policy policy, String what) {
        return "overcommitted " + wire + " " + trace.label() + " " + times + "x " + policy + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long ns = Long.parseLong(arguments[1]) * 1_000_000_000L;
        for (Trace trace : new Trace[] {Trace.ZIPF, Trace.UNIFORM}) {
            for (double times : TIMES) {
                for (Hypervisor.Policy policy : Hypervisor.Policy.values()) {
                    measure(wire, trace, times, policy, ns);
                }
            }
        }
    }

    private static void measure(Rig.Wire wire, Trace trace, double times, Hypervisor.Policy policy, long ns) {
        long bytes = (long) (MACHINE_BYTES * times);
        try (Hypervisor hypervisor = Stores.hypervisor(MACHINE_BYTES, Stores.onDisk(), policy);
                ManagedMemory memory = hypervisor.host().allocate(bytes);
                Rig rig = new Rig(wire, QUEUE_PAIRS, hypervisor);
                Region region = rig.register(memory)) {
            Stores.touch(memory);
            int[] pages = trace.draw((int) (bytes / PageStore.PAGE), ACCESSES, new Seed(1));
            long warm = read(rig, region, pages, 0, ns / 2);
            long faults = hypervisor.counters().value(PagingCounter.FAULTS);
            long begin = System.nanoTime();
            long done = read(rig, region, pages, warm, ns);
            double seconds = (System.nanoTime() - begin) / 1e9;
            long missed = hypervisor.counters().value(PagingCounter.FAULTS) - faults;
            Numbers.print(key(wire.label(), trace, times, policy, "reads/s"), done / seconds);
            Numbers.print(
                    key(wire.label(), trace, times, policy, "hits %"), 100 * (1 - Math.min(1, (double) missed / done)));
        }
    }

    /** Keeps one read under way at every queue pair; returns the number of reads done in that time. */
    private static long read(Rig rig, Region region, int[] pages, long first, long ns) {
        long next = first;
        long done = 0;
        for (int queuePair = 0; queuePair < QUEUE_PAIRS; queuePair++) {
            rig.post(queuePair, request(rig, region, queuePair, pages, next++));
        }
        for (long end = System.nanoTime() + ns; System.nanoTime() < end; ) {
            for (int count = rig.turn(); count > 0; count--) {
                int queuePair = (int) rig.id(count - 1);
                rig.post(queuePair, request(rig, region, queuePair, pages, next++));
                done++;
            }
        }
        for (int left = QUEUE_PAIRS; left > 0; ) {
            left -= rig.turn();
        }
        return done + QUEUE_PAIRS;
    }

    private static WorkRequest.Sending request(Rig rig, Region region, long id, int[] pages, long next) {
        long offset = (long) pages[(int) (next % pages.length)] * PageStore.PAGE;
        return rig.request(Action.READ, id, region, offset, PageStore.PAGE);
    }
}
