package org.verbena.link;

import java.util.List;

/** Exceptions for callers that do not keep to {@link Link}'s contract: each says what was found and what was expected. */
final class Misuse {
    private Misuse() {}

    static IllegalArgumentException length(int found, int max) {
        return new IllegalArgumentException("packet of " + found + " bytes found, 1 … " + max + " expected");
    }

    static IllegalArgumentException path(Path found, Link link) {
        return new IllegalArgumentException("path to " + found.remote() + " of another link found, one made by "
                + link.name() + " at " + link.local() + " expected");
    }

    static IllegalStateException claimPending() {
        return new IllegalStateException("a second claim found, commit or abandon of the first expected");
    }

    static IllegalStateException notClaimed() {
        return new IllegalStateException("commit or abandon found, of a packet that is not the one claimed last");
    }

    static IllegalStateException closed(Link link) {
        return new IllegalStateException("use of a closed link found: " + link.name() + " at " + link.local());
    }

    static LinkException source(Endpoint source, List<Endpoint> locals) {
        return new LinkException("source " + source + " found, one of the local " + locals + " expected");
    }

    static LinkException family(Endpoint remote, List<Endpoint> locals) {
        return new LinkException(
                "remote address " + remote + " found, one of the same family as local " + locals + " expected");
    }

    static LinkException raw(Link link) {
        return new LinkException("raw packet for " + link.name() + " at " + link.local()
                + " found, a link within the process expected: no other carries them");
    }

    static LinkException group(Endpoint found) {
        return new LinkException("group " + found + " found, a multicast address and a port of 1 … 65535 expected");
    }

    static LinkException wildcard(Endpoint local) {
        return new LinkException("local address " + local
                + " found, a definite address of this machine expected: packets carry a CRC over it");
    }

    static LinkException inUse(List<Endpoint> locals) {
        return new LinkException("an endpoint of " + locals + " found in use, free ones expected");
    }

    static LinkException portless(Endpoint remote) {
        return new LinkException("remote " + remote + " found, a port of 1 … 65535 expected");
    }
}
