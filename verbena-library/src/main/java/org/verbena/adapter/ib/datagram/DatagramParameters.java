package org.verbena.adapter.ib.datagram;

import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.Psn;

/**
 * What a datagram queue pair needs to know.
 *
 * @param mtu largest message
 * @param firstPsn sequence number of its first packet, 24 bits
 * @param pkey partition
 * @param qkey that packets for it must carry
 */
public record DatagramParameters(Mtu mtu, int firstPsn, int pkey, int qkey) {
    public DatagramParameters {
        if ((firstPsn & ~Psn.MASK) != 0) {
            throw new IllegalArgumentException("psn " + firstPsn + " must have 24 bits");
        }
    }
}
