package org.verbena.adapter;

import org.jspecify.annotations.Nullable;

/**
 * Gives turns to queue pairs with work: round robin, a few packets each.
 *
 * <p>A queue pair that waited for a page comes behind the others. Many page faults may end at the same time, and so may many
 * waiting times of peers; if all these queue pairs were served at once, queue pairs without faults would have to wait. Therefore,
 * while a queue pair sends without faults, each resumed one costs effort that was spent for others before. Every turn earns at
 * least some effort, so that resumed queue pairs always go on.
 */
public final class Scheduler {
    private final ScheduledList waiting = new ScheduledList();
    /** Queue pairs that have sent in the present round and have more to send. */
    private final ScheduledList satisfied = new ScheduledList();
    /** Queue pairs that waited for a page. */
    private final ScheduledList resumed = new ScheduledList();

    private final Effort effort;
    /** Effort spent for others that resumed queue pairs have not used yet. */
    private long earned;
    /** Turns since a queue pair without recent faults has sent. */
    private int quietTurns = Limits.QUIET_TURNS;

    private @Nullable Scheduled running;

    /** {@code effort} is the meter that all transports add to. */
    public Scheduler(Effort effort) {
        this.effort = effort;
    }

    /** Puts a queue pair at the end of the list, unless it is in it. */
    public void add(Scheduled entry) {
        ScheduleMark mark = entry.scheduleMark();
        if (!mark.scheduled) {
            mark.scheduled = true;
            waiting.append(mark);
        }
    }

    /**
     * Has a queue pair served that waited for a page, or whose peer did. One that is in the list already, with other work, is
     * served from there.
     */
    public void addResumed(Scheduled entry) {
        ScheduleMark mark = entry.scheduleMark();
        mark.sentSinceFault = 0;
        if (!mark.scheduled && !mark.resumed) {
            mark.resumed = true;
            resumed.append(mark);
        }
    }

    public boolean isEmpty() {
        return waiting.size() == 0 && !hasResumed();
    }

    /** Whether a queue pair that waited for a page is to be served in one of the next turns. */
    boolean hasResumed() {
        return resumed.size() > 0;
    }

    /**
     * One round, or less when the turn's effort is used up. In the next round, queue pairs that could send nothing because their
     * carrier was full come before those that have sent: else the same few would find room in every turn.
     */
    void run(long nowNs) {
        long begun = effort.spent();
        long limit = begun + Limits.TRANSMIT_PER_TURN;
        quietTurns = Math.min(quietTurns + 1, Limits.QUIET_TURNS);
        for (int left = waiting.size(); left > 0 && effort.spent() < limit; left--) {
            ScheduleMark mark = waiting.take();
            mark.scheduled = false;
            if (serve(mark, nowNs) && ++mark.sentSinceFault > Limits.CALM_SENDS) {
                mark.sentSinceFault = Limits.CALM_SENDS;
                quietTurns = 0;
            }
        }
        earned += Math.max(1, effort.spent() - begun);
        runResumed(nowNs);
        admitSatisfied();
    }

    private void runResumed(long nowNs) {
        boolean quiet = quietTurns == Limits.QUIET_TURNS;
        long most = quiet ? Limits.RESUMED_PER_TURN : earned / Limits.RESUMED_PRICE;
        for (long left = Math.min(most, Limits.RESUMED_PER_TURN); left > 0 && hasResumed(); left--) {
            earned -= Limits.RESUMED_PRICE;
            ScheduleMark mark = resumed.take();
            mark.resumed = false;
            serve(mark, nowNs);
        }
        // The rest is enough for one queue pair: many faults after a calm time are served no faster than after a busy
        // one.
        earned = Math.clamp(earned, 0, Limits.RESUMED_PRICE);
    }

    /** Whether it sent something. */
    private boolean serve(ScheduleMark mark, long nowNs) {
        Scheduled entry = mark.owner;
        running = entry;
        long before = effort.spent();
        boolean wantsMore = entry.transmit(nowNs, Limits.TRANSMIT_PER_QUEUE_PAIR);
        boolean sent = effort.spent() > before;
        if (wantsMore) {
            comeAgain(mark, sent);
        }
        running = null;
        return sent;
    }

    private void comeAgain(ScheduleMark mark, boolean served) {
        if (!served || mark.scheduled) {
            add(mark.owner);
        } else {
            mark.scheduled = true;
            satisfied.append(mark);
        }
    }

    private void admitSatisfied() {
        while (satisfied.size() > 0) {
            waiting.append(satisfied.take());
        }
    }

    /** The queue pair whose turn was cut short; null if there is none. A second call returns null. */
    @Nullable
    Scheduled takeRunning() {
        Scheduled cut = running;
        running = null;
        admitSatisfied();
        return cut;
    }
}
