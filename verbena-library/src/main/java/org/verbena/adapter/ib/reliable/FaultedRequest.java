package org.verbena.adapter.ib.reliable;

import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.pair.PageWait;
import org.verbena.memory.faults.Fault;
import org.verbena.time.Timer;
import org.verbena.time.TimerWheel;
import org.verbena.wire.ib.Psn;

/**
 * The peer's request that met a page fault, and what the peer is told of it: to come again later; and, when the pages are
 * there, that it may come now. That it is told twice, since neither of both is answered; and, if it is known to come at that
 * word, now and then again until its own time is over.
 */
final class FaultedRequest {
    private final ReliableConnection connection;
    private final TurnTime time;
    private final TimerWheel wheel;
    private final Answerer answerer;
    private final PageWait pages;
    private final RnrPolicy policy;
    private final Timer inviteAgain = new Timer(this::onInviteAgain);
    private long inviteAgainInNs;
    /** Many may be invited at once; from when it has left the peer can come. */
    private final Runnable onInvited;
    /** Its number; it stays the one awaited until it has been executed. */
    private int psn;

    FaultedRequest(ReliableConnection connection, EngineParts parts, Answerer answerer, PageWait.Listener listener) {
        this.connection = connection;
        this.time = parts.time();
        this.wheel = parts.wheel();
        this.answerer = answerer;
        this.pages = new PageWait(parts, listener);
        this.policy = new RnrPolicy(parts.faults().times());
        this.onInvited = () -> policy.onInvited(time.nowNs());
    }

    /** A connection begins. */
    void begin() {
        release();
        policy.begin();
    }

    /** Whether there is one. */
    boolean isOpen() {
        return pages.isOpen();
    }

    /** Whether its pages are not there yet. */
    boolean isWaiting() {
        return pages.isWaiting();
    }

    /** A fault to be filled in, then {@link #start started}. */
    Fault prepare() {
        return pages.prepare();
    }

    /** Starts the fault; whether the request may be tried again at once. */
    boolean start() {
        return pages.start();
    }

    /** The request with this number has to wait: the peer is told for how long, which is returned. */
    long refuse(int number) {
        psn = number;
        answerer.faulted(psn, policy.first(time.nowNs(), measuredNs(), canBeCalled()));
        return told();
    }

    /**
     * Whether the peer can't know yet that it has to wait: what it sends again it sends for want of an answer, which is on its
     * way. If that is lost, it will ask once more.
     */
    boolean isYetToBeKnown() {
        return answerer.isYetToBeKnown(roundTripNs());
    }

    /** It came again, and has to wait on: the peer is told for how long, which is returned. */
    long refuseAgain() {
        answerer.faulted(psn, policy.again(time.nowNs(), measuredNs()));
        return told();
    }

    /** What was executed before it came again: the peer knows of neither answer, and is told again for how long to wait, which is returned. */
    long remind() {
        answerer.faulted(psn, policy.remind(time.nowNs()));
        return policy.toldNs();
    }

    private long told() {
        pages.leaseNs(Math.clamp(4 * policy.toldNs(), Limits.PAGE_LEASE_NS, Limits.PAGE_LEASE_MAX_NS));
        return policy.toldNs();
    }

    /** The pages are there: the peer is told, if it can be. After the time returned it comes, if it comes at its word. */
    long invite() {
        long roundTripNs = roundTripNs();
        if (!tell()) {
            return Long.MAX_VALUE;
        }
        inviteAgainInNs = 2 * roundTripNs;
        wheel.schedule(inviteAgain, time.nowNs() + inviteAgainInNs);
        return roundTripNs;
    }

    private void onInviteAgain(long nowNs) {
        if (pages.isLeased() && tell()) {
            inviteAgainInNs *= 2;
            if (policy.isWorthCalling(nowNs + inviteAgainInNs)) {
                wheel.schedule(inviteAgain, nowNs + inviteAgainInNs);
            }
        }
    }

    private boolean tell() {
        if (!canBeCalled()) {
            return false;
        }
        answerer.invite(Psn.previous(psn), onInvited);
        return true;
    }

    /**
     * It is called by an acknowledgement of what is before it. Where that is a read or an atomic, Linux would take it for the
     * answer and the data for received. What a peer has shown is no proof that it is no Linux, so it comes by its timer.
     */
    private boolean canBeCalled() {
        return !answerer.namesData(Psn.previous(psn));
    }

    /** The request came; what becomes of it is not known yet. */
    void onCame() {
        wheel.cancel(inviteAgain);
        policy.onCame(time.nowNs(), measuredNs());
    }

    /** It was executed, or never will be. */
    void release() {
        wheel.cancel(inviteAgain);
        pages.release();
    }

    /** A round trip, as far as known. */
    long roundTripNs() {
        return policy.roundTripNs(measuredNs());
    }

    private long measuredNs() {
        return connection.roundTrip().measuredNs();
    }
}
