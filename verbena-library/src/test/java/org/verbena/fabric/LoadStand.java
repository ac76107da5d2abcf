package org.verbena.fabric;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/** A managed fabric in virtual time, links at hosts, and flows of packets between them that never pause. */
final class LoadStand implements AutoCloseable {
    private static final int HEADERS = Bth.LENGTH + 4;
    /** Packets handed to a link at once: more than it keeps. One whose port has no path loses each at once, and would take packets for ever. */
    private static final int TURNS_MAX = 1_000;

    /** A flow from one host to another on one service level. */
    static final class Stream {
        private final Link link;
        private final LinkPath path;
        private final int queuePair;
        /** Packets handed to the link. */
        long sent;
        /** Packets that came out at the other end. */
        long received;
        /** Packets left to send. */
        long left;

        private Stream(Link link, LinkPath path, int queuePair, long packets) {
            this.link = link;
            this.path = path;
            this.queuePair = queuePair;
            this.left = packets;
        }
    }

    private final Fabric fabric;
    private final SubnetManager manager;
    private final List<Link> links = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final List<Stream> streams = new ArrayList<>();
    private final Map<Link, ArrayDeque<Stream>> byLink = new HashMap<>();
    private final int payload;
    private long marked;

    LoadStand(Topology topology, FabricOptions options, ManagerOptions management, String managerNode, int payload) {
        this.fabric = Fabric.of(topology, options);
        this.payload = payload;
        ManagedNode node = fabric.node(managerNode);
        this.manager = fabric.manage(node.endPort(1), management);
        settle();
    }

    Fabric fabric() {
        return fabric;
    }

    SubnetManager manager() {
        return manager;
    }

    /** Lets the manager finish. */
    void settle() {
        while (!manager.isSettled()) {
            if (fabric.nextEventNs() == Long.MAX_VALUE) {
                throw new AssertionError("the manager is stuck: " + manager.problems());
            }
            fabric.run(fabric.nextEventNs());
        }
    }

    private Link linkOf(String node) {
        int known = names.indexOf(node);
        if (known >= 0) {
            return links.get(known);
        }
        Link link = fabric.open(node, 1);
        names.add(node);
        links.add(link);
        return link;
    }

    /** Adds a flow of this many packets. */
    Stream stream(String from, String to, int serviceLevel, long packets) {
        Link source = linkOf(from);
        Link target = linkOf(to);
        LinkPath path = source.path(target.local(), LinkFlow.of(7).withServiceLevel(serviceLevel));
        Stream stream = new Stream(source, path, 2 + streams.size(), packets);
        streams.add(stream);
        byLink.computeIfAbsent(source, _ -> new ArrayDeque<>()).add(stream);
        return stream;
    }

    /** Keeps all flows busy until a time. */
    void run(long untilNs) {
        while (fabric.nowNs() < untilNs) {
            feed();
            fabric.run(untilNs);
        }
    }

    /** Keeps all flows busy until each has sent all its packets and nothing is under way. */
    void drain() {
        do {
            feed();
            long next = fabric.nextEventNs();
            if (next == Long.MAX_VALUE) {
                break;
            }
            fabric.run(next);
        } while (streams.stream().anyMatch(stream -> stream.left > 0 || stream.received < stream.sent));
        // The last credits.
        fabric.run(fabric.nowNs() + 1_000_000);
        feed();
        fabric.run(fabric.nowNs() + 1_000_000);
    }

    private void feed() {
        for (Link link : links) {
            link.receive(this::onPacket, Integer.MAX_VALUE);
        }
        for (Link link : links) {
            feed(link);
        }
        links.forEach(Link::flush);
    }

    /** The flows of a link take turns; the turn goes on where it ended. */
    private void feed(Link link) {
        ArrayDeque<Stream> own = byLink.getOrDefault(link, new ArrayDeque<>());
        int refused = 0;
        for (int turns = 0; turns < TURNS_MAX && refused < own.size(); turns++) {
            Stream stream = own.removeFirst();
            own.addLast(stream);
            if (stream.left > 0 && send(stream)) {
                stream.left--;
                stream.sent++;
                refused = 0;
            } else {
                refused++;
            }
        }
    }

    private boolean send(Stream stream) {
        Packet packet = stream.link.claim(stream.path, HEADERS + payload);
        if (packet == null) {
            return false;
        }
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, 0xffff, stream.queuePair);
        stream.link.commit(packet);
        return true;
    }

    /** Packets that came with the mark of congestion. */
    long marked() {
        return marked;
    }

    private void onPacket(Packet packet) {
        marked += (packet.trafficClass() & 3) == 3 ? 1 : 0;
        streams.get(Bth.destinationQueuePair(packet.segment(), packet.offset()) - 2).received++;
    }

    @Override
    public void close() {
        links.forEach(Link::close);
        fabric.run(fabric.nowNs() + 1_000);
        fabric.close();
    }
}
