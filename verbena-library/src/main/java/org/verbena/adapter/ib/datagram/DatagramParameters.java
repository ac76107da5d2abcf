package org.verbena.adapter.ib.datagram;

import org.verbena.Mtu;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.PairService;
import org.verbena.wire.ib.Psn;

/**
 * Parameters of a datagram queue pair.
 *
 * @param mtu largest message
 * @param firstPsn sequence number of its first packet, 24 bits
 * @param pkey partition
 * @param qkey key that packets for it must carry
 */
public record DatagramParameters(Mtu mtu, int firstPsn, int pkey, int qkey) implements AttachParameters {
    public DatagramParameters {
        if ((firstPsn & ~Psn.MASK) != 0) {
            throw new IllegalArgumentException("psn " + firstPsn + " must have 24 bits");
        }
    }

    @Override
    public PairService service() {
        return PairService.DATAGRAM;
    }
}
