package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Gid;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.memory.ProtectionDomain;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.ip.Ipv4;

/** Datagrams between two adapters in one process, each turn given by hand. */
@OverSwitches
final class DatagramTest {
    private static final int QKEY = 0x1111_1111;
    private static final int HEADER = DatagramHeader.LENGTH;

    private final VirtualClock clock = new VirtualClock(0);
    private final Wires wires = new Wires(Wire.ROCE);
    private final Node a = node("a");
    private final Node b = node("b");
    private final AddressHandle toB = a.adapter.createAddressHandle(a.domain, b.adapter.endpoint());

    DatagramTest() {
        a.queuePair.activate(DatagramOptions.of(QKEY));
        b.queuePair.activate(DatagramOptions.of(QKEY));
    }

    private Node node(String name) {
        return node(name, AdapterOptions.DEFAULT);
    }

    private Node node(String name, AdapterOptions options) {
        Adapter adapter = wires.open(
                clock, options.withName(name).withRun(AdapterOptions.Run.MANUAL).withSeed(name.hashCode()));
        return new Node(adapter, 1 << 16, 64, Service.UD);
    }

    @AfterEach
    void close() {
        a.adapter.close();
        b.adapter.close();
    }

    private void run(Node... others) {
        for (int idle = 0; idle < 3; ) {
            int done = a.adapter.work(clock.nowNs()) + b.adapter.work(clock.nowNs());
            for (Node other : others) {
                done += other.adapter.work(clock.nowNs());
            }
            idle = done == 0 ? idle + 1 : 0;
        }
    }

    /** A group; on a fabric, which has no ports, with the port that all have. */
    private static Endpoint group(int port) {
        return Wires.isOnFabric() ? Endpoint.of("ff15::1:203", Endpoint.ROCE_PORT) : Endpoint.of("239.1.2.3", port);
    }

    private WorkRequest.SendDatagram datagram(long id, long length, int qkey) {
        return new WorkRequest.SendDatagram(
                id, Payload.of(a.segment(0, length)), toB, b.queuePair.number(), qkey, SendOptions.SIGNALLED);
    }

    private static byte[] fill(Node node, int length, int seed) {
        byte[] data = Exchange.pattern(length, seed);
        MemorySegment.copy(data, 0, node.memory, ValueLayout.JAVA_BYTE, 0, length);
        return data;
    }

