package org.verbena.memory.paging;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Events, and whoever finds the place free to work them off. Nobody waits: who finds it occupied leaves its event and goes on,
 * and who leaves looks once more whether one came meanwhile.
 *
 * <p>The thread inside may be an engine's with packets waiting. So a turn is short ({@link TurnLimits}); what nobody waits for is
 * left for one who has time, a thread of the store or of a consumer; and after a few turns an engine leaves everything, and has
 * such a thread called.
 */
final class Monitor {
    /** What is left to do after a turn. */
    enum Rest {
        NOTHING,
        /** Something nobody waits for. */
        LATER,
        /** Something that somebody waits for and that can be done now. */
        NOW
    }

    /** One turn inside. */
    @FunctionalInterface
    interface Turn {
        /** After the events; anew if what failed before may be tried again. */
        Rest take(boolean anew);
    }

    private static final AtomicLong ORDER = new AtomicLong();

    private final Turn turn;
    private final Executor helpers;
    private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean occupied = new AtomicBoolean();
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicBoolean anew = new AtomicBoolean();
    private final AtomicBoolean called = new AtomicBoolean();
    private final AtomicInteger transfers = new AtomicInteger();
    private volatile Rest rest = Rest.NOTHING;
    /** Events that may still be worked off in this turn; inside. */
    private int left;

    /** Of two monitors, the one made later gets the higher number. */
    static long nextOrder() {
        return ORDER.getAndIncrement();
    }

    /** @param helpers run what is left for one who has time, soon; after this returned, if they have threads */
    Monitor(Turn turn, Executor helpers) {
        this.turn = turn;
        this.helpers = helpers;
    }

    /** Leaves an event for a later call. */
    void submit(Runnable event) {
        inbox.add(event);
    }

    /** Works an event off, now if the place is free. The caller has time. */
    void run(Runnable event) {
        inbox.add(event);
        work(true);
    }

    /** There may be something to do; the caller has no time. */
    void wake() {
        woken.set(true);
        work(false);
    }

    /** Something outside may have changed for the better; the caller has no time. */
    void retry() {
        anew.set(true);
        work(false);
    }

    /** A transfer begins, whose end will be told by {@link #onTransferEnded}. */
    void onTransferBegun() {
        transfers.getAndIncrement();
    }

    /** The end of a transfer, on a thread that has time. */
    void onTransferEnded(int pages, Runnable event) {
        transfers.getAndDecrement();
        run(() -> {
            left -= pages - 1;
            event.run();
        });
    }

    int transfers() {
        return transfers.get();
    }

    private void work(boolean patient) {
        for (int turns = 0; isDue(patient); turns++) {
            if (!patient && turns >= TurnLimits.TURNS_OF_THE_BUSY) {
                callForHelp();
                return;
            }
            if (!occupied.compareAndSet(false, true)) {
                return;
            }
            try {
                rest = takeTurn();
            } finally {
                occupied.set(false);
            }
        }
    }

    private void callForHelp() {
        if (called.compareAndSet(false, true)) {
            helpers.execute(() -> {
                called.set(false);
                work(true);
            });
        }
    }

    private boolean isDue(boolean patient) {
        return !inbox.isEmpty() || woken.get() || anew.get() || rest.compareTo(patient ? Rest.LATER : Rest.NOW) >= 0;
    }

    private Rest takeTurn() {
        woken.set(false);
        boolean again = anew.getAndSet(false);
        left = TurnLimits.EVENTS;
        for (Runnable event = inbox.poll(); event != null; event = --left > 0 ? inbox.poll() : null) {
            event.run();
        }
        return turn.take(again);
    }
}
