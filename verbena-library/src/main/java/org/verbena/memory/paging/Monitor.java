package org.verbena.memory.paging;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events of a driver, and the place in which one thread at a time works them off. No thread waits: a thread that finds the
 * monitor occupied leaves its event and goes on, and a thread that leaves the monitor looks for new events once more.
 *
 * <p>A thread inside may be an engine's thread with packets waiting: it has no time. So a turn is short ({@link TurnLimits}). Work
 * that no request waits for is left for a thread that has time, a thread of the store or of a consumer. After a few turns an
 * engine's thread leaves all work, and calls a thread of the store for it.
 *
 * <p>A thread that has time may find the monitor occupied by one that has none, or its event worked off by such a thread. If the thread
 * without time then leaves work behind, it calls a thread of the store, unless a transfer is under way: at the end of the transfer a thread
 * that has time comes anyway.
 */
final class Monitor {
    /** The work that is left after a turn. */
    enum Rest {
        /** No work is left. */
        NOTHING,
        /** Work that no request waits for. */
        LATER,
        /** Work that a request waits for and that can be done now. */
        NOW
    }

    /** One turn inside. */
    @FunctionalInterface
    interface Turn {
        /**
         * Called after the events of the turn.
         *
         * @param retry whether to retry what could not be done before
         */
        Rest take(boolean retry);
    }

    private static final AtomicLong ORDER = new AtomicLong();

    private final Turn turn;
    private final Executor helpers;
    private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean occupied = new AtomicBoolean();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicBoolean retry = new AtomicBoolean();
    private final AtomicBoolean called = new AtomicBoolean();
    /** A thread that has time found the monitor occupied, and none has been inside since. */
    private final AtomicBoolean turnedAway = new AtomicBoolean();

    private final AtomicInteger transfers = new AtomicInteger();
    private volatile Rest rest = Rest.NOTHING;
    /** Number of events that this turn may still work off. Used inside. */
    private int left;
    /** Threads without time have worked off an event of a thread that had time, and have left work since. Used inside. */
    private boolean owed;

    /** An event of a thread that has time. */
    private final class Brought implements Runnable {
        private final Runnable event;

        Brought(Runnable event) {
            this.event = event;
        }

        @Override
        public void run() {
            owed = true;
            event.run();
        }
    }

    /** Number for a new monitor: higher than those given before. */
    static long nextOrder() {
        return ORDER.getAndIncrement();
    }

    /** @param helpers threads that have time: they run a command soon, after {@code execute} returned if they are threads */
    Monitor(Turn turn, Executor helpers) {
        this.turn = turn;
        this.helpers = helpers;
    }

    /** Leaves an event for the next turn. */
    void submit(Runnable event) {
        inbox.add(event);
    }

    /** Adds an event, and takes turns if the monitor is free. The caller has time. */
    void run(Runnable event) {
        inbox.add(new Brought(event));
        work(true);
    }

    /** Takes a turn if the monitor is free. The caller has no time. */
    void wake() {
        woken.set(true);
        work(false);
    }

    /** Has the next turn retry what could not be done before. The caller has no time. */
    void retry() {
        retry.set(true);
        work(false);
    }

    /** A transfer begins. {@link #onTransferEnded} follows. */
    void onTransferBegun() {
        transfers.getAndIncrement();
    }

    /** A transfer has ended. The caller has time. */
    void onTransferEnded(int pages, Runnable event) {
        transfers.getAndDecrement();
        run(() -> {
            left -= pages - 1;
            event.run();
        });
    }

    /** Number of transfers under way. */
    int transfers() {
        return transfers.get();
    }

    private void work(boolean hasTime) {
        boolean owes = false;
        for (int turns = 0; isDue(hasTime); turns++) {
            if (!hasTime && turns >= TurnLimits.TURNS_OF_THE_BUSY) {
                callForHelp();
                return;
            }
            if (!occupied.compareAndSet(false, true)) {
                if (!hasTime || isStillOccupied()) {
                    return;
                }
                continue; // the thread inside has left, perhaps before it was told
            }
            try {
                if (hasTime) {
                    turnedAway.set(false);
                }
                rest = takeTurn();
                owed &= !hasTime && rest != Rest.NOTHING;
                owes = owed;
            } finally {
                occupied.set(false);
            }
        }
        if (!hasTime && rest == Rest.LATER && (owes || turnedAway.get()) && transfers.get() == 0) {
            callForHelp();
        }
    }

    /**
     * Whether a thread is inside. That thread is told first that this one, which has time, is turned away. The thread inside leaves before it
     * looks whether it was told: so one of the two sees the other.
     */
    private boolean isStillOccupied() {
        turnedAway.set(true);
        return occupied.get();
    }

    private void callForHelp() {
        if (called.compareAndSet(false, true)) {
            helpers.execute(() -> {
                called.set(false);
                work(true);
            });
        }
    }

    private boolean isDue(boolean hasTime) {
        return !inbox.isEmpty() || woken.get() || retry.get() || rest.compareTo(hasTime ? Rest.LATER : Rest.NOW) >= 0;
    }

    private Rest takeTurn() {
        woken.set(false);
        boolean again = retry.getAndSet(false);
        left = TurnLimits.EVENTS;
        for (Runnable event = inbox.poll(); event != null; event = --left > 0 ? inbox.poll() : null) {
            event.run();
        }
        return turn.take(again);
    }
}
