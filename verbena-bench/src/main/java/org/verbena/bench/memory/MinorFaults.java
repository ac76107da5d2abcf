package org.verbena.bench.memory;

import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.store.PageStore;
import org.verbena.trace.Counter;
import org.verbena.trace.PagingCounter;

/**
 * Faults that are served by the access that meets them: a page never touched, a page on its way out, and a page in the store
 * that is overwritten completely. Each request of that kind is followed by the same request to a resident page. Arguments: wire,
 * seconds.
 */
final class MinorFaults {
    private static final int PAGES = 1024;
    /** As many as are written out together. */
    private static final int CLEANING_PAGES = 100;

    private static final int SMALL = 64;

    private final String wire;
    private final Rig rig;
    private final ObservedPageStore store;
    private final Region warm;
    private final long ns;

    private MinorFaults(String wire, Rig rig, ObservedPageStore store, Region warm, long ns) {
        this.wire = wire;
        this.rig = rig;
        this.store = store;
        this.warm = warm;
        this.ns = ns;
    }

    static String key(String wire, String kind, Action action, String what) {
        return "minor " + wire + " " + kind + " " + action.label() + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long ns = Long.parseLong(arguments[1]) * 1_000_000_000L;
        ObservedPageStore store = Stores.cached();
        try (Hypervisor hypervisor = Stores.hypervisor(64 << 20, store);
                ManagedMemory there = hypervisor.host().allocate((long) PAGES * PageStore.PAGE);
                Rig rig = new Rig(wire, 1, hypervisor);
                Region warm = rig.register(there)) {
            Stores.touch(there);
            MinorFaults faults = new MinorFaults(wire.label(), rig, store, warm, ns);
            for (boolean counts : new boolean[] {false, true}) {
                faults.zeroFill(Action.WRITE, counts);
                faults.zeroFill(Action.READ, counts);
                faults.overwrite(counts);
                faults.cleaning(Action.WRITE, counts);
                faults.cleaning(Action.READ, counts);
            }
        }
    }

    /** The measured requests of one kind. */
    private final class Tally {
        private final Sample faulting = new Sample();
        private final Sample resident = new Sample();
        private final long naks = rig.nearCount(Counter.RECEIVED_RNR_NAKS);

        void pair(Action action, Region cold, long offset, int length) {
            faulting.add(rig.once(0, rig.request(action, 1, cold, offset, length)));
            resident.add(rig.once(0, rig.request(action, 2, warm, offset, length)));
        }

        void print(String kind, Action action) {
            Numbers.print(key(wire, kind, action, "added µs"), (faulting.median() - resident.median()) / 1e3);
            Numbers.print(key(wire, kind, action, "added µs, p99"), (faulting.p99() - resident.p99()) / 1e3);
            Numbers.print(key(wire, kind, action, "resident µs"), resident.median() / 1e3);
            Numbers.print(key(wire, kind, action, "RNR NAKs"), rig.nearCount(Counter.RECEIVED_RNR_NAKS) - naks);
            Numbers.print(key(wire, kind, action, "requests"), faulting.size());
        }
    }

    private void zeroFill(Action action, boolean counts) {
        Tally tally = new Tally();
        for (long end = System.nanoTime() + ns; System.nanoTime() < end; ) {
            try (ManagedMemory fresh = rig.hypervisor().host().allocate((long) PAGES * PageStore.PAGE);
                    Region cold = rig.register(fresh)) {
                for (int page = 0; page < PAGES; page++) {
                    tally.pair(action, cold, (long) page * PageStore.PAGE + SMALL, SMALL);
                }
            }
        }
        if (counts) {
            tally.print("zero-fill", action);
        }
    }

    private void overwrite(boolean counts) {
        Tally tally = new Tally();
        try (ManagedMemory stored = rig.hypervisor().host().allocate((long) PAGES * PageStore.PAGE);
                Region cold = rig.register(stored)) {
            Stores.touch(stored);
            for (long end = System.nanoTime() + ns; System.nanoTime() < end; ) {
                Stores.pageOut(stored);
                for (int page = 0; page < PAGES; page++) {
                    tally.pair(Action.WRITE, cold, (long) page * PageStore.PAGE, PageStore.PAGE);
                }
            }
        }
        if (counts) {
            tally.print("overwrite", Action.WRITE);
        }
    }

    /** The store ends no write before the pages were touched: they are on their way out. */
    private void cleaning(Action action, boolean counts) {
        Tally tally = new Tally();
        long rescues = rig.hypervisor().counters().value(PagingCounter.RESCUES);
        try (ManagedMemory dirty = rig.hypervisor().host().allocate((long) CLEANING_PAGES * PageStore.PAGE);
                Region cold = rig.register(dirty)) {
            for (long end = System.nanoTime() + ns; System.nanoTime() < end; ) {
                Stores.touch(dirty);
                store.holdWrites();
                dirty.advise(0, dirty.length(), Advice.PAGE_OUT);
                for (int page = 0; page < CLEANING_PAGES; page++) {
                    tally.pair(action, cold, (long) page * PageStore.PAGE + SMALL, SMALL);
                }
                store.letWritesGo();
                while (store.writing() > 0) {
                    Stores.pause(1); // a sweep that is late would take pages of the next round before they are touched
                }
            }
        }
        if (counts) {
            tally.print("write-back", action);
            Numbers.print(
                    key(wire, "write-back", action, "pages found on their way out"),
                    rig.hypervisor().counters().value(PagingCounter.RESCUES) - rescues);
        }
    }
}
