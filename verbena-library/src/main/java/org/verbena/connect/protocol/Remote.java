package org.verbena.connect.protocol;

import org.verbena.link.Endpoint;

/** Something of a peer's that has a number: a conversation, or a queue pair. */
record Remote(long high, long low, int number) {
    static Remote of(Endpoint peer, int number) {
        return new Remote(peer.high(), peer.low(), number);
    }
}
