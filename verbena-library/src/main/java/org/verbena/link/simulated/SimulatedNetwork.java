package org.verbena.link.simulated;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.support.Locals;
import org.verbena.link.support.Misuse;
import org.verbena.time.NanoClock;

/**
 * A network in virtual time: packets take as long as latency and bandwidth of the wire say, by a clock that the caller moves. The same calls at
 * the same times give the same deliveries in the same order. One thread drives the network and all its links.
 */
public final class SimulatedNetwork {
    private final Map<Endpoint, SimulatedLink> links = new HashMap<>();
    private final Map<Endpoint, List<SimulatedLink>> groups = new HashMap<>();
    private final List<SimulatedLink> linksInOrder = new ArrayList<>();
    private final ArrayDeque<Flight> idle = new ArrayDeque<>();
    private final NanoClock clock;
    private final SimulatedWire wire;
    private int opened;
    private long packets;

    /** A network whose links all hang on wires of this kind. */
    public SimulatedNetwork(NanoClock clock, SimulatedWire wire) {
        this.clock = clock;
        this.wire = wire;
    }

    /** A link at the next free of the addresses 10.0.0.1, 10.0.0.2 and so on. */
    public Link open() {
        Endpoint local;
        do {
            local = Endpoint.of(0, Endpoint.mapped((10 << 24) + ++opened), Endpoint.ROCE_PORT);
        } while (links.containsKey(local));
        return open(local);
    }

    /**
     * A link at this endpoint, which need not be one of the machine.
     *
     * @throws LinkException if another open link of this network is there, or the endpoint is a wildcard
     */
    public Link open(Endpoint local) {
        return open(List.of(local));
    }

    /**
     * A link at all of these endpoints.
     *
     * @see #open(Endpoint)
     */
    public Link open(List<Endpoint> several) {
        List<Endpoint> locals = Locals.definite(several);
        if (locals.stream().anyMatch(links::containsKey)) {
            throw Misuse.inUse(locals);
        }
        SimulatedLink link = new SimulatedLink(this, locals, wire);
        locals.forEach(local -> links.put(local, link));
        linksInOrder.add(link);
        return link;
    }

    /** When the next packet arrives at any link, or arrived and still waits; {@link Long#MAX_VALUE} if none is under way. */
    public long nextDeliveryNs() {
        long next = Long.MAX_VALUE;
        // By index: an iterator would be allocated.
        for (int i = 0; i < linksInOrder.size(); i++) {
            next = Math.min(next, linksInOrder.get(i).nextDeliveryNs());
        }
        return next;
    }

    long nowNs() {
        return clock.nowNs();
    }

    @Nullable
    SimulatedLink at(Endpoint endpoint) {
        return links.get(endpoint);
    }

    void remove(SimulatedLink link) {
        link.locals().forEach(local -> links.remove(local, link));
        groups.values().forEach(members -> members.remove(link));
        linksInOrder.remove(link);
    }

    boolean join(SimulatedLink link, Endpoint group) {
        List<SimulatedLink> members = groups.computeIfAbsent(group, at -> new ArrayList<>());
        return !members.contains(link) && members.add(link);
    }

    boolean leave(SimulatedLink link, Endpoint group) {
        List<SimulatedLink> members = groups.get(group);
        return members != null && members.remove(link);
    }

    /** In the order in which they joined. */
    List<SimulatedLink> members(Endpoint group) {
        List<SimulatedLink> members = groups.get(group);
        return members == null ? List.of() : members;
    }

    long nextPacketNumber() {
        return packets++;
    }

    Flight take() {
        Flight flight = idle.poll();
        return flight != null ? flight : new Flight();
    }

    void giveBack(Flight flight) {
        idle.push(flight);
    }
}
