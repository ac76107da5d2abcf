package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.SubnetRoute;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.Registers;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;

/** What management has configured decides where packets of a link go, and which may. */
final class FabricAddressingTest {
    private static final int LENGTH = 40;
    private static final int MTU = 5;

    private final ThreeSwitches switches = new ThreeSwitches(4);
    private final Link left = switches.open();
    private final Link right = switches.open();

    @AfterEach
    void close() {
        left.close();
        right.close();
        switches.close();
    }

    private static boolean send(Link from, LinkPath path, Bth header) {
        Packet packet = from.claim(path, LENGTH);
        if (packet == null) {
            return false;
        }
        header.write(packet.segment(), packet.offset());
        from.commit(packet);
        from.flush();
        return true;
    }

    private static Bth header(int pkey, boolean fecn) {
        return new Bth(Opcode.UD_SEND_ONLY.code(), false, false, 0, 0, pkey, fecn, false, 77, false, 0);
    }

    private boolean send(LinkPath path) {
        return send(left, path, header(Partitions.DEFAULT_KEY, false));
    }

    private record Arrival(Lrh route, int trafficClass, Endpoint source, Endpoint target) {}

    private List<Arrival> arrivals() {
        while (switches.step()) {
            // until nothing is under way
        }
        List<Arrival> all = new ArrayList<>();
        right.receive(
                packet -> all.add(new Arrival(
                        Lrh.read(packet.segment(), packet.offset() - packet.routeLength()),
                        packet.trafficClass(),
                        Endpoint.of(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort()),
                        Endpoint.of(packet.targetHigh(), packet.targetLow(), packet.targetPort()))),
                100);
        return all;
    }

    @Test
    void addressesAreTheGidsOfPorts() {
        assertEquals(
                Endpoint.of(switches.port(0).gidPrefix(), switches.port(0).guid(), Endpoint.ROCE_PORT), left.local());
        assertTrue(send(left.path(right.local(), LinkFlow.of(1))));
        Arrival only = arrivals().getFirst();
        assertEquals(left.local(), only.source());
        assertEquals(right.local(), only.target());
    }

    @Test
    void aGuidThatManagementHasAddedIsAnAddressOfThePort() {
        Endpoint added = Endpoint.of(switches.port(1).gidPrefix(), 0x0200_0000_0000_0077L, Endpoint.ROCE_PORT);
        assertTrue(send(left.path(added, LinkFlow.of(1))), "it is dropped, not refused");
        assertEquals(List.of(), arrivals());
        Registers.guid(switches.port(1), 3, 0x0200_0000_0000_0077L);
        assertTrue(send(left.path(added, LinkFlow.of(1))));
        assertEquals(1, arrivals().size());
        Registers.guid(switches.port(1), 3, 0);
        assertTrue(send(left.path(added, LinkFlow.of(2))));
        assertEquals(List.of(), arrivals());
    }

    @Test
    void flowsAreSpreadOverTheIdentifiersOfBothPorts() {
        Set<Integer> sources = new TreeSet<>();
        Set<Integer> targets = new TreeSet<>();
        for (int entropy = 0; entropy < 32; entropy++) {
            LinkPath path = left.path(right.local(), LinkFlow.of(entropy));
            assertTrue(send(path));
            assertTrue(send(path));
            List<Arrival> both = arrivals();
            assertEquals(both.getFirst().route(), both.getLast().route(), "one flow, one way");
            Lrh route = both.getFirst().route();
            assertEquals(
                    new SubnetRoute(route.sourceLid(), route.destinationLid(), route.serviceLevel(), true),
                    path.subnetRoute());
            sources.add(route.sourceLid());
            targets.add(route.destinationLid());
        }
        int own = switches.port(0).lid();
        int other = switches.port(1).lid();
        assertEquals(Set.of(own, own + 1), sources);
        assertEquals(Set.of(other, other + 1), targets);
    }

    @Test
    void theServiceLevelIsThatOfTheFlowOrElseThatOfTheWay() {
        assertTrue(send(left.path(right.local(), LinkFlow.of(1).withServiceLevel(5))));
        assertTrue(send(left.path(right.local(), LinkFlow.of(1))));
        assertEquals(
                List.of(5, 0),
                arrivals().stream().map(each -> each.route().serviceLevel()).toList());
    }

