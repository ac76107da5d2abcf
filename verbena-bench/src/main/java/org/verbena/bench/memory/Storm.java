package org.verbena.bench.memory;

import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.Hypervisor;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.store.PageStore;
import org.verbena.trace.Counter;
import org.verbena.verbs.WorkRequest;

/**
 * Many queue pairs that fault all the time, and one whose pages are there: what it notices. Phases with and without the storm
 * take turns; a storm ends early when a fault can't be followed by another, all pages being there. Arguments: wire,
 * milliseconds that the store takes for a page, seconds.
 */
final class Storm {
    private static final int FAULTING = 64;
    private static final int PAGES = 8192;
    private static final int PHASE_MS = 100;
    private static final int HOT_BYTES = 64;

    private final Rig rig;
    private final Region cold;
    private final WorkRequest.Sending hot;
    private int nextPage;
    private int underWay;
    private long faults;

    private Storm(Rig rig, Region cold, Region warm) {
        this.rig = rig;
        this.cold = cold;
        this.hot = rig.request(Action.WRITE, FAULTING, warm, 0, HOT_BYTES);
    }

    static String key(String wire, String storeMs, String what) {
        return "storm " + wire + " " + storeMs + " ms " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long storeMs = Long.parseLong(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        ObservedPageStore store = Stores.cached();
        try (Hypervisor hypervisor = Stores.hypervisor(256 << 20, store);
                ManagedMemory there = hypervisor.host().allocate(PageStore.PAGE);
                ManagedMemory stored = hypervisor.host().allocate((long) PAGES * PageStore.PAGE);
                Rig rig = new Rig(wire, FAULTING + 1, hypervisor);
                Region warm = rig.register(there);
                Region cold = rig.register(stored)) {
            Stores.touch(there);
            Stores.touch(stored);
            Storm storm = new Storm(rig, cold, warm);
            store.delayReads(storeMs * 1_000_000);
            storm.run(stored, key(wire.label(), arguments[1], ""), seconds);
        }
    }

    private void run(ManagedMemory stored, String prefix, long seconds) {
        Sample calm = new Sample();
        Sample stormy = new Sample();
        long naks = 0;
        long faultsCounted = 0;
        long timeouts = 0;
        long stormsNs = 0;
        long phases = Math.max(6, 10 * seconds);
        for (long phase = 0; phase < phases; phase++) {
            boolean counts = phase >= phases / 5;
            Stores.pageOut(stored);
            nextPage = 0;
            phase(counts ? calm : new Sample(), false);
            long naksBefore = rig.nearCount(Counter.RECEIVED_RNR_NAKS);
            long timeoutsBefore = rig.nearCount(Counter.ACK_TIMEOUTS);
            faults = 0;
            long stormNs = phase(counts ? stormy : new Sample(), true);
            if (counts) {
                stormsNs += stormNs;
                naks += rig.nearCount(Counter.RECEIVED_RNR_NAKS) - naksBefore;
                timeouts += rig.nearCount(Counter.ACK_TIMEOUTS) - timeoutsBefore;
                faultsCounted += faults;
            }
        }
        Numbers.print(prefix + "undisturbed p50 µs", calm.median() / 1e3);
        Numbers.print(prefix + "undisturbed p99 µs", calm.p99() / 1e3);
        Numbers.print(prefix + "in the storm p50 µs", stormy.median() / 1e3);
        Numbers.print(prefix + "in the storm p99 µs", stormy.p99() / 1e3);
        Numbers.print(prefix + "p99 ratio", stormy.p99() / calm.p99());
        Numbers.print(prefix + "undisturbed, longest µs", calm.percentile(1) / 1e3);
        Numbers.print(prefix + "in the storm, longest µs", stormy.percentile(1) / 1e3);
        Numbers.print(prefix + "RNR NAKs per fault", (double) naks / faultsCounted);
        Numbers.print(prefix + "ACK timeouts", timeouts);
        Numbers.print(prefix + "resumed by ACK timeout", rig.nearCount(Counter.RESUMED_BY_ACK_TIMEOUT));
        Numbers.print(prefix + "resumed by timer", rig.nearCount(Counter.RESUMED_BY_TIMER));
        Numbers.print(prefix + "faults per second", faultsCounted * 1e9 / stormsNs);
    }

    /**
     * One request after another on the hot queue pair; in a storm every other queue pair has one under way as well.
     *
     * @return how long it lasted
     */
    private long phase(Sample sample, boolean storm) {
        long start = System.nanoTime();
        long end = start + PHASE_MS * 1_000_000L;
        for (int queuePair = 0; storm && queuePair < FAULTING; queuePair++) {
            fault(queuePair);
        }
        while (System.nanoTime() < end && !(storm && underWay < FAULTING)) {
            long begin = System.nanoTime();
            rig.post(FAULTING, hot);
            while (!turn(storm)) {
                Thread.onSpinWait();
            }
            sample.add(System.nanoTime() - begin);
        }
        long lastedNs = System.nanoTime() - start;
        while (underWay > 0) {
            turn(false);
        }
        return lastedNs;
    }

    /** Whether the hot one is done. */
    private boolean turn(boolean storm) {
        boolean hotDone = false;
        int count = rig.turn();
        for (int i = 0; i < count; i++) {
            int queuePair = (int) rig.id(i);
            if (queuePair == FAULTING) {
                hotDone = true;
            } else {
                underWay--;
                if (storm && nextPage < PAGES) {
                    fault(queuePair);
                }
            }
        }
        return hotDone;
    }

    private void fault(int queuePair) {
        long offset = (long) nextPage++ * PageStore.PAGE + HOT_BYTES;
        rig.post(queuePair, rig.request(Action.WRITE, queuePair, cold, offset, HOT_BYTES));
        underWay++;
        faults++;
    }
}
