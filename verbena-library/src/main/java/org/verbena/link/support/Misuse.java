package org.verbena.link.support;

import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkPath;

/** Exceptions for calls that break the contract of {@link Link}: each names the value found and the value expected. */
public final class Misuse {
    private Misuse() {}

    public static IllegalArgumentException length(int found, int max) {
        return new IllegalArgumentException("packet of " + found + " bytes found, 1 … " + max + " expected");
    }

    public static IllegalArgumentException path(LinkPath found, Link link) {
        return new IllegalArgumentException("path to " + found.remote() + " of another link found, one made by "
                + link.name() + " at " + link.local() + " expected");
    }

    public static IllegalStateException claimPending() {
        return new IllegalStateException("a second claim found, commit or abandon of the first expected");
    }

    public static IllegalStateException notClaimed() {
        return new IllegalStateException("commit or abandon found, of a packet that is not the one claimed last");
    }

    public static IllegalStateException closed(Link link) {
        return new IllegalStateException("use of a closed link found: " + link.name() + " at " + link.local());
    }

    public static LinkException source(Endpoint source, List<Endpoint> locals) {
        return new LinkException("source " + source + " found, one of the local " + locals + " expected");
    }

    public static LinkException family(Endpoint remote, List<Endpoint> locals) {
        return new LinkException(
                "remote address " + remote + " found, one of the same family as local " + locals + " expected");
    }

    public static LinkException group(Endpoint found) {
        return new LinkException("group " + found + " found, a multicast address and a port of 1 … 65535 expected");
    }

    public static LinkException wildcard(Endpoint local) {
        return new LinkException("local address " + local
                + " found, a definite address of this machine expected: packets carry a CRC over it");
    }

    public static LinkException inUse(List<Endpoint> locals) {
        return new LinkException("an endpoint of " + locals + " found in use, free ones expected");
    }

    public static LinkException portless(Endpoint remote) {
        return new LinkException("remote " + remote + " found, a port of 1 … 65535 expected");
    }
}
