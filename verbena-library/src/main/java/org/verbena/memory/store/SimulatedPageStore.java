package org.verbena.memory.store;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.verbena.time.Clock;
import org.verbena.time.Seed;

/**
 * A store in memory and in virtual time, for simulations and tests: it takes as long as it is told, fails as it is told,
 * and does the same again for the same seed. It has no thread: transfers end in {@link #work}, on the caller's.
 *
 * <p>Like a disk it works at a few transfers at a time; the others wait, reads before writes. Like a disk, too, it takes
 * the bytes of a write whenever it likes before the end. Here the checksum is of the bytes at submission and the slot gets
 * those at the end, so a page that changed in between reads as {@link Outcome#CORRUPT}: whoever relies on it is found out.
 */
public final class SimulatedPageStore implements PageStore {
    /** Transfers a disk works at together. */
    public static final int PARALLEL = 4;

    /** Looks in a row of one who waits while nothing is under way: some five seconds of real time. */
    private static final int IDLE_LOOKS_MAX = 5000;
    /** What a transfer that takes no time counts for one who waits, lest he try again for ever. */
    private static final long SKIP_MIN_NS = 20_000;

    private final Clock clock;
    private final ServiceTime service;
    private final Seed jitter;
    private final Seed chance;
    private final int parallel;
    private final SlotRanges ranges = new SlotRanges();
    private final SlotBook book = new SlotBook();
    private final StoreStatistics statistics = new StoreStatistics();

    // Everything below: under the lock.
    private final Object lock = new Object();
    private final CRC32C crc = new CRC32C();
    private final Map<Long, byte[]> contents = new HashMap<>();
    private final ArrayDeque<Runnable> errands = new ArrayDeque<>();
    private final ArrayDeque<SimulatedFlight> readsWaiting = new ArrayDeque<>();
    private final ArrayDeque<SimulatedFlight> writesWaiting = new ArrayDeque<>();
    private final PriorityQueue<SimulatedFlight> working = new PriorityQueue<>(SimulatedFlight::compareByEnd);
    private final long[] pages = new long[Transfer.Kind.values().length];
    private final long[] transfers = new long[Transfer.Kind.values().length];
    private StoreFaults faults = StoreFaults.NONE;
    private long started;
    private boolean closed;

    /** Works at {@value #PARALLEL} transfers at a time. */
    public SimulatedPageStore(Clock clock, ServiceTime service, Seed seed) {
        this(clock, service, seed, PARALLEL);
    }

    /**
     * @param clock shows the time at which a transfer is submitted
     * @param seed of the jitter and of errors by chance
     * @param parallel transfers it works at together
     */
    public SimulatedPageStore(Clock clock, ServiceTime service, Seed seed, int parallel) {
        if (parallel < 1) {
            throw new IllegalArgumentException(parallel + " transfers at a time found, at least 1 expected");
        }
        this.clock = clock;
        this.service = service;
        this.jitter = seed.fork("jitter");
        this.chance = seed.fork("errors");
        this.parallel = parallel;
    }

    /** What goes wrong from now on, instead of what did. Counts begin anew. */
    public void inject(StoreFaults injected) {
        synchronized (lock) {
            faults = injected;
            pages[0] = pages[1] = transfers[0] = transfers[1] = 0;
        }
    }

    /**
     * Flips a bit of what a slot holds.
     *
     * @throws IllegalArgumentException if it holds nothing
     */
    public void corrupt(long slot) {
        synchronized (lock) {
            byte[] content = contents.get(slot);
            if (content == null) {
                throw new IllegalArgumentException("slot " + slot + " holds nothing that could be corrupted");
            }
            content[(int) (slot % PAGE)] ^= 0x10;
        }
    }

    /** Lets stalled transfers end, now. */
    public void resume() {
        synchronized (lock) {
            List<SimulatedFlight> stalled = new ArrayList<>(working);
            stalled.removeIf(flight -> flight.dueNs != SimulatedFlight.NEVER);
            working.removeAll(stalled);
            stalled.forEach(flight -> flight.dueNs = clock.nowNs());
            working.addAll(stalled);
        }
    }

