package org.verbena.bench.memory;

import org.verbena.bench.memory.HotKeys.Layout;
import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.store.PageStore;
import org.verbena.time.Seed;
import org.verbena.trace.PagingCounter;

/**
 * Reads of values by several queue pairs, most of them of few keys, from a table that is larger than machine memory, over a real link
 * from a real file, past the page cache. Values of several sizes; frequent ones scattered over the table, or together. Arguments:
 * wire, seconds.
 */
final class HotKeyTraffic {
    static final int[] VALUE_BYTES = {64, 512, 4 << 10, 16 << 10};
    static final int[] TIMES = {2, 4};

    private static final int MACHINE_BYTES = 32 << 20;
    private static final int QUEUE_PAIRS = 16;
    /** So many that none comes twice in a measurement: a second time, its page would be there. */
    private static final int READS = 1 << 21;

    private static final long WARM_UP_NS = 8_000_000_000L;
    private static final long PATIENCE_NS = 10_000_000_000L;

    private HotKeyTraffic() {}

    static String key(int valueBytes, int times, Layout layout, String what) {
        return "hot keys " + MemoryFiguresPlan.bytes(valueBytes) + " " + times + "x " + layout.label() + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long ns = Long.parseLong(arguments[1]) * 1_000_000_000L;
        measure(wire, VALUE_BYTES[0], TIMES[0], Layout.SCATTERED, WARM_UP_NS / 2); // until everything is compiled
        for (int valueBytes : VALUE_BYTES) {
            for (int times : TIMES) {
                for (Layout layout : Layout.values()) {
                    Measured found = measure(wire, valueBytes, times, layout, ns);
                    Numbers.print(key(valueBytes, times, layout, "reads/s"), found.readsPerSecond);
                    Numbers.print(key(valueBytes, times, layout, "faults per read"), found.faultsPerRead);
                    Numbers.print(key(valueBytes, times, layout, "hot pages %"), found.hotPagesPercent);
                }
            }
        }
    }

    /**
     * What one measurement found.
     *
     * @param hotPagesPercent pages with a frequent value, as percent of machine memory
     */
    private record Measured(double readsPerSecond, double faultsPerRead, double hotPagesPercent) {}

    /** Measures for this time, after a warm-up as long. */
    private static Measured measure(Rig.Wire wire, int valueBytes, int times, Layout layout, long ns) {
        long bytes = (long) MACHINE_BYTES * times;
        HotKeys keys = new HotKeys((int) (bytes / valueBytes), layout, new Seed(1));
        try (var hypervisor = Stores.hypervisor(MACHINE_BYTES, Stores.onDisk());
                ManagedMemory memory = hypervisor.host().allocate(bytes);
                Rig rig = new Rig(wire, QUEUE_PAIRS, hypervisor);
                Region region = rig.register(memory)) {
            Stores.touch(memory);
            Reads reads = new Reads(rig, region, keys.draw(READS, new Seed(2)), valueBytes);
            reads.run(ns);
            long faults = hypervisor.counters().value(PagingCounter.FAULTS);
            long begin = System.nanoTime();
            long done = reads.run(ns);
            double seconds = (System.nanoTime() - begin) / 1e9;
            double missed = hypervisor.counters().value(PagingCounter.FAULTS) - faults;
            return new Measured(
                    done / seconds, missed / done, 100.0 * keys.hotPages(valueBytes) * PageStore.PAGE / MACHINE_BYTES);
        }
    }

    /** The reads of one measurement, one after another at each queue pair. */
    private static final class Reads {
        private final Rig rig;
        private final Region region;
        private final int[] slots;
        private final int valueBytes;
        private int next;

        Reads(Rig rig, Region region, int[] slots, int valueBytes) {
            this.rig = rig;
            this.region = region;
            this.slots = slots;
            this.valueBytes = valueBytes;
        }

        /** Keeps one read under way at every queue pair for this time; the number of reads done. */
        long run(long ns) {
            long done = 0;
            for (int queuePair = 0; queuePair < QUEUE_PAIRS; queuePair++) {
                post(queuePair);
            }
            long begin = System.nanoTime();
            while (System.nanoTime() - begin < ns) {
                for (int count = rig.turn(); count > 0; count--) {
                    post((int) rig.id(count - 1));
                    done++;
                }
            }
            for (int left = QUEUE_PAIRS; left > 0; left -= rig.turn()) {
                if (System.nanoTime() - begin > ns + PATIENCE_NS) {
                    throw new IllegalStateException(left + " reads do not end");
                }
            }
            return done + QUEUE_PAIRS;
        }

        private void post(int queuePair) {
            long offset = (long) slots[next] * valueBytes;
            next = (next + 1) % slots.length;
            rig.post(queuePair, rig.request(Action.READ, queuePair, region, offset, valueBytes));
        }
    }
}
