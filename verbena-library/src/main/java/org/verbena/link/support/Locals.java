package org.verbena.link.support;

import java.util.HashSet;
import java.util.List;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;

/** The endpoints of one link, and which of them packets leave from. */
public final class Locals {
    /** Endpoints of one link. */
    public static final int MAX = 16;

    /** Groups one link is a member of. */
    public static final int GROUPS_MAX = 64;

    private Locals() {}

    /** The same endpoints, if a link can have them. */
    public static List<Endpoint> checked(List<Endpoint> locals) {
        if (locals.isEmpty() || locals.size() > MAX) {
            throw new LinkException(locals.size() + " local endpoints found, 1 … " + MAX + " expected");
        }
        HashSet<Endpoint> seen = new HashSet<>();
        for (Endpoint local : locals) {
            // Port 0 stands for a different one each time.
            if (local.port() != 0 && !seen.add(local)) {
                throw new LinkException("local endpoint " + local + " found twice, different ones expected");
            }
        }
        return List.copyOf(locals);
    }

    /** The same endpoints, if a link on a network that gives out no ports can have them. */
    public static List<Endpoint> definite(List<Endpoint> locals) {
        for (Endpoint local : locals) {
            if (local.address().isAnyLocalAddress() || local.address().isMulticastAddress() || local.port() == 0) {
                throw Misuse.wildcard(local);
            }
        }
        return checked(locals);
    }

    /** The endpoint that packets of a flow to this one leave from: the flow's own, or the first of its family. */
    public static Endpoint toward(Endpoint remote, LinkFlow flow, List<Endpoint> locals) {
        if (flow.source() == null) {
            return toward(remote, locals);
        }
        Endpoint wanted = Endpoint.of(flow.source());
        for (Endpoint local : locals) {
            if (local.address().equals(wanted.address())) {
                return toward(remote, List.of(local));
            }
        }
        throw Misuse.source(wanted, locals);
    }

    /** The endpoint that packets to this one leave from: the first of its family. */
    public static Endpoint toward(Endpoint remote, List<Endpoint> locals) {
        if (remote.port() == 0) {
            throw Misuse.portless(remote);
        }
        for (Endpoint local : locals) {
            if (local.ipv6() == remote.ipv6()) {
                return local;
            }
        }
        throw Misuse.family(remote, locals);
    }

    /** Refuses one more group than a link can be a member of. */
    public static void checkGroups(int joined) {
        if (joined >= GROUPS_MAX) {
            throw new LinkException("one more group than " + joined + " found, at most " + GROUPS_MAX + " expected");
        }
    }

    /** The endpoint that joins a group. */
    public static Endpoint joining(Endpoint group, List<Endpoint> locals) {
        if (!group.address().isMulticastAddress() || group.port() == 0) {
            throw Misuse.group(group);
        }
        return toward(group, locals);
    }
}
