package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Gid;
import org.verbena.fabric.topology.NetFile;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.SubnetRoute;
import org.verbena.manage.MadPort;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.Registers;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.RoutingEngine;
import org.verbena.manage.manager.SaClient;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ib.Opcode;

/** Links whose ways and groups the subnet administration tells: what they ask, when they ask again, and what they do with the answers. */
final class AdministeredLinkTest {
    private static final Path RING = Path.of("src/test/resources/subnets/ring6/ring6.net");
    private static final int LENGTH = Bth.LENGTH + 64 + 4;
    private static final int STEPS_MAX = 10_000;
    private static final int SWITCHES = 6;
    private static final int LANES = 8;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long PAUSE_NS = 100_000_000L;
    private static final Endpoint GROUP = Endpoint.of("ff12:401b:ffff::1:7", Endpoint.ROCE_PORT);

    private final Fabric fabric = Fabric.of(NetFile.read(RING).topology());
    private final List<Lrh> routes = new ArrayList<>();

    @AfterEach
    void close() {
        fabric.close();
    }

    private SubnetManager bringUp(ManagerOptions options) {
        SubnetManager manager = fabric.manage(fabric.port("h0-0", 1), options);
        settle(manager);
        return manager;
    }

    private void settle(SubnetManager manager) {
        while (!manager.isSettled()) {
            assertTrue(fabric.nextEventNs() < Long.MAX_VALUE, manager.problems().toString());
            fabric.run(fabric.nextEventNs());
        }
    }

