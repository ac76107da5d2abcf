package org.verbena.adapter.ib.reliable;

import org.verbena.RnrTimer;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.TurnTime;
import org.verbena.adapter.pair.PageWait;
import org.verbena.memory.faults.Fault;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;
import org.verbena.wire.ib.Psn;

/**
 * The peer's request that met a page fault. The peer is told to wait by an RNR NAK and, when the pages are present, is invited to
 * send again by an acknowledgement. The invitation is sent twice, because no packet answers it. To a peer that is known to come at
 * an invitation it is repeated until the peer's own timer is over.
 */
final class FaultedRequest {
    private final ReliableConnection connection;
    private final TurnTime time;
    private final TimerWheel wheel;
    private final Answerer answerer;
    private final PageWait pages;
    private final PeerRetries retries;
    private final RnrPolicy policy;
    private final WheelTimer inviteAgain = new WheelTimer(this::onInviteAgain);
    private long inviteAgainInNs;
    /** Runs when the invitation has left, which may be later if many peers are invited at once. */
    private final Runnable onInvited;
    /** Number of the request; it stays the expected number until the request has been executed. */
    private int psn;

    FaultedRequest(ReliableConnection connection, EngineParts parts, Answerer answerer, PageWait.Listener listener) {
        this.connection = connection;
        this.time = parts.time();
        this.wheel = parts.wheel();
        this.answerer = answerer;
        this.pages = new PageWait(parts, listener);
        this.retries = answerer.peerRetries();
        this.policy = new RnrPolicy(parts.faults().times(), retries);
        this.onInvited = () -> policy.onInvited(time.nowNs());
    }

    /** A connection begins. */
    void begin() {
        release();
        policy.begin();
    }

    /** Whether a request met a fault, and has not been executed. */
    boolean isOpen() {
        return pages.isOpen();
    }

    /** Whether its pages are not present yet. */
    boolean isWaiting() {
        return pages.isWaiting();
    }

    /** A fault for the caller to fill in and {@link #start}. */
    Fault prepare() {
        return pages.prepare();
    }

    /** Starts the fault; returns whether the request may be tried again at once. */
    boolean start() {
        return pages.start();
    }

    /** The request with this number has to wait: tells the peer; returns for how long. */
    long refuse(int number) {
        psn = number;
        retries.onRequest(number);
        return tell(policy.first(time.nowNs(), measuredNs(), canBeInvited(), pages.restNs()));
    }

    /**
     * Whether the peer cannot know yet that it has to wait, because the NAK is under way. A packet that the peer sends again
     * meanwhile needs no second NAK: if the first is lost, the peer sends once more.
     */
    boolean isNakUnderWay() {
        return answerer.isNakUnderWay(roundTripNs());
    }

    /** The request came again before its pages: tells the peer to wait on; returns for how long. */
    long refuseAgain() {
        return tell(policy.again(time.nowNs(), measuredNs(), pages.restNs()));
    }

    /**
     * A request came again that was executed before this one. The peer has received neither answer: tells it again for how long to
     * wait, and returns that time.
     */
    long remind() {
        return tell(policy.remind(time.nowNs(), measuredNs(), pages.restNs()));
    }

    /** Tells the peer to wait for this time. The pages of a peer with few retries are leased for all of it: the next fault may be one too many. */
    private long tell(RnrTimer timer) {
        answerer.faulted(psn, timer);
        long toldNs = timer.nanoseconds();
        long leaseNs = Math.clamp(4 * toldNs, Limits.PAGE_LEASE_NS, Limits.PAGE_LEASE_MAX_NS);
        pages.leaseNs(retries.areEndless() ? leaseNs : Math.max(leaseNs, toldNs + Limits.PAGE_LEASE_NS));
        return toldNs;
    }

    /**
     * The pages are present: invites the peer, if that is possible. Returns the time after which a peer that comes at an invitation
     * is here, Long.MAX_VALUE if it was not invited.
     */
    long invite() {
        long roundTripNs = roundTripNs();
        if (!sendInvitation()) {
            return Long.MAX_VALUE;
        }
        inviteAgainInNs = 2 * roundTripNs;
        wheel.schedule(inviteAgain, time.nowNs() + inviteAgainInNs);
        return roundTripNs;
    }

    private void onInviteAgain(long nowNs) {
        if (pages.isLeased() && sendInvitation()) {
            inviteAgainInNs *= 2;
            if (policy.isWorthCalling(nowNs + inviteAgainInNs)) {
                wheel.schedule(inviteAgain, nowNs + inviteAgainInNs);
            }
        }
    }

    private boolean sendInvitation() {
        if (!canBeInvited()) {
            return false;
        }
        answerer.invite(Psn.previous(psn), onInvited);
        return true;
    }

    /**
     * The invitation acknowledges the number before the request. If that is the number of a read or an atomic, Linux would take
     * the acknowledgement for the answer, and the data for received. A peer cannot prove that it is no Linux, so each such peer
     * comes by its timer.
     */
    private boolean canBeInvited() {
        return !answerer.namesData(Psn.previous(psn));
    }

    /** The request came again. */
    void onCame() {
        wheel.cancel(inviteAgain);
        policy.onCame(time.nowNs(), measuredNs());
    }

    /** The request was executed, or the connection ends: releases the pages. */
    void release() {
        wheel.cancel(inviteAgain);
        pages.release();
    }

    /** Time of a round trip, as far as it is known. */
    long roundTripNs() {
        return policy.roundTripNs(measuredNs());
    }

    private long measuredNs() {
        return connection.roundTrip().measuredNs();
    }
}
