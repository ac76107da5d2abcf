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
 * How a reliable connection behaves. Both ends must use the same MTU and partition; outstanding reads of one end must
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
 * @param pkey partition
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
        int pkey) {
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
            Bth.DEFAULT_PKEY);

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
        return new ConnectionOptions(
                other,
                remoteRights,
                outstandingReads,
                inboundReads,
                ackTimeout,
                retries,
                rnrRetries,
                rnrTimer,
                endToEndCredits,
                pkey);
    }

    public ConnectionOptions withRemoteRights(Set<Right> rights) {
        return new ConnectionOptions(
                mtu,
                rights,
                outstandingReads,
                inboundReads,
                ackTimeout,
                retries,
                rnrRetries,
                rnrTimer,
                endToEndCredits,
                pkey);
    }

    public ConnectionOptions withReads(int outstanding, int inbound) {
        return new ConnectionOptions(
                mtu,
                remoteRights,
                outstanding,
                inbound,
                ackTimeout,
                retries,
                rnrRetries,
                rnrTimer,
                endToEndCredits,
                pkey);
    }

    public ConnectionOptions withRetries(int count, Duration timeout) {
        return new ConnectionOptions(
                mtu,
                remoteRights,
                outstandingReads,
                inboundReads,
                timeout,
                count,
                rnrRetries,
                rnrTimer,
                endToEndCredits,
                pkey);
    }

    public ConnectionOptions withRnr(int count, RnrTimer timer) {
        return new ConnectionOptions(
                mtu,
                remoteRights,
                outstandingReads,
                inboundReads,
                ackTimeout,
                retries,
                count,
                timer,
                endToEndCredits,
                pkey);
    }

    public ConnectionOptions withEndToEndCredits(boolean on) {
        return new ConnectionOptions(
                mtu, remoteRights, outstandingReads, inboundReads, ackTimeout, retries, rnrRetries, rnrTimer, on, pkey);
    }

    public ConnectionOptions withPkey(int key) {
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
                key);
    }
}
