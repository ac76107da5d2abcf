package org.verbena.connect;

import org.verbena.PrivateData;
import org.verbena.link.Endpoint;

/**
 * The destination of datagrams for a service: all that an address handle and a datagram need.
 *
 * @param endpoint of the peer's port
 * @param queuePair number of the queue pair that takes the datagrams, 24 bits
 * @param qkey that the datagrams must carry
 * @param privateData of the peer's answer, filled up with zeros
 */
public record DatagramPeer(Endpoint endpoint, int queuePair, int qkey, PrivateData privateData) {
    /** The usual key of queue pairs with a datagram port, as in rdma_cm. */
    public static final int QKEY = 0x0123_4567;
}
