package org.verbena.adapter.pair;

import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.adapter.Commands;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Faults;
import org.verbena.adapter.Limits;
import org.verbena.adapter.TurnTime;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Durations;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.trace.Counters;

/**
 * The wait of one direction of a queue pair for pages: at most one fault at a time, from the access that met it until the same access
 * has been done. The pages are leased in between, so that they are not evicted again. Fault and lease both have a time limit,
 * whatever a driver or a peer does.
 */
public final class PageWait {
    /** Is told the end of the wait. */
    @FunctionalInterface
    public interface Listener {
        /** Called on the engine's thread: GRANTED, or the reason for which there are no pages; NOT_RESIDENT after the time limit. */
        void onPages(Verdict outcome);
    }

    private enum State {
        /** No fault. */
        IDLE,
        /** The pages are being brought in. */
        WAITING,
        /** The pages are resident and leased. */
        LEASED,
        /** The access that met a fault has not been done, but it neither waits nor has a lease. */
        UNSETTLED
    }

    private final TurnTime time;
    private final Commands commands;
    private final TimerWheel wheel;
    private final ProtectionTable memory;
    private final Faults faults;
    private final Counters counters;
    private final Listener listener;
    private final WheelTimer timer = new WheelTimer(this::onTimer);
    private State state = State.IDLE;
    private @Nullable Fault fault;
    /** When the access met its first fault. */
    private long sinceNs;
    /** When the present fault began. */
    private long beganNs;
    /** When the last wait ended. */
    private long endedNs;
    /** Faults of this access that found all pages resident when they started. */
    private int atOnce;

    private long leaseNs = Limits.PAGE_LEASE_NS;

    public PageWait(EngineParts parts, Listener listener) {
        this.time = parts.time();
        this.commands = parts.commands();
        this.wheel = parts.wheel();
        this.memory = parts.memory();
        this.faults = parts.faults();
        this.counters = parts.counters();
        this.listener = listener;
    }

    /** Whether the pages are being brought in: the access would fail. */
    public boolean isWaiting() {
        return state == State.WAITING;
    }

    /** Whether the pages are resident and leased. */
    public boolean isLeased() {
        return state == State.LEASED;
    }

    /** Whether an access that met a fault has not been done yet. */
    public boolean isOpen() {
        return state != State.IDLE;
    }

    /** A fault to be filled in, then {@link #start started}. */
    public Fault prepare() {
        boolean forgotten = state == State.UNSETTLED && time.nowNs() - endedNs > leaseNs;
        if (state == State.IDLE || forgotten) {
            sinceNs = time.nowNs();
            atOnce = 0;
        }
        drop();
        Fault made = new Fault(memory, this::onEnd);
        fault = made;
        state = State.UNSETTLED;
        faults.onOpened();
        return made;
    }

    /**
     * Starts the fault prepared last. If its pages are resident at once, and the access still fails when it is tried again, another
     * resource is short; then the wait is a pause.
     *
     * @return whether the access may be tried again at once; false: the listener will be told
     */
    public boolean start() {
        Fault begun = fault;
        assert begun != null : "nothing was prepared";
        beganNs = time.nowNs();
        if (begun.start()) {
            begun.tellEnd(begun.outcome(), 0);
            return endedAtOnce(begun);
        }
        state = State.WAITING;
        scheduleWaiting(beganNs);
        return false;
    }

    private boolean endedAtOnce(Fault begun) {
        if (begun.outcome().granted() && atOnce++ == 0) {
            leased();
            return true;
        }
        state = State.WAITING;
        if (begun.outcome().granted()) {
            drop();
            long pauseNs = Limits.FAULT_STALL_NS << Math.min(atOnce - 2, 6);
            schedule(beganNs, Math.min(beganNs + pauseNs, Durations.deadlineNs(sinceNs, faults.limitNs())));
        } else {
            commands.submit(() -> onEndHere(begun));
        }
        return false;
    }

    /** The time that the access may wait on before the time limit ends its wait. */
    public long restNs() {
        return Math.max(0, faults.limitNs() - (time.nowNs() - sinceNs));
    }

    /** Sets the time for which the pages are leased for an access that is not tried again. */
    public void leaseNs(long ns) {
        leaseNs = ns;
    }

    /** The access was done, or never will be: ends the wait and the lease. */
    public void release() {
        if (state != State.IDLE) {
            drop();
            state = State.IDLE;
            leaseNs = Limits.PAGE_LEASE_NS;
        }
    }

    /** Hands the lease over to the caller, which must release it; null if there is none. */
    public @Nullable Fault take() {
        Fault kept = state == State.LEASED ? fault : null;
        if (kept != null) {
            fault = null;
            faults.onReleased();
            release();
        }
        return kept;
    }

    private void drop() {
        Fault old = fault;
        if (old != null) {
            fault = null;
            old.tellEnd(Verdict.NOT_RESIDENT, time.nowNs() - beganNs);
            old.release();
            faults.onReleased();
        }
        wheel.cancel(timer);
    }

    /** Any thread. */
    private void onEnd(Fault ended) {
        commands.submitAndWake(() -> onEndHere(ended));
    }

    private void onEndHere(Fault ended) {
        if (ended != fault || state != State.WAITING) {
            return; // given up meanwhile
        }
        Verdict outcome = ended.outcome();
        ended.tellEnd(outcome, time.nowNs() - beganNs);
        if (!outcome.granted()) {
            end(outcome);
            return;
        }
        faults.times().add(time.nowNs() - beganNs);
        leased();
        listener.onPages(outcome);
    }

    private void leased() {
        state = State.LEASED;
        endedNs = time.nowNs();
        counters.add(Counter.PAGE_LEASES);
        schedule(time.nowNs(), time.nowNs() + leaseNs);
    }

    private void end(Verdict outcome) {
        release();
        listener.onPages(outcome);
    }

    private void onTimer(long nowNs) {
        if (state == State.LEASED) {
            counters.add(Counter.PAGE_LEASES_EXPIRED);
            drop();
            state = State.UNSETTLED;
        } else if (state == State.WAITING && nowNs - sinceNs >= faults.limitNs()) {
            counters.add(Counter.PAGE_FAULT_LIMITS);
            end(Verdict.NOT_RESIDENT);
        } else if (state == State.WAITING && fault == null) {
            state = State.UNSETTLED;
            endedNs = nowNs;
            listener.onPages(Verdict.GRANTED);
        } else if (state == State.WAITING && fault != null) {
            scheduleWaiting(nowNs);
            fault.poke();
        }
    }

    private void scheduleWaiting(long nowNs) {
        schedule(nowNs, Math.min(nowNs + Limits.FAULT_POKE_NS, Durations.deadlineNs(sinceNs, faults.limitNs())));
    }

    private void schedule(long nowNs, long deadlineNs) {
        wheel.schedule(timer, Math.max(nowNs, deadlineNs));
    }
}