    @Test
    void aPathFollowsAPortThatGetsAnotherIdentifier() {
        LinkPath path = left.path(right.local(), LinkFlow.of(1));
        assertTrue(send(path));
        assertEquals(1, arrivals().size());
        switches.move(1, 100);
        assertTrue(send(path));
        assertEquals(100, arrivals().getFirst().route().destinationLid() & ~1);
    }

    @Test
    void aPathFollowsAPortThatGetsFewerIdentifiers() {
        int lid = switches.port(1).lid();
        // A flow to the second identifier of the port.
        LinkPath path = null;
        for (int entropy = 0; entropy < 32 && path == null; entropy++) {
            LinkPath tried = left.path(right.local(), LinkFlow.of(entropy));
            SubnetRoute route = tried.subnetRoute();
            path = route != null && route.destinationLid() == lid + 1 ? tried : null;
        }
        assertNotNull(path);
        Registers.lid(switches.port(1), lid, 0);
        assertTrue(send(path));
        assertEquals(lid, arrivals().getFirst().route().destinationLid());
    }

    @Test
    void aPortWithoutAnIdentifierGetsNothingUntilItHasOne() {
        Registers.lid(switches.port(1), 0, 0);
        LinkPath path = left.path(right.local(), LinkFlow.of(1));
        assertNull(path.subnetRoute());
        assertTrue(send(path), "it is dropped, not refused");
        assertEquals(1, left.counters().sendDropped());
        assertEquals(List.of(), arrivals());
        switches.move(1, 100);
        assertTrue(send(path));
        assertEquals(1, arrivals().size());
    }

    @Test
    void aPortThatIsNotActiveSendsNothing() {
        LinkPath path = left.path(right.local(), LinkFlow.of(1));
        Registers.state(switches.port(0), MTU, PortState.ARMED);
        assertTrue(send(path));
        assertEquals(1, left.counters().sendDropped());
        Registers.state(switches.port(0), MTU, PortState.ACTIVE);
        assertTrue(send(path));
        assertEquals(1, arrivals().size());
        assertEquals(1, left.counters().sent());
    }

    @Test
    void packetsOfAForeignPartitionAreDroppedAtBothEnds() {
        LinkPath path = left.path(right.local(), LinkFlow.of(1));
        Registers.partitions(switches.port(0), 0xffff, 0x8001, 0x0002);
        assertTrue(send(left, path, header(0x8003, false)));
        assertEquals(1, left.counters().sendDropped());
        assertTrue(send(left, path, header(0x8001, false)));
        assertEquals(List.of(), arrivals());
        assertEquals(1, left.counters().sent());
        assertEquals(1, Registers.partitionViolations(switches.port(1)));

        Registers.partitions(switches.port(1), 0xffff, 0x0001, 0x0002);
        assertTrue(send(left, path, header(0x8001, false)));
        assertEquals(1, arrivals().size());
        assertTrue(send(left, path, header(0x0002, false)), "two limited members");
        assertEquals(List.of(), arrivals());
    }

    @Test
    void theKeysOfAnAdapterAreThoseOfItsPort() {
        Registers.partitions(switches.port(2), 0x8005, 0, 0x7fff);
        AdapterOptions options =
                AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withPartitions(0x8009);
        try (Adapter adapter = Adapter.open(switches.open(), new VirtualClock(0), options)) {
            assertEquals(List.of(0x8005, 0x7fff), adapter.port().partitions());
            Registers.partitions(switches.port(2), 0xffff);
            assertEquals(List.of(0xffff), adapter.port().partitions());
        }
    }

    @Test
    void congestionOnTheWayIsAMark() {
        LinkPath path = left.path(right.local(), LinkFlow.of(1));
        assertTrue(send(left, path, header(Partitions.DEFAULT_KEY, true)));
        assertTrue(send(path));
        assertEquals(
                List.of(3, 0), arrivals().stream().map(Arrival::trafficClass).toList());
    }

    @Test
    void groupsHaveAGlobalRouteHeader() {
        Endpoint group = Endpoint.of("ff12:401b:ffff::77", Endpoint.ROCE_PORT);
        LinkPath path = left.path(group, LinkFlow.of(1));
        assertNull(path.subnetRoute());
        right.join(group);
        assertTrue(send(path));
        Arrival only = arrivals().getFirst();
        assertEquals(Lrh.NEXT_GRH, only.route().nextHeader());
        assertTrue(only.route().destinationLid() >= 0xc000);
        assertEquals(group, only.target());
        SubnetRoute route = path.subnetRoute();
        assertNotNull(route);
        assertTrue(route.local());
    }
}
