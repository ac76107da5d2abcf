package org.verbena.connect;

import org.verbena.link.Endpoint;
import org.verbena.wire.mad.PrivateData;

/**
 * Where datagrams for a service go: all that an address handle and a datagram need.
 *
 * @param endpoint of the peer's port
 * @param queuePair that takes them, 24 bits
 * @param qkey they must carry
 * @param privateData what the peer's consumer sent along; zeros fill the field up
 */
public record DatagramPeer(Endpoint endpoint, int queuePair, int qkey, PrivateData privateData) {
    /** The key of every queue pair of the port space of datagrams, unless somebody chose another: as in rdma_cm. */
    public static final int QKEY = 0x0123_4567;
}