    private boolean send(Link from, LinkPath path) {
        Packet packet = from.claim(path, LENGTH);
        if (packet == null) {
            return false;
        }
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, 0xffff, 5);
        from.commit(packet);
        from.flush();
        return true;
    }

    /** Sends one packet as soon as the way is known, and lets it arrive. */
    private void sendOne(Link from, LinkPath path) {
        for (int step = 0; !send(from, path); step++) {
            assertTrue(step < STEPS_MAX, "the way never becomes known");
            fabric.run(fabric.nextEventNs());
        }
        pass();
    }

    private void pass() {
        fabric.advance(fabric.nowNs() + 1_000_000);
    }

    private Lrh arrival(Link at) {
        routes.clear();
        at.receive(packet -> routes.add(Lrh.read(packet.segment(), packet.offset() - packet.routeLength())), 10);
        assertEquals(1, routes.size());
        return routes.getFirst();
    }

    private static Gid gid(ManagedPort port) {
        return new Gid(port.gidPrefix(), port.guid());
    }

    private long packetsOf(String host) {
        return fabric.port(host, 1).counters().transmittedPackets;
    }

    @Test
    void aPacketHasTheLevelOfItsPathRecordAndTheLanesOfThatLevel() {
        bringUp(ManagerOptions.DEFAULT.withRouting(RoutingEngine.layered(LANES)));
        // Not the lanes that the manager gives: level n has lane 7 − n on the cable to each host.
        for (int i = 0; i < SWITCHES; i++) {
            for (int level = 0; level < LANES; level++) {
                Registers.lane(fabric.port("sw" + i, hostPortOf("h" + i + "-1")), level, LANES - 1 - level);
            }
        }
        Set<Integer> levels = new TreeSet<>();
        for (int i = 0; i < SWITCHES; i++) {
            for (int other = 1; other < SWITCHES; other++) {
                levels.add(levelOf("h" + i + "-1", "h" + (i + other) % SWITCHES + "-1"));
            }
        }
        assertTrue(levels.size() > 1, "all ways have one level: " + levels);
    }

    /** Sends a packet between two hosts; it has the level of the path record, which is returned. */
    private int levelOf(String source, String target) {
        SaClient client = new SaClient();
        List<SaClient.PathResult> records = new ArrayList<>();
        try (MadPort port = fabric.attach(fabric.port(source, 1), client)) {
            client.start(port);
            Gid own = gid(fabric.port(source, 1));
            assertTrue(
                    client.path(fabric.nowNs(), own, gid(fabric.port(target, 1)), (_, record) -> records.add(record)));
            pass();
        }
        int level = records.getFirst().serviceLevel();
        try (Link from = fabric.open(source, 1);
                Link to = fabric.open(target, 1)) {
            LinkPath path = from.path(to.local(), LinkFlow.of(1));
            sendOne(from, path);
            Lrh route = arrival(to);
            assertEquals(level, route.serviceLevel());
            assertEquals(LANES - 1 - level, route.virtualLane());
            assertEquals(records.getFirst().targetLid(), route.destinationLid());
            SubnetRoute told = path.subnetRoute();
            assertNotNull(told);
            assertEquals(level, told.serviceLevel());
        }
        return level;
    }

    /** The port of its switch that a host is at. */
    private int hostPortOf(String host) {
        ManagedPort peer = fabric.port(host, 1).peer();
        assertNotNull(peer);
        return peer.number();
    }

    @Test
    void flowsOfOneLevelAreSpreadOverTheIdentifiersThatManagementGave() {
        bringUp(ManagerOptions.DEFAULT.withLmc(2));
        Link from = fabric.open("h0-1", 1);
        Link to = fabric.open("h3-1", 1);
        Set<Integer> targets = new TreeSet<>();
        for (int entropy = 0; entropy < 32; entropy++) {
            sendOne(from, from.path(to.local(), LinkFlow.of(entropy)));
            targets.add(arrival(to).destinationLid());
        }
        int lid = fabric.port("h3-1", 1).lid();
        assertEquals(Set.of(lid, lid + 1, lid + 2, lid + 3), targets);
    }

    @Test
    void aWayIsAskedForOnceForAllPaths() {
        bringUp(ManagerOptions.DEFAULT);
        Link from = fabric.open("h0-1", 1);
        Link to = fabric.open("h3-1", 1);
        long before = packetsOf("h0-1");
        sendOne(from, from.path(to.local(), LinkFlow.of(1)));
        assertEquals(before + 2, packetsOf("h0-1"), "a question and a packet");
        for (int i = 0; i < 10; i++) {
            assertTrue(send(from, from.path(to.local(), LinkFlow.of(i))));
        }
        pass();
        assertEquals(before + 12, packetsOf("h0-1"), "no more questions");
        assertEquals(11, to.receive(_ -> {}, 100));
    }

    @Test
    void aWayIsAskedForAgainWhenManagementWantsRegistration() {
        bringUp(ManagerOptions.DEFAULT);
        Link from = fabric.open("h0-1", 1);
        Link to = fabric.open("h3-1", 1);
        LinkPath path = from.path(to.local(), LinkFlow.of(1));
        sendOne(from, path);
        Registers.reregister(fabric.port("h0-1", 1));
        assertFalse(send(from, path), "the old way");
        sendOne(from, path);
        assertEquals(2, to.receive(_ -> {}, 100));
    }

    @Test
    void aWayIsAskedForAgainWhenThePortHasAnotherIdentifier() {
        bringUp(ManagerOptions.DEFAULT);
        Link from = fabric.open("h0-1", 1);
        Link to = fabric.open("h3-1", 1);
        LinkPath path = from.path(to.local(), LinkFlow.of(1));
        sendOne(from, path);
        assertTrue(send(from, path));
        Registers.lid(fabric.port("h0-1", 1), 100, 0);
        assertFalse(send(from, path), "the old way");
    }

    @Test
    void aFailedQuestionIsAskedAgainAfterAPauseAndNotBefore() {
        bringUp(ManagerOptions.DEFAULT);
        Link from = fabric.open("h0-1", 1);
        LinkPath path = from.path(Endpoint.of("fe80::4711", Endpoint.ROCE_PORT), LinkFlow.of(1));
        sendOne(from, path);
        assertEquals(1, from.counters().sendDropped());
        assertNull(path.subnetRoute());
        long asked = packetsOf("h0-1");
        for (int i = 0; i < 10; i++) {
            assertTrue(send(from, path));
            pass();
        }
        assertEquals(asked, packetsOf("h0-1"), "questions within the pause");
        fabric.advance(fabric.nowNs() + PAUSE_NS);
        assertTrue(send(from, path));
        pass();
        assertEquals(asked + 1, packetsOf("h0-1"), "questions after the pause");
    }

    @Test
    void aMemberJoinsItsGroupAgainWhenManagementWantsRegistration() {
        bringUp(ManagerOptions.DEFAULT);
        Link link = fabric.open("h0-1", 1);
        link.join(GROUP);
        pass();
        link.path(fabric.open("h3-1", 1).local(), LinkFlow.of(1)).subnetRoute();
        pass();
        long before = packetsOf("h0-1");
        Registers.reregister(fabric.port("h0-1", 1));
        pass();
        assertEquals(before + 1, packetsOf("h0-1"), "one join, no path");
    }

    @Test
    void theAdministrationForgetsAMemberThatLeaves() {
        SubnetManager manager = bringUp(ManagerOptions.DEFAULT);
        Link from = fabric.open("h0-1", 1);
        Link to = fabric.open("h3-1", 1);
        from.join(GROUP);
        to.join(GROUP);
        fabric.advance(fabric.nowNs() + SECOND_NS);
        settle(manager);
        sendOne(from, from.path(GROUP, LinkFlow.of(1)));
        int lid = arrival(to).destinationLid();
        assertEquals(1, from.receive(_ -> {}, 10), "its own copy");
        assertTrue(fabric.node("sw3").multicastTo(lid, hostPortOf("h3-1")));
        to.leave(GROUP);
        fabric.advance(fabric.nowNs() + SECOND_NS);
        settle(manager);
        assertFalse(fabric.node("sw3").multicastTo(lid, hostPortOf("h3-1")));
    }

    @Test
    void aGroupThatExistsIsJoinedWithItsOwnLevelAndQueueKey() {
        SubnetManager manager = bringUp(ManagerOptions.DEFAULT);
        SaClient creator = new SaClient();
        List<SaClient.GroupResult> created = new ArrayList<>();
        Gid group = new Gid(GROUP.high(), GROUP.low());
        try (MadPort port = fabric.attach(fabric.port("h1-1", 1), creator)) {
            creator.start(port);
            Gid own = gid(fabric.port("h1-1", 1));
            SaClient.GroupValues values = new SaClient.GroupValues(0x4711, 0xffff, 3, 0, 0);
            assertTrue(creator.join(fabric.nowNs(), group, own, values, (_, result) -> created.add(result)));
            pass();
        }
        assertEquals(0, created.getFirst().status());
        Link from = fabric.open("h0-1", 1);
        Link to = fabric.open("h3-1", 1);
        to.join(GROUP);
        fabric.advance(fabric.nowNs() + SECOND_NS);
        settle(manager);
        sendOne(from, from.path(GROUP, LinkFlow.of(1)));
        Lrh route = arrival(to);
        assertEquals(created.getFirst().lid(), route.destinationLid());
        assertEquals(3, route.serviceLevel());
    }
}
