package org.verbena.adapter.ib.raw;

import org.verbena.Mtu;
import org.verbena.adapter.pair.AttachParameters;
import org.verbena.adapter.pair.PairService;

/**
 * Parameters of a queue pair for raw packets.
 *
 * @param etherType of the packets that it sends and receives
 * @param mtu largest message
 */
public record RawParameters(int etherType, Mtu mtu) implements AttachParameters {
    @Override
    public PairService service() {
        return PairService.RAW;
    }
}
