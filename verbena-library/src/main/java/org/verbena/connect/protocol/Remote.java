package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;

/**
 * Key of an object of a peer: the peer's address and a number.
 *
 * @param scope within which the number is unique at that address
 */
record Remote(long high, long low, long scope, int number) {
    /** Key of a conversation, by the peer's id. */
    static Remote of(Endpoint peer, int id) {
        return new Remote(peer.high(), peer.low(), 0, id);
    }

    /** Key of a queue pair. Several adapters at one address may have queue pairs of the same number. */
    static Remote queuePair(Endpoint peer, long guid, int number) {
        return new Remote(peer.high(), peer.low(), guid, number);
    }

    /** Key of a service that both ends ask for. */
    static Remote meetingPoint(Endpoint peer, long serviceId) {
        return new Remote(peer.high(), peer.low(), serviceId, 0);
    }
}