    private static byte[] bytes(Node node, long offset, long length) {
        return node.memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static Completion only(Node node) {
        List<Completion> all = node.drain();
        assertEquals(1, all.size(), all::toString);
        return all.getFirst();
    }

    private long counted(Counter counter) {
        return b.adapter.counters().value(counter);
    }

    @Test
    void aDatagramFillsAReceiveBehindItsNetworkHeader() {
        byte[] data = fill(a, 1000, 3);
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 500), b.segment(5000, 2000)));
        a.queuePair.post(datagram(1, 1000, QKEY));
        run();
        Completion sent = only(a);
        assertEquals(Status.SUCCESS, sent.status());
        assertNull(sent.sourceQueuePair());
        Completion received = only(b);
        assertEquals(Operation.RECEIVE, received.operation());
        assertEquals(HEADER + 1000, received.byteLength());
        assertEquals(a.queuePair.number(), received.sourceQueuePair());
        assertArrayEquals(Arrays.copyOf(data, 460), bytes(b, HEADER, 460));
        assertArrayEquals(Arrays.copyOfRange(data, 460, 1000), bytes(b, 5000, 540));

        DatagramHeader header = DatagramHeader.read(b.memory, 0);
        assertEquals(Gid.of(a.adapter.endpoint().address()), header.source());
        assertEquals(Gid.of(b.adapter.endpoint().address()), header.target());
        assertEquals(64, header.hopLimit());
        int transport = 12 + 8 + 1000 + 4;
        if (Wires.isOnFabric()) {
            assertEquals(6, b.memory.get(ValueLayout.JAVA_BYTE, 0) >> 4, "a global route header");
            assertEquals(transport, Grh.read(b.memory, 0).payloadLength());
            return;
        }
        assertArrayEquals(new byte[20], bytes(b, 0, 20), "before an IPv4 header stand zeroes");
        assertEquals(4, Ipv4.version(b.memory, 20));
        assertTrue(Ipv4.isIntact(b.memory, 20));
        assertEquals(Ipv4.LENGTH + 8 + transport, Ipv4.read(b.memory, 20).totalLength());
    }

    @Test
    void immediateDataAndInlineDataTravelAlong() {
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
        a.queuePair.post(new WorkRequest.SendDatagramWithImmediate(
                1,
                Payload.inline(new byte[] {9, 8, 7}),
                toB,
                b.queuePair.number(),
                QKEY,
                0x55,
                new SendOptions(false, false, true)));
        run();
        assertEquals(List.of(), a.drain());
        Completion received = only(b);
        assertEquals(0x55, received.immediate());
        assertEquals(HEADER + 3, received.byteLength());
        assertArrayEquals(new byte[] {9, 8, 7}, bytes(b, HEADER, 3));
    }

    @Test
    void anEmptyDatagramArrives() {
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, HEADER)));
        a.queuePair.post(datagram(1, 0, QKEY));
        run();
        assertEquals(HEADER, only(b).byteLength());
    }

    @Test
    void aKeyWithTheTopBitStandsForTheSendersOwn() {
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
        a.queuePair.post(datagram(1, 4, 0x8000_0000));
        run();
        assertEquals(Status.SUCCESS, only(b).status());
    }

    @Test
    void aWrongKeyIsDroppedAndCounted() {
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
        a.queuePair.post(datagram(1, 4, QKEY ^ 1));
        run();
        assertEquals(List.of(), b.drain());
        assertEquals(1, counted(Counter.DROPPED_WRONG_QKEY));
        assertEquals(Status.SUCCESS, only(a).status());
    }

    @Test
    void withoutAReceiveADatagramIsLostAndCounted() {
        a.queuePair.post(datagram(1, 4, QKEY));
        run();
        assertEquals(1, counted(Counter.DROPPED_NO_RECEIVE));
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
        a.queuePair.post(datagram(2, 4, QKEY));
        run();
        assertEquals(7, only(b).id());
    }

    @Test
    void aReceiveTooSmallStaysForTheNextDatagram() {
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, HEADER + 3)));
        a.queuePair.post(datagram(1, 4, QKEY));
        run();
        assertEquals(List.of(), b.drain());
        assertEquals(1, counted(Counter.DROPPED_TOO_LONG));
        a.queuePair.post(datagram(2, 3, QKEY));
        run();
        assertEquals(7, only(b).id());
    }

    @Test
    void aDatagramLongerThanTheMtuIsRefusedAtThePost() {
        var error = assertThrows(IllegalArgumentException.class, () -> a.queuePair.post(datagram(1, 4097, QKEY)));
        assertEquals("a datagram has at most the 4096 bytes of the port's MTU; found 4097", error.getMessage());
    }

    @Test
    void whatTheServiceDoesNotHaveIsRefusedAtThePost() {
        assertThrows(IllegalArgumentException.class, () -> a.queuePair.post(new WorkRequest.Send(1, a.segment(0, 4))));
        try (Pair connected = new Pair()) {
            assertThrows(IllegalArgumentException.class, () -> connected.a.queuePair.post(datagram(1, 4, QKEY)));
        }
        assertThrows(
                IllegalStateException.class,
                () -> a.queuePair.connect(b.queuePair.address(), ConnectionOptions.DEFAULT));
    }

    @Test
    void anAddressHandleServesItsOwnDomainOnly() {
        ProtectionDomain other = a.adapter.createProtectionDomain();
        try (AddressHandle foreign = a.adapter.createAddressHandle(other, b.adapter.endpoint())) {
            var request = new WorkRequest.SendDatagram(
                    1, Payload.of(a.segment(0, 4)), foreign, b.queuePair.number(), QKEY, SendOptions.SIGNALLED);
            assertThrows(IllegalArgumentException.class, () -> a.queuePair.post(request));
        }
    }

    @Test
    void requestsOfAHandleThatWasClosedMeanwhileFailAndTheQueueCanBeResumed() {
        a.queuePair.post(datagram(1, 4, QKEY));
        a.queuePair.post(datagram(2, 4, QKEY));
        toB.close();
        run();
        assertEquals(
                List.of(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED),
                a.drain().stream().map(Completion::status).toList());
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, a.queuePair.state());
        assertThrows(IllegalStateException.class, () -> a.queuePair.post(datagram(3, 4, QKEY)));
        a.queuePair.resume();
        // Its slot serves another handle by now; the old number does not.
        try (AddressHandle again = a.adapter.createAddressHandle(a.domain, b.adapter.endpoint())) {
            assertTrue(again.number() != toB.number());
            b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
            a.queuePair.post(new WorkRequest.SendDatagram(
                    4, Payload.of(a.segment(0, 4)), again, b.queuePair.number(), QKEY, SendOptions.SIGNALLED));
            run();
            assertEquals(Status.SUCCESS, only(b).status());
        }
    }

    @Test
    void aGroupReachesEveryMemberOnceAndNobodyElse() {
        Node c = node("c");
        c.queuePair.activate(DatagramOptions.of(QKEY));
        Endpoint group = group(a.adapter.endpoint().port());
        Node[] all = {a, b, c};
        b.queuePair.join(group);
        b.queuePair.join(group);
        a.queuePair.join(group);
        for (Node node : all) {
            node.queuePair.post(new WorkRequest.Receive(7, node.segment(1000, 100)));
            node.queuePair.post(new WorkRequest.Receive(8, node.segment(2000, 100)));
        }
        fill(a, 30, 5);
        try (AddressHandle toGroup = a.adapter.createAddressHandle(a.domain, group)) {
            a.queuePair.post(new WorkRequest.SendDatagram(
                    1, Payload.of(a.segment(0, 30)), toGroup, WorkRequest.MULTICAST, QKEY, SendOptions.UNSIGNALLED));
            run(c);
            assertEquals(7, only(b).id());
            assertEquals(7, only(a).id(), "the sender is a member like any other");
            assertEquals(List.of(), c.drain());
            assertArrayEquals(Exchange.pattern(30, 5), bytes(b, 1000 + HEADER, 30));
            assertEquals(
                    Gid.of(group.address()), DatagramHeader.read(b.memory, 1000).target());

            b.queuePair.leave(group);
            a.queuePair.post(new WorkRequest.SendDatagram(
                    2, Payload.of(a.segment(0, 30)), toGroup, WorkRequest.MULTICAST, QKEY, SendOptions.UNSIGNALLED));
            run(c);
            assertEquals(List.of(), b.drain());
            assertEquals(8, only(a).id());
        }
        c.adapter.close();
    }

    @Test
    void aGroupIsAnAddressAndAPort() {
        Endpoint group = group(5000);
        // A fabric has no ports: its groups are addresses.
        Endpoint neighbour = Wires.isOnFabric() ? Endpoint.of("ff15::1:204", group.port()) : group.withPort(5001);
        try (QueuePair second = b.adapter.createQueuePair(
                        QueuePairOptions.of(b.domain, b.completions).withService(Service.UD));
                AddressHandle toGroup = a.adapter.createAddressHandle(a.domain, group);
                AddressHandle toNeighbour = a.adapter.createAddressHandle(a.domain, neighbour)) {
            second.activate(DatagramOptions.of(QKEY));
            b.queuePair.join(group);
            second.join(neighbour);
            for (int i = 0; i < 4; i++) {
                b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
                second.post(new WorkRequest.Receive(8, b.segment(1000, 100)));
            }
            toGroup(toGroup);
            assertEquals(7, only(b).id());
            toGroup(toNeighbour);
            assertEquals(8, only(b).id());

            b.queuePair.leave(group);
            long before = b.adapter.counters().value(Counter.RECEIVED_PACKETS);
            toGroup(toGroup);
            assertEquals(before, b.adapter.counters().value(Counter.RECEIVED_PACKETS), "the link has left the group");
            toGroup(toNeighbour);
            assertEquals(8, only(b).id());
        }
        long before = b.adapter.counters().value(Counter.RECEIVED_PACKETS);
        try (AddressHandle toNeighbour = a.adapter.createAddressHandle(a.domain, neighbour)) {
            toGroup(toNeighbour);
        }
        assertEquals(before, b.adapter.counters().value(Counter.RECEIVED_PACKETS), "a closed queue pair has left");
    }

    private void toGroup(AddressHandle handle) {
        a.queuePair.post(new WorkRequest.SendDatagram(
                1, Payload.of(a.segment(0, 30)), handle, WorkRequest.MULTICAST, QKEY, SendOptions.UNSIGNALLED));
        run();
    }

    /** A queue pair that is reset has no transport; its membership stays. */
    @Test
    void aMemberIsStillAMemberWhenItWasResetAndActivatedAgain() {
        Endpoint group = group(a.adapter.endpoint().port());
        b.queuePair.join(group);
        b.queuePair.reset();
        try (AddressHandle handle = a.adapter.createAddressHandle(a.domain, group)) {
            toGroup(handle);
            assertEquals(1, counted(Counter.DROPPED_WRONG_STATE));
            b.queuePair.activate(DatagramOptions.of(QKEY));
            b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
            toGroup(handle);
            assertEquals(7, only(b).id());
        }
    }

    @Test
    void aDamagedPacketForAGroupIsCountedOnceHoweverManyHaveJoined() {
        Endpoint group = group(a.adapter.endpoint().port());
        try (QueuePair second = b.adapter.createQueuePair(
                QueuePairOptions.of(b.domain, b.completions).withService(Service.UD))) {
            second.activate(DatagramOptions.of(QKEY));
            b.queuePair.join(group);
            second.join(group);
            Link stranger = wires.openLink();
            LinkPath path = stranger.path(group, LinkFlow.of(1));
            int length = Opcode.UD_SEND_ONLY.headerLength() + Icrc.LENGTH;
            Packet packet = Objects.requireNonNull(stranger.claim(path, length));
            packet.segment().asSlice(packet.offset(), length).fill((byte) 0);
            Bth.write(
                    packet.segment(),
                    packet.offset(),
                    Opcode.UD_SEND_ONLY,
                    false,
                    0,
                    Partitions.DEFAULT_KEY,
                    WorkRequest.MULTICAST);
            stranger.commit(packet);
            stranger.flush();
            run();
            stranger.close();
        }
        assertEquals(1, counted(Counter.DROPPED_BAD_ICRC));
    }

    @Test
    void receivesPostedBeforeActivationServeTheFirstDatagram() {
        b.queuePair.reset();
        b.queuePair.initialize();
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
        b.queuePair.activate(DatagramOptions.of(QKEY));
        a.queuePair.post(datagram(1, 4, QKEY));
        run();
        assertEquals(7, only(b).id());
    }

    @Test
    void whoDoesNotTakeItsDatagramsKeepsNobodyElseFromTheirs() {
        assumeFalse(Wires.isOnFabric(), "a fabric loses nothing: a receiver that takes no packet stops its lane");
        Node asleep = node("asleep");
        asleep.queuePair.activate(DatagramOptions.of(QKEY));
        b.queuePair.post(new WorkRequest.Receive(7, b.segment(0, 100)));
        try (AddressHandle toAsleep = a.adapter.createAddressHandle(a.domain, asleep.adapter.endpoint())) {
            for (int i = 0; i < 4 * 60; i++) {
                a.queuePair.post(new WorkRequest.SendDatagram(
                        1,
                        Payload.of(a.segment(0, 4096)),
                        toAsleep,
                        asleep.queuePair.number(),
                        QKEY,
                        SendOptions.UNSIGNALLED));
                a.adapter.work(clock.nowNs());
            }
        }
        a.queuePair.post(datagram(2, 4, QKEY));
        run();
        assertEquals(7, only(b).id());
        assertEquals(2, only(a).id());
        // Those that found room are there, the others are lost, and later ones arrive as ever.
        run(asleep);
        long before = asleep.adapter.counters().value(Counter.RECEIVED_PACKETS);
        assertTrue(before > 60 && before < 4 * 60, () -> "received " + before);
        try (AddressHandle toAsleep = a.adapter.createAddressHandle(a.domain, asleep.adapter.endpoint())) {
            asleep.queuePair.post(new WorkRequest.Receive(8, asleep.segment(0, 100)));
            a.queuePair.post(new WorkRequest.SendDatagram(
                    3,
                    Payload.of(a.segment(0, 4)),
                    toAsleep,
                    asleep.queuePair.number(),
                    QKEY,
                    SendOptions.UNSIGNALLED));
            run(asleep);
            assertEquals(8, only(asleep).id());
        }
        asleep.adapter.close();
    }

    @Test
    void destinationsAreSpreadOverSourcePorts() {
        assumeFalse(Wires.isOnFabric(), "packets of a fabric have no source port");
        var ports = new HashSet<Integer>();
        for (int i = 0; i < 8; i++) {
            Link link = wires.openLink();
            try (AddressHandle handle = a.adapter.createAddressHandle(a.domain, Endpoint.of(link.local()))) {
                a.queuePair.post(new WorkRequest.SendDatagram(
                        1, Payload.of(a.segment(0, 4)), handle, 2, QKEY, SendOptions.UNSIGNALLED));
                run();
            }
            assertEquals(1, link.receive(packet -> ports.add(packet.sourcePort()), 2));
            link.close();
        }
        assertEquals(8, ports.size());
    }

    // --- partitions

    @Test
    void twoLimitedMembersDoNotHearEachOtherButAFullOneHearsBoth() {
        assumeFalse(Wires.isOnFabric(), "management gives the keys of a fabric's port, FabricAddressingTest has them");
        Node limited = node("l", AdapterOptions.DEFAULT.withPartitions(0x1234, 0x9234));
        Node other = node("m", AdapterOptions.DEFAULT.withPartitions(0x9234, 0x1234));
        limited.queuePair.activate(DatagramOptions.of(QKEY).withPkey(0x1234));
        other.queuePair.activate(DatagramOptions.of(QKEY).withPkey(0x1234));
        assertEquals(0, arrivals(limited, other));
        assertEquals(1, other.adapter.counters().value(Counter.DROPPED_WRONG_PKEY));
        other.queuePair.reset();
        other.queuePair.activate(DatagramOptions.of(QKEY).withPkey(0x9234));
        assertEquals(1, arrivals(limited, other));
        other.queuePair.reset();
        assertThrows(IllegalArgumentException.class, () -> other.queuePair.activate(DatagramOptions.of(QKEY)));
        limited.adapter.close();
        other.adapter.close();
    }

    private int arrivals(Node from, Node to) {
        to.queuePair.post(new WorkRequest.Receive(7, to.segment(0, 100)));
        try (AddressHandle handle = from.adapter.createAddressHandle(from.domain, to.adapter.endpoint())) {
            from.queuePair.post(new WorkRequest.SendDatagram(
                    1, Payload.of(from.segment(0, 4)), handle, to.queuePair.number(), QKEY, SendOptions.UNSIGNALLED));
            run(from, to);
        }
        return to.drain().size();
    }

    @Test
    void thePortHasAnIdentifierForEachAddress() {
        Port port = a.adapter.port();
        assertEquals(List.of(a.adapter.endpoint()), port.endpoints());
        assertEquals(a.adapter.endpoint().address(), port.gids().getFirst().address());
        assertEquals(List.of(0xffff), port.partitions());
        assertEquals(
                "0000:0000:0000:0000:0000:ffff:0a00:0001",
                Gid.of(Endpoint.of("10.0.0.1", 0).address()).toString());
    }

    @Test
    void aPartitionThatThePortDoesNotHaveIsRefused() {
        try (Pair pair = new Pair()) {
            pair.a.queuePair.reset();
            pair.a.queuePair.initialize(java.util.Set.of());
            var error = assertThrows(
                    IllegalArgumentException.class,
                    () -> pair.a.queuePair.readyToReceive(
                            pair.b.queuePair.address(), ConnectionOptions.DEFAULT.withPkey(0x8001)));
            assertEquals("partition key 0x8001 is not in the port's table [0xffff]", error.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> AdapterOptions.DEFAULT.withPartitions(0x8000));
    }

    @Test
    void theServiceLevelBecomesATrafficClassUnlessOneIsGiven() {
        Route route = Route.DEFAULT.withServiceLevel(3);
        assertEquals(0x60, route.trafficClass());
        assertEquals(0x62, route.withEcn(true).trafficClass());
        assertEquals(0x28, route.withTrafficClass(0x28).trafficClass());
        assertEquals(0x28, route.withTrafficClass(0x2b).trafficClass(), "a mark is the network's");
        assertEquals(0x20, route.withServiceLevel(9).trafficClass());
        assertEquals(3, route.flow(1).serviceLevel());
        assertEquals(LinkFlow.MANAGED, Route.DEFAULT.flow(1).serviceLevel());
        assertThrows(IllegalArgumentException.class, () -> route.withServiceLevel(16));
        assertThrows(IllegalArgumentException.class, () -> route.withHopLimit(0));
    }
}
