package org.verbena.adapter.ib.message;

import org.verbena.adapter.pair.ReadyParameters;
import org.verbena.wire.ib.Psn;

/**
 * Parameters of the sending half of a connection (RTR → RTS). An unreliable connection needs the number only.
 *
 * @param firstPsn sequence number of its first packet, 24 bits
 * @param outstandingReads number of reads and atomics on the wire at once, at most the number that the peer's responder keeps
 * @param ackTimeoutNs time to wait for an answer before a retry; 0: for ever
 * @param retries retries without an answer before it gives up, 0 … 7
 * @param rnrRetries retries at a receiver that is not ready, 0 … 6; 7: for ever
 * @param keepaliveNs longest silence of a peer while no request is under way; 0: for ever. Of a reliable connection only
 */
public record SendParameters(
        int firstPsn, int outstandingReads, long ackTimeoutNs, int retries, int rnrRetries, long keepaliveNs)
        implements ReadyParameters {
    /** The value of {@link #rnrRetries} that means "for ever". */
    public static final int RNR_RETRY_FOREVER = 7;

    /** Parameters without a limit of silence. */
    public SendParameters(int firstPsn, int outstandingReads, long ackTimeoutNs, int retries, int rnrRetries) {
        this(firstPsn, outstandingReads, ackTimeoutNs, retries, rnrRetries, 0);
    }

    /** The time without an answer after which it gives up. */
    public long patienceNs() {
        return ackTimeoutNs == 0 || ackTimeoutNs > Long.MAX_VALUE / (retries + 1)
                ? Long.MAX_VALUE
                : ackTimeoutNs * (retries + 1);
    }

    public SendParameters {
        if (keepaliveNs < 0) {
            throw new IllegalArgumentException(
                    "the limit of silence must not be negative; found " + keepaliveNs + " ns");
        }
        if ((firstPsn & ~Psn.MASK) != 0 || outstandingReads < 0 || ackTimeoutNs < 0) {
            throw new IllegalArgumentException("psn " + firstPsn + " must have 24 bits; outstanding reads "
                    + outstandingReads + " and timeout " + ackTimeoutNs + " ns must not be negative");
        }
        if (retries < 0 || retries > 7 || rnrRetries < 0 || rnrRetries > 7) {
            throw new IllegalArgumentException(
                    "retry counts are 0 … 7; found " + retries + " retries and " + rnrRetries + " RNR retries");
        }
    }
}
