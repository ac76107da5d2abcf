package org.verbena.bench.memory;

import java.lang.management.ManagementFactory;
import java.util.Random;
import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.trace.Counter;
import org.verbena.verbs.WorkRequest;

/**
 * Requests of 4 KiB to pages in the store: a write that covers the end of one page and the beginning of the next, and a read
 * of one page. The store records its own time for each; a round trip is the same request to resident pages, in turn with
 * the faults. Arguments: wire, {@code cached} or {@code disk}, seconds.
 */
final class MajorFaults {
    private static final int PAGES = 2048;
    private static final int LENGTH = 4096;

    private MajorFaults() {}

    static String key(String wire, String place, Action action, String what) {
        return "major " + wire + " " + place + " " + action.label() + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        String place = arguments[1];
        long ns = Long.parseLong(arguments[2]) * 1_000_000_000L;
        ObservedPageStore store = place.equals("disk") ? Stores.onDisk() : Stores.cached();
        try (Hypervisor hypervisor = Stores.hypervisor(64 << 20, store);
                ManagedMemory there = hypervisor.host().allocate((long) PAGES * PageStore.PAGE);
                ManagedMemory stored = hypervisor.host().allocate((long) PAGES * PageStore.PAGE);
                Rig rig = new Rig(wire, 1, hypervisor);
                Region warm = rig.register(there);
                Region cold = rig.register(stored)) {
            Stores.touch(there);
            Stores.touch(stored);
            for (Action action : Action.values()) {
                measure(action, rig, stored, store, cold, warm, ns, null);
                measure(action, rig, stored, store, cold, warm, ns, key(wire.label(), place, action, ""));
            }
        }
    }

    private static void measure(
            Action action,
            Rig rig,
            ManagedMemory stored,
            ObservedPageStore store,
            Region cold,
            Region warm,
            long ns,
            @org.jspecify.annotations.Nullable String prefix) {
        Random random = new Random(1);
        Sample faults = new Sample();
        Sample roundTrips = new Sample();
        Sample reads = new Sample();
        Sample overheads = new Sample();
        long cpuNs = 0;
        long naks = rig.nearCount(Counter.RECEIVED_RNR_NAKS);
        long byAck = rig.nearCount(Counter.RESUMED_BY_ACK);
        long byTimer = rig.nearCount(Counter.RESUMED_BY_TIMER);
        long byTimeout = rig.nearCount(Counter.RESUMED_BY_ACK_TIMEOUT);
        for (long end = System.nanoTime() + ns; System.nanoTime() < end; ) {
            Stores.pageOut(stored);
            int[] order = random.ints(0, PAGES / 4).distinct().limit(PAGES / 4).toArray();
            store.takeReads();
            for (int i = 0; i < order.length && System.nanoTime() < end; i++) {
                long offset = 4L * order[i] * PageStore.PAGE + (action == Action.WRITE ? PageStore.PAGE / 2 : 0);
                WorkRequest.Sending request = rig.request(action, 1, cold, offset, LENGTH);
                long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                long took = rig.once(0, request);
                cpuNs += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
                long roundTrip = rig.once(0, rig.request(action, 2, warm, offset, LENGTH));
                long[] storeNs = store.takeReads();
                faults.add(took);
                roundTrips.add(roundTrip);
                if (storeNs.length == 1) {
                    reads.add(storeNs[0]);
                    overheads.add(took - storeNs[0]);
                }
            }
        }
        if (prefix == null) {
            return;
        }
        Numbers.print(prefix + "p50 µs", faults.median() / 1e3);
        Numbers.print(prefix + "p99 µs", faults.p99() / 1e3);
        Numbers.print(prefix + "store p50 µs", reads.median() / 1e3);
        Numbers.print(prefix + "store p99 µs", reads.p99() / 1e3);
        Numbers.print(prefix + "round trip µs", roundTrips.median() / 1e3);
        Numbers.print(prefix + "allowed p50 µs", (reads.median() + 2 * roundTrips.median()) / 1e3);
        Numbers.print(prefix + "allowed p99 µs", (reads.p99() + 2 * roundTrips.p99()) / 1e3);
        Numbers.print(prefix + "beyond the store p50 µs", overheads.median() / 1e3);
        Numbers.print(prefix + "CPU of the polling thread µs", cpuNs / 1e3 / faults.size());
        Numbers.print(prefix + "RNR NAKs per fault", per(rig.nearCount(Counter.RECEIVED_RNR_NAKS) - naks, faults));
        Numbers.print(prefix + "resumed by ACK", per(rig.nearCount(Counter.RESUMED_BY_ACK) - byAck, faults));
        Numbers.print(prefix + "resumed by timer", per(rig.nearCount(Counter.RESUMED_BY_TIMER) - byTimer, faults));
        Numbers.print(prefix + "resumed by ACK timeout", rig.nearCount(Counter.RESUMED_BY_ACK_TIMEOUT) - byTimeout);
        Numbers.print(prefix + "faults", faults.size());
    }

    private static double per(long count, Sample faults) {
        return (double) count / faults.size();
    }
}
