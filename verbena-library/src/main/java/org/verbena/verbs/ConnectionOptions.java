package org.verbena.verbs;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.verbena.adapter.Limits;
import org.verbena.memory.Right;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.RnrTimer;

/**
 * How a connection behaves; of an unreliable one only MTU, rights, partition and route count. Both ends must use the same MTU and partition; outstanding reads of one end must
 * not exceed the inbound reads of the other. Immutable; the {@code with} methods give changed copies.
 *
 * @param mtu largest payload of a packet
 * @param remoteRights what the peer may do at all, whatever keys it has: read, write, atomics
 * @param outstandingReads reads and atomics on the wire at once
 * @param inboundReads reads and atomics of the peer's kept for repetition
 * @param ackTimeout how long an answer is waited for before a retry; zero: for ever
 * @param retries retries without an answer before giving up, 0 … 7
 * @param rnrRetries retries at a peer without a receive, 0 … 6; 7: for ever
 * @param rnrTimer how long a peer is told to wait when no receive is posted
 * @param endToEndCredits whether acknowledgements tell the peer how many receives are posted
 * @param pkey partition; must be in the port's table
 * @param route service level or traffic class, hop limit and the like of its packets
 */
public record ConnectionOptions(
        Mtu mtu,
        Set<Right> remoteRights,
        int outstandingReads,
        int inboundReads,
        Duration ackTimeout,
        int retries,
        int rnrRetries,
        RnrTimer rnrTimer,
        boolean endToEndCredits,
        int pkey,
        Route route) {
    /** MTU 4096, all remote rights, 16 reads each way, 67 ms, 7 retries, RNR retries for ever after 10 µs each. */
    public static final ConnectionOptions DEFAULT = new ConnectionOptions(
            Mtu.MTU_4096,
            EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC),
            16,
            16,
            Duration.ofNanos(67_108_864),
            7,
            7,
            RnrTimer.atLeast(10),
            false,
            Bth.DEFAULT_PKEY,
            Route.DEFAULT);

    public ConnectionOptions {
        remoteRights = Set.copyOf(remoteRights);
        QueuePairOptions.require("outstandingReads", outstandingReads, 0, Limits.INBOUND_READS_MAX);
        QueuePairOptions.require("inboundReads", inboundReads, 0, Limits.INBOUND_READS_MAX);
        QueuePairOptions.require("retries", retries, 0, 7);
        QueuePairOptions.require("rnrRetries", rnrRetries, 0, 7);
        QueuePairOptions.require("pkey", pkey, 0, 0xffff);
        if (ackTimeout.isNegative()) {
            throw new IllegalArgumentException("ackTimeout must not be negative; found " + ackTimeout);
        }
    }

    public ConnectionOptions withMtu(Mtu other) {
        Draft draft = new Draft(this);
        draft.mtu = other;
        return draft.finish();
    }

    public ConnectionOptions withRemoteRights(Set<Right> rights) {
        Draft draft = new Draft(this);
        draft.remoteRights = rights;
        return draft.finish();
    }

    public ConnectionOptions withReads(int outstanding, int inbound) {
        Draft draft = new Draft(this);
        draft.outstandingReads = outstanding;
        draft.inboundReads = inbound;
        return draft.finish();
    }

    public ConnectionOptions withRetries(int count, Duration timeout) {
        Draft draft = new Draft(this);
        draft.retries = count;
        draft.ackTimeout = timeout;
        return draft.finish();
    }

    public ConnectionOptions withRnr(int count, RnrTimer timer) {
        Draft draft = new Draft(this);
        draft.rnrRetries = count;
        draft.rnrTimer = timer;
        return draft.finish();
    }

    public ConnectionOptions withEndToEndCredits(boolean on) {
        Draft draft = new Draft(this);
        draft.endToEndCredits = on;
        return draft.finish();
    }

    public ConnectionOptions withPkey(int key) {
        Draft draft = new Draft(this);
        draft.pkey = key;
        return draft.finish();
    }

    public ConnectionOptions withRoute(Route how) {
        Draft draft = new Draft(this);
        draft.route = how;
        return draft.finish();
    }

    /** A copy being changed. */
    private static final class Draft {
        private Mtu mtu;
        private Set<Right> remoteRights;
        private int outstandingReads;
        private int inboundReads;
        private Duration ackTimeout;
        private int retries;
        private int rnrRetries;
        private RnrTimer rnrTimer;
        private boolean endToEndCredits;
        private int pkey;
        private Route route;

        private Draft(ConnectionOptions from) {
            mtu = from.mtu;
            remoteRights = from.remoteRights;
            outstandingReads = from.outstandingReads;
            inboundReads = from.inboundReads;
            ackTimeout = from.ackTimeout;
            retries = from.retries;
            rnrRetries = from.rnrRetries;
            rnrTimer = from.rnrTimer;
            endToEndCredits = from.endToEndCredits;
            pkey = from.pkey;
            route = from.route;
        }

        private ConnectionOptions finish() {
            return new ConnectionOptions(
                    mtu,
                    remoteRights,
                    outstandingReads,
                    inboundReads,
                    ackTimeout,
                    retries,
                    rnrRetries,
                    rnrTimer,
                    endToEndCredits,
                    pkey,
                    route);
        }
    }
}
