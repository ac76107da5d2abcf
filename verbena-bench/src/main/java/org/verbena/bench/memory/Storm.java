package org.verbena.bench.memory;

import java.util.EnumMap;
import java.util.Map;
import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.WorkRequest;

/**
 * The effect of 64 queue pairs on one hot queue pair whose pages are resident, in three phases that take turns: the hot queue
 * pair alone, with page faults at all others all the time, and with the others writing as often to resident pages, which is their
 * cost without faults. A storm ends early when all pages are resident and no fault can follow. Arguments: wire, milliseconds that the store
 * takes for a page, how the far end is driven, seconds.
 *
 * <p>The slow store has no thread: its reads end between two requests of the hot queue pair, so that the work of the disk itself is
 * not part of a measured time. With a thread of its own the store would be a third thread on a machine of two cores, and would
 * interrupt an engine at each page.
 *
 * <p>Beside the time, the packets that both ends sent and received meanwhile are counted: the
 * work that the hot queue pair waits for, independent of the machine.
 */
final class Storm {
    /** The work of the other queue pairs. */
    private enum Others {
        NOTHING("undisturbed"),
        FAULT("in the storm"),
        /** Writes as often as they faulted before, one after the other. */
        WRITE("beside resident traffic");

        private final String label;

        Others(String label) {
            this.label = label;
        }
    }

    private static final int OTHERS = 64;
    private static final int HOT = OTHERS;
    private static final int PAGES = 8192;
    private static final int PHASE_MS = 100;
    private static final int HOT_BYTES = 64;

    private final Rig rig;
    private final ObservedPageStore store;
    private final Region cold;
    private final Region warm;
    private final WorkRequest.Sending hot;
    private final Map<Others, Sample> times = new EnumMap<>(Others.class);
    private final Map<Others, Sample> packets = new EnumMap<>(Others.class);
    /** The time of the next write of each queue pair. */
    private final long[] dueNs = new long[OTHERS];

    private Others others = Others.NOTHING;
    private int nextPage;
    private int underWay;
    private long requests;
    private long periodNs;

    private Storm(Rig rig, ObservedPageStore store, Region cold, Region warm) {
        this.rig = rig;
        this.store = store;
        this.cold = cold;
        this.warm = warm;
        this.hot = rig.request(Action.WRITE, HOT, warm, (long) HOT * PageStore.PAGE, HOT_BYTES);
    }

    static String key(String wire, String storeMs, AdapterOptions.Run farRun, String what) {
        return "storm " + wire + " " + storeMs + " ms " + (farRun == AdapterOptions.Run.THREAD ? "two threads " : "")
                + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long storeMs = Long.parseLong(arguments[1]);
        AdapterOptions.Run farRun = AdapterOptions.Run.valueOf(arguments[2]);
        long seconds = Long.parseLong(arguments[3]);
        ObservedPageStore store = Stores.cached();
        try (Hypervisor hypervisor = Stores.hypervisor(256 << 20, store);
                ManagedMemory there = hypervisor.host().allocate((OTHERS + 1L) * PageStore.PAGE);
                ManagedMemory stored = hypervisor.host().allocate((long) PAGES * PageStore.PAGE);
                Rig rig = new Rig(wire, OTHERS + 1, hypervisor, farRun);
                Region warm = rig.register(there);
                Region cold = rig.register(stored)) {
            Stores.touch(there);
            Stores.touch(stored);
            Storm storm = new Storm(rig, store, cold, warm);
            store.endByHand();
            store.delayReads(storeMs * 1_000_000);
            storm.run(stored, key(wire.label(), arguments[1], farRun, ""), seconds);
        }
    }

