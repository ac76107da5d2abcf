package org.verbena.simulation;

import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.PagingProbe;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.memory.store.Transfer;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * Memory of one node of which there is more than the machine has: a store that takes its time, guests with less physical memory
 * than they use, pages evicted on purpose now and then, and times in which the store has no room or fails.
 */
final class Overcommit implements AutoCloseable {
    private static final long GUEST_BYTES_LEAST = 1 << 18;
    private static final long PRESSURE_NS = 400_000;
    private static final long WEATHER_NS = 20_000_000;
    private static final int SWEEP_PAGES = 48;
    /** Number of transfers under way at which no more are started. */
    private static final int BUSY = SimulatedPageStore.PARALLEL;

    private final Seed seed;
    private final SimulatedPageStore store;
    private final Hypervisor hypervisor;
    private final List<Domain> domains = new ArrayList<>();
    private final List<ManagedMemory> memories = new ArrayList<>();
    private StoreFaults usual;
    private boolean shortages;
    private StoreFaults weather;
    private long pressureNs;
    private long weatherNs;

    Overcommit(NanoClock clock, Scenario.Paging kind, Seed seed) {
        this.seed = seed;
        var service =
                new ServiceTime(1_000L << seed.nextInt(8), 200, seed.nextBoolean() ? 0 : 2_000L << seed.nextInt(8));
        store = new SimulatedPageStore(clock, service, seed.fork("store"));
        hypervisor = Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN << seed.nextInt(2))
                .withStore(store)
                .withPolicy(Hypervisor.Policy.values()[seed.nextInt(Hypervisor.Policy.values().length)]));
        if (kind == Scenario.Paging.HOST || seed.chance(0.3)) {
            domains.add(hypervisor.host());
        }
        for (int guests = kind == Scenario.Paging.GUESTS ? 1 + seed.nextInt(3) : 0; guests > 0; guests--) {
            domains.add(hypervisor.createGuest(GuestOptions.ofPhysical(GUEST_BYTES_LEAST << seed.nextInt(3))));
        }
        usual = kind == Scenario.Paging.FAILING
                ? StoreFaults.NONE.readErrorRate(0.002).writeErrorRate(0.01)
                : StoreFaults.NONE;
        shortages = seed.nextBoolean();
        if (domains.isEmpty()) {
            domains.add(hypervisor.host());
        }
        weather = StoreFaults.NONE;
        pressureNs = clock.nowNs();
        weatherNs = clock.nowNs();
    }

    ManagedMemory allocate(long bytes) {
        ManagedMemory memory = domains.get(seed.nextInt(domains.size())).allocate(bytes);
        memories.add(memory);
        return memory;
    }

    /** Transfers end; pages are sent out; the weather changes. */
    void work(long nowNs) {
        store.work(nowNs);
        if (nowNs >= weatherNs) {
            boolean shortage = shortages && weather.room() == Long.MAX_VALUE && seed.nextBoolean();
            weather = shortage ? usual.room(store.slotsUsed()) : usual;
            store.inject(weather);
            weatherNs = nowNs + 1 + Pieces.below(seed, shortage ? WEATHER_NS / 4 : WEATHER_NS);
        }
        if (nowNs >= pressureNs) {
            if (store.underWay() < BUSY) {
                advise();
            }
            pressureNs = nowNs + 1 + Pieces.below(seed, PRESSURE_NS);
        }
    }

    private void advise() {
        ManagedMemory memory = memories.get(seed.nextInt(memories.size()));
        long offset = Pieces.below(seed, memory.length());
        long length = Math.min(memory.length() - offset, 1 + Pieces.below(seed, SWEEP_PAGES * 4096L));
        memory.advise(offset, length, seed.chance(0.8) ? Advice.PAGE_OUT : Advice.WILL_NEED);
    }

    /** Only transfers end. */
    int settle(long nowNs) {
        return store.work(nowNs);
    }

    boolean isBusy() {
        return store.nextDeadlineNs() != Long.MAX_VALUE;
    }

    long storeDeadlineNs() {
        return store.nextDeadlineNs();
    }

    long nextNs() {
        return Math.min(store.nextDeadlineNs(), Math.min(pressureNs, weatherNs));
    }

    /** The store is well from now on. */
    void mend() {
        shortages = false;
        usual = StoreFaults.NONE;
        weather = StoreFaults.NONE;
        store.inject(weather);
    }

    /** Does something for which the store must be well: the consumer waits for pages, and no time passes. */
    void calmly(Runnable act) {
        store.inject(StoreFaults.NONE);
        try {
            act.run();
        } finally {
            store.inject(weather);
        }
    }

    /** Pages the store could not read, so far. */
    long errors() {
        return store.statistics().pages(Transfer.Kind.READ, Outcome.IO_ERROR);
    }

    /** Nobody waits for a page or keeps one. */
    void requireNothingKept(String who) {
        for (ManagedMemory memory : memories) {
            List<String> kept = PagingProbe.kept(memory);
            if (!kept.isEmpty()) {
                throw new AssertionError(who + " keeps " + kept + " of memory " + memories.indexOf(memory));
            }
        }
    }

    /** Ends the guests. */
    void closeGuests() {
        for (Domain domain : domains) {
            if (!domain.isHost()) {
                domain.close();
            }
        }
        store.await(() -> store.nextDeadlineNs() == Long.MAX_VALUE);
    }

    /** Frames that cannot be allocated any more. */
    int framesLost() {
        return hypervisor.machine().frames() - PagingProbe.framesFree(hypervisor);
    }

    @Override
    public void close() {
        hypervisor.close();
    }

    @Override
    public String toString() {
        return hypervisor + ", " + domains + ", weather " + weather + ", "
                + hypervisor.counters().snapshot();
    }
}
