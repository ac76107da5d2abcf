package org.verbena.memory.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * A page store in memory and in virtual time, for simulations and tests. Transfers take the time of a {@link ServiceTime} and fail
 * as {@link StoreFaults} say; the same seed gives the same run. The store has no thread: transfers end in {@link #work} or
 * {@link #await}, on the caller's thread.
 *
 * <p>Like a disk, the store works at a few transfers at a time; the others wait, reads before writes. Like a disk, it takes the
 * bytes of a write at any moment before the end: the checksum is that of the bytes at submission, and the slot gets the bytes at the
 * end. So a page that changed in between reads as {@link Outcome#CORRUPT}, and a test finds code that relies on it.
 *
 * <p>Threads: any thread may call every method.
 */
public final class SimulatedPageStore implements PageStore {
    /** Number of transfers that a store works at together, unless a constructor says otherwise. */
    public static final int PARALLEL = 4;

    /** Looks in a row of {@link #await} while nothing is under way: about five seconds of real time. */
    private static final int IDLE_LOOKS_MAX = 5000;
    /** Time that a transfer counts for {@link #await}, at least, so that a wait ends even if transfers take no time. */
    private static final long SKIP_MIN_NS = 20_000;

    private final NanoClock clock;
    private final ServiceTime service;
    private final Seed jitter;
    private final int parallel;
    private final SlotRanges ranges = new SlotRanges();
    private final StoreStatistics statistics = new StoreStatistics();

    // All fields below are used under the lock.
    private final Object lock = new Object();
    private final SimulatedMedium medium;
    private final ArrayDeque<Runnable> errands = new ArrayDeque<>();
    private final ArrayDeque<SimulatedFlight> readsWaiting = new ArrayDeque<>();
    private final ArrayDeque<SimulatedFlight> writesWaiting = new ArrayDeque<>();
    private final PriorityQueue<SimulatedFlight> working = new PriorityQueue<>(SimulatedFlight::compareByEnd);
    private long started;
    private boolean closed;

    /**
     * A store that works at {@value #PARALLEL} transfers at a time.
     *
     * @param clock gives the time at which a transfer is submitted
     * @param service the time that transfers take
     * @param seed of the jitter and of errors by chance
     */
    public SimulatedPageStore(NanoClock clock, ServiceTime service, Seed seed) {
        this(clock, service, seed, PARALLEL);
    }

    /**
     * A store.
     *
     * @param clock gives the time at which a transfer is submitted
     * @param service the time that transfers take
     * @param seed of the jitter and of errors by chance
     * @param parallel number of transfers that the store works at together
     * @throws IllegalArgumentException if {@code parallel} is less than 1
     */
    public SimulatedPageStore(NanoClock clock, ServiceTime service, Seed seed, int parallel) {
        if (parallel < 1) {
            throw new IllegalArgumentException(parallel + " transfers at a time found, at least 1 expected");
        }
        this.clock = clock;
        this.service = service;
        this.jitter = seed.fork("jitter");
        this.medium = new SimulatedMedium(seed.fork("errors"));
        this.parallel = parallel;
    }

    /** Replaces the failures of this store. The counts of the failures begin at this call. */
    public void inject(StoreFaults injected) {
        synchronized (lock) {
            medium.inject(injected);
        }
    }

    /**
     * Flips one bit of the page in a slot.
     *
     * @throws IllegalArgumentException if the slot holds nothing
     */
    public void corrupt(long slot) {
        synchronized (lock) {
            if (!medium.corrupt(slot)) {
                throw new IllegalArgumentException("slot " + slot + " holds nothing that could be corrupted");
            }
        }
    }

    /** Makes the stalled transfers due now; the next {@link #work} ends them. */
    public void resume() {
        synchronized (lock) {
            List<SimulatedFlight> stalled = new ArrayList<>(working);
            stalled.removeIf(flight -> flight.dueNs != SimulatedFlight.NEVER);
            working.removeAll(stalled);
            stalled.forEach(flight -> flight.dueNs = clock.nowNs());
            working.addAll(stalled);
        }
    }

    /** Number of transfers that were submitted and have not ended, stalled ones included. */
    public int underWay() {
        synchronized (lock) {
            return working.size() + readsWaiting.size() + writesWaiting.size();
        }
    }

    @Override
    public long slotsUsed() {
        return medium.slotsUsed();
    }

    @Override
    public long reserve(long slots) {
        return ranges.reserve(slots);
    }

    @Override
    public void release(long firstSlot, long slots) {
        synchronized (lock) {
            ranges.check(firstSlot, slots);
            medium.forget(firstSlot, slots);
            ranges.release(firstSlot, slots);
        }
    }

    @Override
    public void submit(Transfer transfer) {
        ranges.check(transfer.firstSlot(), transfer.pages());
        boolean accepted;
        synchronized (lock) {
            accepted = !closed;
            if (accepted) {
                accept(transfer);
            }
        }
        if (!accepted) {
            end(transfer, Outcome.CLOSED);
        }
    }

    @Override
    public void lend(Runnable errand) {
        boolean accepted;
        synchronized (lock) {
            accepted = !closed;
            if (accepted) {
                errands.add(errand);
            }
        }
        if (!accepted) {
            errand.run();
        }
    }

    private @Nullable Runnable takeErrand() {
        synchronized (lock) {
            return errands.poll();
        }
    }

    private void runErrands() {
        for (Runnable errand = takeErrand(); errand != null; errand = takeErrand()) {
            errand.run();
        }
    }

    private void accept(Transfer transfer) {
        transfer.submittedNs = clock.nowNs();
        SimulatedFlight flight = medium.accept(transfer);
        (transfer.kind() == Transfer.Kind.READ ? readsWaiting : writesWaiting).add(flight);
        startNext(transfer.submittedNs);
    }

    private void startNext(long nowNs) {
        while (working.size() < parallel) {
            SimulatedFlight flight = readsWaiting.isEmpty() ? writesWaiting.poll() : readsWaiting.poll();
            if (flight == null) {
                return;
            }
            long takesNs = service.drawNs(jitter, flight.transfer.pages());
            flight.start(started++, nowNs + takesNs);
            working.add(flight);
        }
    }

    /** The time at which {@link #work} has work next; {@link Long#MAX_VALUE} if no transfer is under way or all of them stall. */
    public long nextDeadlineNs() {
        synchronized (lock) {
            if (!errands.isEmpty()) {
                return clock.nowNs();
            }
            SimulatedFlight next = working.peek();
            return next == null ? SimulatedFlight.NEVER : next.dueNs;
        }
    }

    /**
     * Runs the errands, and ends the transfers that are due in the order of their times. Their listeners are called on this thread.
     *
     * @param nowNs the time, by the store's clock
     * @return number of transfers that ended
     */
    public int work(long nowNs) {
        return work(nowNs, nowNs);
    }

    /** A waiting transfer begins when the one before it ended, but not later than {@code beginNs}. */
    private int work(long nowNs, long beginNs) {
        int ended = 0;
        runErrands();
        for (SimulatedFlight flight = takeDue(nowNs, beginNs); flight != null; flight = takeDue(nowNs, beginNs)) {
            statistics.onEnd(flight.transfer, flight.dueNs);
            flight.transfer.end();
            runErrands();
            ended++;
        }
        return ended;
    }

    /**
     * Waits as {@link PageStore#await(BooleanSupplier, long)} does, but ends the transfers under way at once, on this thread: the
     * wait does not move the clock. The limit is compared with the time by the clock plus the time that the ended transfers would
     * have taken. While no transfer is under way another thread may be about to begin one; after about five seconds of real time
     * without one the wait ends.
     */
    @Override
    public boolean await(BooleanSupplier condition, long limitNs) {
        long beganNs = clock.nowNs();
        long skippedNs = 0;
        int idle = 0;
        boolean interrupted = false;
        boolean so = condition.getAsBoolean();
        while (!so && idle < IDLE_LOOKS_MAX && clock.nowNs() - beganNs + skippedNs < limitNs) {
            long nextNs = nextDeadlineNs();
            if (nextNs == SimulatedFlight.NEVER) {
                idle++;
                LockSupport.parkNanos(this, LOOK_NS);
                interrupted |= Thread.interrupted();
            } else {
                idle = 0;
                skippedNs += Math.max(SKIP_MIN_NS, nextNs - clock.nowNs());
                work(nextNs, clock.nowNs());
            }
            so = condition.getAsBoolean();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return so;
    }

    /** Takes the next transfer that is due and moves its pages. Its listener is not called yet. */
    private @Nullable SimulatedFlight takeDue(long nowNs, long beginNs) {
        synchronized (lock) {
            SimulatedFlight flight = working.peek();
            if (flight == null || flight.dueNs == SimulatedFlight.NEVER || flight.dueNs > nowNs) {
                return null;
            }
            working.remove();
            startNext(Math.min(flight.dueNs, beginNs));
            medium.move(flight);
            return flight;
        }
    }

    @Override
    public NanoClock clock() {
        return clock;
    }

    @Override
    public StoreStatistics statistics() {
        return statistics;
    }

    @Override
    public String name() {
        return "simulated page store";
    }

    @Override
    public void close() {
        List<SimulatedFlight> cut = new ArrayList<>();
        synchronized (lock) {
            closed = true;
            while (!working.isEmpty()) {
                cut.add(working.remove());
            }
            cut.addAll(readsWaiting);
            cut.addAll(writesWaiting);
            readsWaiting.clear();
            writesWaiting.clear();
            medium.forget(0, ranges.end());
        }
        runErrands();
        cut.forEach(flight -> end(flight.transfer, Outcome.CLOSED));
    }

    private void end(Transfer transfer, Outcome outcome) {
        transfer.outcomes(outcome);
        statistics.onEnd(transfer, clock.nowNs());
        transfer.end();
    }

    @Override
    public String toString() {
        return name();
    }
}
