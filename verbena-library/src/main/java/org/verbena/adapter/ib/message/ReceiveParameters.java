package org.verbena.adapter.ib.message;

import org.verbena.RnrTimer;
import org.verbena.adapter.Limits;
import org.verbena.wire.ib.Psn;

/**
 * Parameters of the receiving half of a connection (INIT → RTR). An unreliable connection needs the number only.
 *
 * @param firstPsn sequence number of the peer's first packet, 24 bits
 * @param inboundReads number of the peer's reads and atomics that are kept to be answered again
 * @param rnrTimer time that the peer is told to wait when no receive is posted
 * @param endToEndCredits whether acknowledgements tell the peer how many receives are posted
 * @param peerRnrRetries retries of the peer at a receiver that is not ready, 0 … 6; 7: for ever
 */
public record ReceiveParameters(
        int firstPsn, int inboundReads, RnrTimer rnrTimer, boolean endToEndCredits, int peerRnrRetries) {
    public ReceiveParameters {
        if ((firstPsn & ~Psn.MASK) != 0) {
            throw new IllegalArgumentException("psn " + firstPsn + " must have 24 bits");
        }
        if (inboundReads < 0 || inboundReads > Limits.INBOUND_READS_MAX) {
            throw new IllegalArgumentException(
                    "inbound reads are 0 … " + Limits.INBOUND_READS_MAX + "; found " + inboundReads);
        }
        if (peerRnrRetries < 0 || peerRnrRetries > SendParameters.RNR_RETRY_FOREVER) {
            throw new IllegalArgumentException("RNR retries of the peer are 0 … 7; found " + peerRnrRetries);
        }
    }
}
