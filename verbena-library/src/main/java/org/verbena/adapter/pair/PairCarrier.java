package org.verbena.adapter.pair;

import org.verbena.adapter.Carrier;

/** A carrier that makes transports for queue pairs. The engine's thread calls everything. */
public interface PairCarrier extends Carrier {
    /** Whether it has the service and a way to the address. */
    boolean reaches(AttachParameters parameters);

    /**
     * Makes the transport of a queue pair. From now on the carrier may give input of the peer to the transport.
     *
     * @throws RuntimeException if there is no way to the peer after all, or a parameter is refused; nothing is attached then
     */
    Transport attach(Pair pair, AttachParameters parameters);
}
