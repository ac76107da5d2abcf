package org.verbena.adapter;

import org.jspecify.annotations.Nullable;
import org.verbena.adapter.ib.Transmitter;

/**
 * Whose turn it is: transports with work, served round robin, a few packets each.
 *
 * <p>Those that waited for a page come behind the others. Many faults end together, or many peers' times: served at once they
 * would keep those waiting who have no fault. So while somebody sends without faults, each of them has to be earned by what is
 * done for others; but a turn always earns something, and nobody keeps them from going on.
 */
public final class Scheduler {
    private final TransportList waiting = new TransportList();
    /** Those who have sent in the present round and want to go on. */
    private final TransportList satisfied = new TransportList();
    /** Those who waited for a page. */
    private final TransportList resumed = new TransportList();

    private long earned;
    /** Turns since somebody sent who has had no fault for a while. */
    private int quietTurns = Limits.QUIET_TURNS;

    private @Nullable Transport running;

    /** Puts a transport at the end of the list, unless it is in it. */
    public void add(Transport transport) {
        ScheduleMark mark = transport.scheduleMark();
        if (!mark.scheduled) {
            mark.scheduled = true;
            waiting.append(transport);
        }
    }

    /** Has a transport served that waited for a page, or whose peer did. One that has other work as well is served with that. */
    public void addResumed(Transport transport) {
        ScheduleMark mark = transport.scheduleMark();
        mark.sentSinceFault = 0;
        if (!mark.scheduled && !mark.resumed) {
            mark.resumed = true;
            resumed.append(transport);
        }
    }

    public boolean isEmpty() {
        return waiting.size() == 0 && !hasResumed();
    }

    /** Whether somebody who waited for a page is to be served in one of the next turns, whatever happens. */
    boolean hasResumed() {
        return resumed.size() > 0;
    }

    /**
     * One round, or less when the turn's effort is used up. Who could send nothing, because the link is full, comes before
     * those who could: else the same few would find room in every turn.
     */
    void run(long nowNs, Transmitter transmitter) {
        long begun = transmitter.effort();
        long limit = begun + Limits.TRANSMIT_PER_TURN;
        quietTurns = Math.min(quietTurns + 1, Limits.QUIET_TURNS);
        for (int left = waiting.size(); left > 0 && transmitter.effort() < limit; left--) {
            Transport transport = waiting.take();
            ScheduleMark mark = transport.scheduleMark();
            mark.scheduled = false;
            if (serve(transport, nowNs, transmitter) && ++mark.sentSinceFault > Limits.CALM_SENDS) {
                mark.sentSinceFault = Limits.CALM_SENDS;
                quietTurns = 0;
            }
        }
        earned += Math.max(1, transmitter.effort() - begun);
        runResumed(nowNs, transmitter);
        admitSatisfied();
    }

    private void runResumed(long nowNs, Transmitter transmitter) {
        boolean quiet = quietTurns == Limits.QUIET_TURNS;
        long most = quiet ? Limits.RESUMED_PER_TURN : earned / Limits.RESUMED_PRICE;
        for (long left = Math.min(most, Limits.RESUMED_PER_TURN); left > 0 && hasResumed(); left--) {
            earned -= Limits.RESUMED_PRICE;
            Transport transport = resumed.take();
            ScheduleMark mark = transport.scheduleMark();
            mark.resumed = false;
            serve(transport, nowNs, transmitter);
        }
        // What is left is good for one: a storm after a long calm is no different.
        earned = Math.clamp(earned, 0, Limits.RESUMED_PRICE);
    }

    /** Whether it sent something. */
    private boolean serve(Transport transport, long nowNs, Transmitter transmitter) {
        running = transport;
        long before = transmitter.effort();
        boolean wantsMore = transport.transmit(nowNs, Limits.TRANSMIT_PER_QUEUE_PAIR);
        boolean sent = transmitter.effort() > before;
        if (wantsMore) {
            comeAgain(transport, sent);
        }
        running = null;
        return sent;
    }

    private void comeAgain(Transport transport, boolean served) {
        ScheduleMark mark = transport.scheduleMark();
        if (!served || mark.scheduled) {
            add(transport);
        } else {
            mark.scheduled = true;
            satisfied.append(transport);
        }
    }

    private void admitSatisfied() {
        while (satisfied.size() > 0) {
            waiting.append(satisfied.take());
        }
    }

    /** Whose turn was cut short; null if nobody's was. Asked once. */
    @Nullable
    Transport takeRunning() {
        Transport cut = running;
        running = null;
        admitSatisfied();
        return cut;
    }
}
