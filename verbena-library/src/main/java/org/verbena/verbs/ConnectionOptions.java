package org.verbena.verbs;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.adapter.Limits;
import org.verbena.wire.ib.Partitions;

/**
 * How a connection behaves. For an unreliable connection only MTU, rights, partition and route have an effect. Both ends
 * use the same MTU and partition; the outstanding reads of one end are at most the inbound reads of the other. Immutable; the
 * {@code with} methods give changed copies.
 *
 * @param mtu largest payload of a packet
 * @param remoteRights operations that the peer is allowed at all, whichever keys it has: read, write, atomics
 * @param outstandingReads reads and atomics of this end on the wire at once
 * @param inboundReads reads and atomics of the peer that are kept for repetition
 * @param ackTimeout time without an answer before a retry; zero waits for ever. Lost packets are found earlier, by probes
 * @param retries retries without an answer before the queue pair fails, 0 … 7
 * @param rnrRetries retries at a peer without a receive before the queue pair fails, 0 … 6; 7 retries for ever
 * @param rnrTimer time that the peer is told to wait while no receive is posted
 * @param peerRnrRetries RNR retries of the peer, 0 … 6; 7: for ever. With few of them the times that the peer is told at a page fault
 *     are longer. See {@link #withPeerRnrRetries}
 * @param endToEndCredits whether acknowledgements tell the peer how many receives are posted
 * @param pkey partition key, 16 bits, of the port's table
 * @param route service level or traffic class, hop limit and source address of its packets
 * @param keepalive longest silence of a peer that lives, of a reliable connection; zero: any. See {@link #withKeepalive}
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
        int peerRnrRetries,
        boolean endToEndCredits,
        int pkey,
        Route route,
        Duration keepalive) {
    /**
     * MTU 4096, all remote rights, 16 reads each way, 0.54 s and 7 retries as with rdma_cm on Linux, RNR retries for ever after 10 µs each, no keepalive. A
     * request without an answer fails after 4.3 s, later than a page fault at the peer ends ({@link AdapterOptions#faultLimit}).
     */
    public static final ConnectionOptions DEFAULT = new ConnectionOptions(
            Mtu.MTU_4096,
            EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC),
            16,
            16,
            Duration.ofNanos(536_870_912),
            7,
            7,
            RnrTimer.atLeast(10),
            7,
            false,
            Partitions.DEFAULT_KEY,
            Route.DEFAULT,
            Duration.ZERO);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public ConnectionOptions {
        remoteRights = Set.copyOf(remoteRights);
        QueuePairOptions.require("outstandingReads", outstandingReads, 0, Limits.INBOUND_READS_MAX);
        QueuePairOptions.require("inboundReads", inboundReads, 0, Limits.INBOUND_READS_MAX);
        QueuePairOptions.require("retries", retries, 0, 7);
        QueuePairOptions.require("rnrRetries", rnrRetries, 0, 7);
        QueuePairOptions.require("peerRnrRetries", peerRnrRetries, 0, 7);
        QueuePairOptions.require("pkey", pkey, 0, 0xffff);
        if (keepalive.isNegative()) {
            throw new IllegalArgumentException("keepalive must not be negative; found " + keepalive);
        }
        if (ackTimeout.isNegative()) {
            throw new IllegalArgumentException("ackTimeout must not be negative; found " + ackTimeout);
        }
    }

    /** A copy with this MTU. */
    public ConnectionOptions withMtu(Mtu other) {
        return with(draft -> draft.mtu = other);
    }

    /** A copy that allows the peer these operations, as far as its keys do. */
    public ConnectionOptions withRemoteRights(Set<Right> rights) {
        return with(draft -> draft.remoteRights = rights);
    }

    /**
     * A copy with these numbers of reads and atomics: of this end on the wire at once, and of the peer kept for repetition.
     *
     * @throws IllegalArgumentException if one of them is not 0 … {@link AdapterLimits#reads}
     */
    public ConnectionOptions withReads(int outstanding, int inbound) {
        return with(draft -> {
            draft.outstandingReads = outstanding;
            draft.inboundReads = inbound;
        });
    }

    /**
     * A copy with these retries of requests without an answer.
     *
     * @param count 0 … 7
     * @param timeout before each of them; zero waits for ever
     * @throws IllegalArgumentException if one of them is out of range
     */
    public ConnectionOptions withRetries(int count, Duration timeout) {
        return with(draft -> {
            draft.retries = count;
            draft.ackTimeout = timeout;
        });
    }

    /**
     * A copy for receivers that are not ready. The peer is assumed to have as many retries; {@link #withPeerRnrRetries} says otherwise.
     *
     * @param count retries at a peer without a receive, 0 … 6; 7 retries for ever
     * @param timer the time that the peer is told to wait while this end has no receive
     * @throws IllegalArgumentException if the count is out of range
     */
    public ConnectionOptions withRnr(int count, RnrTimer timer) {
        return with(draft -> {
            draft.rnrRetries = count;
            draft.rnrTimer = timer;
            draft.peerRnrRetries = count;
        });
    }

    /**
     * A copy for a peer with this number of RNR retries. A peer with few of them is told to wait longer when a page is missing, so that
     * its retries last as long as the page fault. Of a connection that is made by address and port this number has no effect: there each end names the retries of
     * the other ({@link #rnrRetries}).
     *
     * @param count 0 … 6; 7: for ever
     * @throws IllegalArgumentException if the count is out of range
     */
    public ConnectionOptions withPeerRnrRetries(int count) {
        return with(draft -> draft.peerRnrRetries = count);
    }

    /** A copy whose acknowledgements tell the peer how many receives are posted, or do not. */
    public ConnectionOptions withEndToEndCredits(boolean on) {
        return with(draft -> draft.endToEndCredits = on);
    }

    /**
     * A copy in this partition. Whether the port has it is checked when the queue pair becomes ready to receive.
     *
     * @throws IllegalArgumentException if the key has more than 16 bits
     */
    public ConnectionOptions withPkey(int key) {
        return with(draft -> draft.pkey = key);
    }

    /** A copy whose packets take this route. */
    public ConnectionOptions withRoute(Route how) {
        return with(draft -> draft.route = how);
    }

    /**
     * A copy that notices a peer that is gone, although nothing is sent to it. A peer that was silent for a fifth of the time is
     * asked for a sign of life, again after each further fifth. If it stays silent, the queue pair fails within the time, and with it
     * the connection. A peer whose adapter is not driven, because it runs inline and its consumer does not poll, is silent too.
     *
     * @param silence the time; zero: a silent peer is never asked
     * @throws IllegalArgumentException if it is negative
     */
    public ConnectionOptions withKeepalive(Duration silence) {
        return with(draft -> draft.keepalive = silence);
    }

    private ConnectionOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
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
        private int peerRnrRetries;
        private boolean endToEndCredits;
        private int pkey;
        private Route route;
        private Duration keepalive;

        private Draft(ConnectionOptions from) {
            mtu = from.mtu;
            remoteRights = from.remoteRights;
            outstandingReads = from.outstandingReads;
            inboundReads = from.inboundReads;
            ackTimeout = from.ackTimeout;
            retries = from.retries;
            rnrRetries = from.rnrRetries;
            rnrTimer = from.rnrTimer;
            peerRnrRetries = from.peerRnrRetries;
            endToEndCredits = from.endToEndCredits;
            pkey = from.pkey;
            route = from.route;
            keepalive = from.keepalive;
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
                    peerRnrRetries,
                    endToEndCredits,
                    pkey,
                    route,
                    keepalive);
        }
    }
}