    private void run(ManagedMemory stored, String prefix, long seconds) {
        forget();
        long naks = 0;
        long faults = 0;
        long timeouts = 0;
        long stormsNs = 0;
        long phases = Math.max(6, 10 * seconds);
        for (long phase = 0; phase < phases; phase++) {
            if (phase == phases / 5) {
                forget(); // the numbers until now include compilation
                naks = faults = timeouts = stormsNs = 0;
            }
            Stores.pageOut(stored);
            nextPage = 0;
            phase(Others.NOTHING);
            long naksBefore = rig.nearCount(Counter.RECEIVED_RNR_NAKS);
            long timeoutsBefore = rig.nearCount(Counter.ACK_TIMEOUTS);
            long stormNs = phase(Others.FAULT);
            stormsNs += stormNs;
            naks += rig.nearCount(Counter.RECEIVED_RNR_NAKS) - naksBefore;
            timeouts += rig.nearCount(Counter.ACK_TIMEOUTS) - timeoutsBefore;
            faults += requests;
            periodNs = OTHERS * stormNs / Math.max(1, requests);
            phase(Others.WRITE);
        }
        print(prefix);
        Numbers.print(prefix + "RNR NAKs per fault", (double) naks / faults);
        Numbers.print(prefix + "ACK timeouts", timeouts);
        Numbers.print(prefix + "resumed by ACK timeout", rig.nearCount(Counter.RESUMED_BY_ACK_TIMEOUT));
        Numbers.print(prefix + "resumed by timer", rig.nearCount(Counter.RESUMED_BY_TIMER));
        Numbers.print(prefix + "faults per second", faults * 1e9 / stormsNs);
    }

    private void print(String prefix) {
        for (Others kind : Others.values()) {
            Sample sample = sample(times, kind);
            Numbers.print(prefix + kind.label + " p50 µs", sample.median() / 1e3);
            Numbers.print(prefix + kind.label + " p99 µs", sample.p99() / 1e3);
            Numbers.print(prefix + kind.label + ", longest µs", sample.percentile(1) / 1e3);
            Numbers.print(
                    prefix + kind.label + " packets p99", sample(packets, kind).p99());
        }
        double storm = sample(times, Others.FAULT).p99();
        Numbers.print(
                prefix + "p99 ratio", storm / sample(times, Others.NOTHING).p99());
        Numbers.print(
                prefix + "p99 over resident traffic",
                storm / sample(times, Others.WRITE).p99());
    }

    private void forget() {
        times.clear();
        packets.clear();
    }

    private static Sample sample(Map<Others, Sample> samples, Others kind) {
        return samples.computeIfAbsent(kind, _ -> new Sample());
    }

    /**
     * Executes one request after another on the hot queue pair, while the others do their work.
     *
     * @return its duration in nanoseconds
     */
    private long phase(Others what) {
        others = what;
        requests = 0;
        long start = System.nanoTime();
        long end = start + PHASE_MS * 1_000_000L;
        for (int queuePair = 0; queuePair < OTHERS; queuePair++) {
            dueNs[queuePair] = start + queuePair * periodNs / OTHERS;
            if (what == Others.FAULT) {
                fault(queuePair);
            }
        }
        Sample time = sample(times, what);
        Sample counts = sample(packets, what);
        while (System.nanoTime() < end && !(what == Others.FAULT && underWay < OTHERS)) {
            store.endDue();
            long before = rig.packets();
            long begin = System.nanoTime();
            rig.post(HOT, hot);
            while (!turn()) {
                Thread.onSpinWait();
            }
            time.add(System.nanoTime() - begin);
            counts.add(rig.packets() - before);
        }
        long lastedNs = System.nanoTime() - start;
        others = Others.NOTHING;
        while (underWay > 0) {
            store.endDue();
            turn();
        }
        return lastedNs;
    }

    /** Whether the request of the hot queue pair is done. */
    private boolean turn() {
        boolean hotDone = false;
        int count = rig.turn();
        for (int i = 0; i < count; i++) {
            int queuePair = (int) rig.id(i);
            if (queuePair == HOT) {
                hotDone = true;
                continue;
            }
            underWay--;
            if (others == Others.FAULT && nextPage < PAGES) {
                fault(queuePair);
            }
        }
        if (others == Others.WRITE) {
            writeWhatIsDue();
        }
        return hotDone;
    }

    private void fault(int queuePair) {
        post(queuePair, cold, (long) nextPage++ * PageStore.PAGE + HOT_BYTES);
    }

    private void writeWhatIsDue() {
        long now = System.nanoTime();
        for (int queuePair = 0; queuePair < OTHERS; queuePair++) {
            if (dueNs[queuePair] <= now) {
                dueNs[queuePair] = now + periodNs;
                post(queuePair, warm, (long) queuePair * PageStore.PAGE + HOT_BYTES);
            }
        }
    }

    private void post(int queuePair, Region target, long offset) {
        rig.post(queuePair, rig.request(Action.WRITE, queuePair, target, offset, HOT_BYTES));
        underWay++;
        requests++;
    }
}
