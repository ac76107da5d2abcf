package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.interleave.Actor;
import org.verbena.interleave.Interleaver;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.memory.swapping.Errands;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.PagingCounter;

/**
 * Peers, consumers, owners and the hypervisor at the same regions, on one thread: any of them may be the next after each atomic
 * operation. All is real but the threads, the disk and time. To be run woven.
 */
final class RegionRaces {
    private static final long MACHINE = 1 << 20;
    private static final long MACHINE_MAX = MACHINE + (1 << 18);
    private static final int HOT = 80;
    /** One access in this number goes to a random address. */
    private static final int COLD = 40;

    private static final int PEERS = 44;
    private static final int CONSUMERS = 16;
    private static final int PINNERS = 4;
    private static final int BINDERS = 4;
    private static final int HYPERVISORS = 3;

    final Arena arena;
    final ProtectionTable table;
    final ProtectionDomain domain;
    final Hypervisor hypervisor;
    final SimulatedPageStore store;
    final Interleaver interleaver;
    final RaceErrands errands;
    final RaceDriver driver;
    private final VirtualClock clock = new VirtualClock();
    private final List<RaceOwner> owners = new ArrayList<>();
    private final List<RaceRegion> recent = new ArrayList<>();
    private final List<RaceWindow> windows = new ArrayList<>();
    private final long[] verdicts = new long[Verdict.values().length];
    private long versions;
    private int ids;
    private int users;
    /** Disks that tell of the end of a transfer. */
    private int ending;

    boolean finishing;

    long faults;
    long pins;
    long digest;
    long swappedOut;
    long drivenSwappedOut;
    long pagesFreed;
    long pagesKept;
    long notSwapped;
    long swappedIn;
    long deregistered;
    long memoriesClosed;
    long guestsClosed;
    long resized;
    long bound;
    long invalidated;

    private RegionRaces(long seed, Arena arena, Hypervisor.Policy policy) {
        this.arena = arena;
        interleaver = new Interleaver(seed);
        store = new SimulatedPageStore(clock, ServiceTime.DISK, new Seed(seed));
        errands = new RaceErrands();
        driver = new RaceDriver(this);
        table = new ProtectionTable(1 << 16, new Seed(seed + 1));
        domain = table.createDomain();
        hypervisor = Hypervisor.open(
                HypervisorOptions.of(MACHINE)
                        .withMemoryMax(MACHINE_MAX)
                        .withStore(store)
                        .withPolicy(policy),
                errands);
    }

    /** Runs a number of steps by a seed, and counts the events. */
    static Map<String, Long> run(long seed, long steps, boolean s3) {
        try (Arena arena = Arena.ofShared()) {
            RegionRaces races = new RegionRaces(seed, arena, s3 ? Hypervisor.Policy.S3_FIFO : Hypervisor.Policy.CLOCK);
            races.cast();
            races.interleaver.run(steps);
            Map<String, Long> figures = races.figures();
            races.finish(steps);
            return figures;
        }
    }

    private void cast() {
        owners.add(new RaceOwner(this, RaceOwner.Holding.PAGED, 400));
        owners.add(new RaceOwner(this, RaceOwner.Holding.PAGED, 300));
        owners.add(new RaceOwner(this, RaceOwner.Holding.WIRED, 20));
        owners.add(new RaceOwner(this, RaceOwner.Holding.GUEST, 160));
        owners.add(new RaceOwner(this, RaceOwner.Holding.DRIVEN_GUEST, 48));
        owners.forEach(interleaver::add);
        interleaver.add(errands.runner);
        interleaver.add(driver);
        interleaver.add(new Disk("disk 1"));
        interleaver.add(new Disk("disk 2"));
        interleaver.add(new RaceCast.Disturber(this));
        interleaver.add(new RaceCast.Resizer(this));
        for (int i = 0; i < HYPERVISORS; i++) {
            interleaver.add(new RaceCast.Swapper(this, i));
        }
        for (int i = 0; i < PEERS; i++) {
            interleaver.add(new RaceCast.Peer(this, i));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            interleaver.add(new RaceCast.Consumer(this, i));
        }
        for (int i = 0; i < BINDERS; i++) {
            interleaver.add(new RaceCast.Binder(this, i));
        }
        for (int i = 0; i < PINNERS; i++) {
            interleaver.add(new RaceCast.Pinner(this, i));
        }
    }

    // --- what actors ask

    int below(int limit) {
        return interleaver.below(limit);
    }

    long nextVersion() {
        return ++versions;
    }

    int nextId() {
        return ++ids;
    }

    /** Mostly one of those that most go to. */
    int page(RaceMemory memory) {
        int warm = (int) (interleaver.steps() >>> 11);
        int hot = Math.min(HOT, memory.pages / 3);
        return below(COLD) == 0 ? below(memory.pages) : (warm + below(hot)) % memory.pages;
    }

    void onRegistered(RaceRegion region) {
        if (recent.size() == 4) {
            recent.removeFirst();
        }
        recent.add(region);
    }

