package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/** Subnets that routers join: a packet crosses by its global route header. */
final class RouterTest {
    private static final long PREFIX = 0xfec0_0000_0000_0000L;
    private static final int LENGTH = Bth.LENGTH + 100 + 4;

    private final List<Integer> hopLimits = new ArrayList<>();
    private final List<Endpoint> sources = new ArrayList<>();

    private Fabric fabric = Fabric.of(subnets(2));

    @AfterEach
    void close() {
        fabric.close();
    }

    /** A chain of subnets, each with a switch and two hosts, and a router between neighbours. */
    private static Topology subnets(int count) {
        var builder = Topology.builder();
        for (int i = 0; i < count; i++) {
            builder.switchNode("s" + i, 8).adapter("a" + i, 1).adapter("b" + i, 1);
            builder.cable("a" + i, 1, "s" + i, 1).cable("b" + i, 1, "s" + i, 2);
        }
        for (int i = 0; i + 1 < count; i++) {
            builder.router("r" + i, 2).cable("r" + i, 1, "s" + i, 7).cable("r" + i, 2, "s" + (i + 1), 8);
        }
        return builder.build();
    }

    private void bringUp(int count) {
        for (int i = 0; i < count; i++) {
            SubnetManager manager =
                    fabric.manage(fabric.port("a" + i, 1), ManagerOptions.DEFAULT.withSubnetPrefix(PREFIX + i));
            while (!manager.isSettled()) {
                assertTrue(
                        fabric.nextEventNs() < Long.MAX_VALUE,
                        manager.problems().toString());
                fabric.run(fabric.nextEventNs());
            }
        }
    }

    private void onPacket(Packet packet) {
        hopLimits.add(packet.hopLimit());
        sources.add(Endpoint.of(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort()));
    }

    /** Sends one packet with this hop limit and returns how many arrived. */
    private int send(Link from, Link to, int hopLimit) {
        LinkPath path = from.path(to.local(), LinkFlow.of(1).withHopLimit(hopLimit));
        Packet packet = from.claim(path, LENGTH);
        while (packet == null) { // the way is not known yet
            fabric.run(fabric.nextEventNs());
            packet = from.claim(path, LENGTH);
        }
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, 0xffff, 5);
        from.commit(packet);
        from.flush();
        fabric.run(fabric.nowNs() + 100_000);
        return to.receive(this::onPacket, 10);
    }

    @Test
    void aPacketCrossesARouterAndItsHopLimitFalls() {
        bringUp(2);
        Link from = fabric.open("b0", 1);
        Link to = fabric.open("b1", 1);
        assertEquals(1, send(from, to, 9));
        assertEquals(List.of(8), hopLimits);
        assertEquals(List.of(from.local()), sources);
        assertEquals(1, send(to, from, 2));
    }

    @Test
    void aPacketWithoutHopsLeftDoesNotCross() {
        bringUp(2);
        Link from = fabric.open("b0", 1);
        Link to = fabric.open("b1", 1);
        assertEquals(0, send(from, to, 1));
        assertEquals(1, fabric.port("r0", 1).counters().receiveSwitchRelayErrors);
    }

    @Test
    void aPacketCrossesSeveralRouters() {
        fabric.close();
        fabric = Fabric.of(subnets(4));
        bringUp(4);
        Link from = fabric.open("b0", 1);
        Link to = fabric.open("b3", 1);
        assertEquals(1, send(from, to, 64));
        assertEquals(List.of(61), hopLimits);
    }

    @Test
    void theSameIdentifiersInTwoSubnetsAreDifferentPorts() {
        bringUp(2);
        assertEquals(fabric.port("a0", 1).lid(), fabric.port("a1", 1).lid());
        Link from = fabric.open("b0", 1);
        Link own = fabric.open("a0", 1);
        Link other = fabric.open("a1", 1);
        assertEquals(1, send(from, own, 64));
        assertEquals(0, other.receive(this::onPacket, 10));
        assertEquals(1, send(from, other, 64));
        assertEquals(0, own.receive(this::onPacket, 10));
    }
}
