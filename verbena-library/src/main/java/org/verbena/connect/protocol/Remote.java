package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;

/**
 * Something of a peer's that has a number.
 *
 * @param scope what the number is unique in, besides the address
 */
record Remote(long high, long low, long scope, int number) {
    /** A conversation, by the peer's id of it. */
    static Remote of(Endpoint peer, int id) {
        return new Remote(peer.high(), peer.low(), 0, id);
    }

    /** A queue pair of one of the adapters at an address: numbers of several may be equal. */
    static Remote queuePair(Endpoint peer, long guid, int number) {
        return new Remote(peer.high(), peer.low(), guid, number);
    }

    /** A service that both ends ask for. */
    static Remote meetingPoint(Endpoint peer, long serviceId) {
        return new Remote(peer.high(), peer.low(), serviceId, 0);
    }
}