    void onBound(RaceWindow window) {
        bound++;
        if (windows.size() == 2 * BINDERS) {
            windows.removeFirst();
        }
        windows.add(window);
    }

    /** Some window, perhaps one that is not bound any more; null if there is none yet. */
    @Nullable
    RaceWindow anyWindow() {
        return windows.isEmpty() ? null : windows.get(below(windows.size()));
    }

    /** Some region, perhaps one that is no more; null if there is none yet. */
    @Nullable
    RaceRegion anyRegion() {
        if (!recent.isEmpty() && below(64) == 0) {
            return recent.get(below(recent.size()));
        }
        RaceMemory memory = anyMemory();
        return memory == null || memory.regions.isEmpty() ? null : memory.regions.get(below(memory.regions.size()));
    }

    @Nullable
    RaceMemory anyMemory() {
        List<RaceMemory> held = owners.get(below(owners.size())).memories;
        return held.isEmpty() ? null : held.get(below(held.size()));
    }

    void onRead(long value) {
        digest = digest * 31 + value;
    }

    void count(Verdict verdict) {
        verdicts[verdict.ordinal()]++;
    }

    void userComes() {
        users++;
    }

    void userGoes() {
        users--;
    }

    boolean isUsed() {
        return users > 0;
    }

    // --- the store

    /** Ends transfers, one of two. */
    private final class Disk extends Actor {
        Disk(String name) {
            super(name);
        }

        @Override
        protected void perform() {
            while (!isQuiet()) {
                long due = store.nextDeadlineNs();
                clock.advanceTo(due == Long.MAX_VALUE ? 0 : due);
                ending++;
                store.work(clock.nowNs());
                ending--;
                sleep(due == Long.MAX_VALUE ? 100 : 400);
            }
        }
    }

    boolean isQuiet() {
        return finishing
                && owners.stream().allMatch(owner -> owner.isDone)
                && !isUsed()
                && errands.isEmpty()
                && driver.isIdle()
                && store.underWay() == 0
                && store.nextDeadlineNs() == Long.MAX_VALUE
                && ending == 0;
    }

    /** Errands, run by an actor one at a time and in order. */
    final class RaceErrands implements Errands {
        private final ArrayDeque<Runnable> now = new ArrayDeque<>();
        private final ArrayDeque<Runnable> later = new ArrayDeque<>();
        private boolean busy;
        final Actor runner = new Actor("errands") {
            @Override
            protected void perform() {
                while (!isQuiet()) {
                    if (!later.isEmpty() && (below(200) == 0 || (finishing && now.isEmpty()))) {
                        now.add(later.removeFirst());
                    }
                    Runnable next = now.poll();
                    if (next == null) {
                        sleep(200);
                    } else {
                        busy = true;
                        next.run();
                        busy = false;
                    }
                }
            }
        };

        @Override
        public void run(Runnable errand) {
            now.add(errand);
        }

        @Override
        public void runLater(long milliseconds, Runnable errand) {
            later.add(errand);
        }

        boolean isEmpty() {
            return now.isEmpty() && later.isEmpty() && !busy;
        }
    }

    // --- the end

    /** Everybody finishes, everything closes, and nothing is left. */
    private void finish(long steps) {
        finishing = true;
        store.inject(StoreFaults.NONE);
        interleaver.run(steps + 20_000_000);
        assertEquals(List.of(), interleaver.left(), "who still waits");
        assertEquals(0, store.slotsUsed(), "slots of memories that are closed");
        assertEquals(0, hypervisor.figures().pins());
        assertEquals(hypervisor.machine().frames(), hypervisor.framesFree(), "frames");
        assertEquals(0, domain.entries(), "entries left in the table");
        hypervisor.close();
    }

    private Map<String, Long> figures() {
        Map<String, Long> figures = new LinkedHashMap<>();
        figures.put("steps", interleaver.steps());
        figures.put("switches", interleaver.switches());
        for (Verdict verdict : Verdict.values()) {
            if (verdicts[verdict.ordinal()] > 0) {
                figures.put(verdict.name(), verdicts[verdict.ordinal()]);
            }
        }
        figures.put("faults", faults);
        figures.put("pins", pins);
        figures.put("swapped out", swappedOut);
        figures.put("swap-outs in vain", notSwapped);
        figures.put("swapped in", swappedIn);
        figures.put("deregistered", deregistered);
        figures.put("memories closed", memoriesClosed);
        figures.put("guests closed", guestsClosed);
        figures.put("resized", resized);
        figures.put("windows bound", bound);
        figures.put("windows invalidated", invalidated);
        figures.put("mapped by a driver", driver.mapped);
        figures.put("moved by a driver", driver.moved);
        figures.put("driven regions swapped out", drivenSwappedOut);
        figures.put("pages freed", pagesFreed);
        figures.put("pages kept", pagesKept);
        for (PagingCounter counter : PagingCounter.values()) {
            figures.put(counter.name(), hypervisor.counters().value(counter));
        }
        figures.put("digest", digest);
        return figures;
    }
}