    /** Transfers submitted and not ended, stalled ones too. */
    public int underWay() {
        synchronized (lock) {
            return working.size() + readsWaiting.size() + writesWaiting.size();
        }
    }

    @Override
    public long reserve(long slots) {
        return ranges.reserve(slots);
    }

    @Override
    public void release(long firstSlot, long slots) {
        synchronized (lock) {
            ranges.check(firstSlot, slots);
            if (book.forget(firstSlot, slots)) {
                contents.keySet().removeIf(slot -> slot >= firstSlot && slot < firstSlot + slots);
            }
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
        Transfer.Kind kind = transfer.kind();
        boolean stalls = ++transfers[kind.ordinal()] == faults.of(kind).stallAt();
        transfer.submittedNs = clock.nowNs();
        SimulatedFlight flight = new SimulatedFlight(transfer, stalls, crc);
        (kind == Transfer.Kind.READ ? readsWaiting : writesWaiting).add(flight);
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

    /** When {@link #work} has something to do next; {@link Long#MAX_VALUE} if nothing is under way or all of it stalls. */
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
     * Ends the transfers that are due, in order of their times.
     *
     * @return how many
     */
    public int work(long nowNs) {
        return work(nowNs, nowNs);
    }

    /** Those that waited begin when there was room, but not later than at a time. */
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
     * Ends transfers now, whatever time it is: who waits for them moves no clock, and keeps nobody waiting who comes later. To
     * the limit count the time by the clock and what the transfers that were ended would have taken. While none is under way
     * another thread may be about to begin one; when none has for long, none will.
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

    /** Takes the next that is due, with all its effects but the news of it. */
    private @Nullable SimulatedFlight takeDue(long nowNs, long beginNs) {
        synchronized (lock) {
            SimulatedFlight flight = working.peek();
            if (flight == null || flight.dueNs == SimulatedFlight.NEVER || flight.dueNs > nowNs) {
                return null;
            }
            working.remove();
            startNext(Math.min(flight.dueNs, beginNs));
            for (int page = 0; page < flight.transfer.pages(); page++) {
                flight.transfer.outcome(page, tryMove(flight, page));
            }
            return flight;
        }
    }

    /** A page whose memory is gone has failed, as it would with a real store; no one else suffers from it. */
    private Outcome tryMove(SimulatedFlight flight, int page) {
        try {
            return move(flight, page);
        } catch (IllegalStateException memoryClosed) {
            return Outcome.IO_ERROR;
        }
    }

    private Outcome move(SimulatedFlight flight, int page) {
        Transfer.Kind kind = flight.transfer.kind();
        StoreFaults.Direction direction = faults.of(kind);
        boolean fails = ++pages[kind.ordinal()] == direction.errorAt() || chance.chance(direction.errorRate());
        long slot = flight.transfer.slot(page);
        MemorySegment memory = flight.transfer.page(page);
        if (kind == Transfer.Kind.READ) {
            return fails ? Outcome.IO_ERROR : read(slot, memory);
        }
        return write(slot, memory, flight.checksums[page], fails);
    }

    private Outcome read(long slot, MemorySegment memory) {
        if (!book.holds(slot)) {
            return Outcome.CORRUPT;
        }
        MemorySegment.copy(MemorySegment.ofArray(Objects.requireNonNull(contents.get(slot))), 0, memory, 0, PAGE);
        return book.matches(slot, SlotBook.checksum(crc, memory)) ? Outcome.DONE : Outcome.CORRUPT;
    }

    private Outcome write(long slot, MemorySegment memory, int checksum, boolean fails) {
        if (!book.claim(slot, faults.room())) {
            return Outcome.NO_SPACE;
        }
        if (fails) {
            book.forget(slot);
            contents.remove(slot);
            return Outcome.IO_ERROR;
        }
        contents.put(slot, memory.toArray(ValueLayout.JAVA_BYTE));
        book.onWritten(slot, checksum);
        return Outcome.DONE;
    }

    @Override
    public long slotsUsed() {
        return book.used();
    }

    @Override
    public Clock clock() {
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
            contents.clear();
            book.forget(0, ranges.end());
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
