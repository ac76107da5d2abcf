package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

/** Every unreliable service over real links, with engines that have threads of their own. */
final class ServicesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int QKEY = 0x2468_ace0;
    private static final ConnectionOptions SMALL = ConnectionOptions.DEFAULT.withMtu(Mtu.MTU_1024);

    /** Where links come from. */
    enum Kind {
        IN_PROCESS,
        UDP,
        UDP_NIO,
        UDP_IPV6,
        FABRIC;

        Supplier<Link> links() {
            return switch (this) {
                case IN_PROCESS -> new InProcessNetwork()::open;
                case UDP -> () -> UdpNetwork.open(Endpoint.of("127.0.0.1", 0));
                case UDP_NIO ->
                    () -> UdpNetwork.open(
                            Endpoint.of("127.0.0.1", 0), UdpOptions.defaults().withDriver(UdpDriver.NIO));
                case UDP_IPV6 -> () -> UdpNetwork.open(Endpoint.of("::1", 0));
                case FABRIC -> Wires.ofFabric()::openLiveLink;
            };
        }
    }

    /** Two nodes of one service. */
    private record Two(Node a, Node b) implements AutoCloseable {
        static Two of(Kind kind, Service service) {
            Supplier<Link> links = kind.links();
            return new Two(node(links.get(), service), node(links.get(), service));
        }

        private static Node node(Link link, Service service) {
            return new Node(Adapter.open(link, AdapterOptions.DEFAULT), 1 << 17, 64, service);
        }

        @Override
        public void close() {
            a.adapter.close();
            b.adapter.close();
        }
    }

    private static byte[] fill(Node node, int length, int seed) {
        byte[] data = Exchange.pattern(length, seed);
        MemorySegment.copy(data, 0, node.memory, ValueLayout.JAVA_BYTE, 0, length);
        return data;
    }

    private static byte[] bytes(Node node, long offset, long length) {
        return node.memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    private static Completion next(Node node) throws InterruptedException {
        Completion completion = node.completions.poll(PATIENCE);
        assertNotNull(completion);
        assertEquals(Status.SUCCESS, completion.status(), completion::toString);
        return completion;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void unreliableConnection(Kind kind) throws InterruptedException {
        try (Two two = Two.of(kind, Service.UC)) {
            Node.connect(two.a, two.b, SMALL);
            byte[] data = fill(two.a, 10_000, 1);
            two.b.queuePair.post(new WorkRequest.Receive(1, two.b.segment(0, 20_000)));
            two.b.queuePair.post(new WorkRequest.Receive(2));
            two.a.queuePair.post(new WorkRequest.Send(3, two.a.segment(0, 10_000)));
            two.a.queuePair.post(new WorkRequest.WriteWithImmediate(
                    4, Payload.of(two.a.segment(0, 9000)), two.b.remote(30_000), 77, SendOptions.SIGNALLED));
            assertEquals(3, next(two.a).id());
            assertEquals(4, next(two.a).id());
            assertEquals(10_000, next(two.b).byteLength());
            Completion written = next(two.b);
            assertEquals(Operation.RECEIVE_WRITE_WITH_IMMEDIATE, written.operation());
            assertEquals(77, written.immediate());
            assertArrayEquals(data, bytes(two.b, 0, 10_000));
            assertArrayEquals(java.util.Arrays.copyOf(data, 9000), bytes(two.b, 30_000, 9000));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void datagramsThereAndBack(Kind kind) throws InterruptedException {
        try (Two two = Two.of(kind, Service.UD)) {
            two.a.queuePair.activate(DatagramOptions.of(QKEY));
            two.b.queuePair.activate(DatagramOptions.of(QKEY));
            int length = two.a.adapter.port().mtu().bytes();
            byte[] data = fill(two.a, length, 1);
            two.a.queuePair.post(new WorkRequest.Receive(1, two.a.segment(50_000, 5000)));
            two.b.queuePair.post(new WorkRequest.Receive(2, two.b.segment(0, 5000)));
            AddressHandle there = two.a.adapter.createAddressHandle(
                    two.a.domain, two.b.adapter.endpoint(), Route.DEFAULT.withServiceLevel(2));
            two.a.queuePair.post(new WorkRequest.SendDatagram(
                    3,
                    Payload.of(two.a.segment(0, length)),
                    there,
                    two.b.queuePair.number(),
                    QKEY,
                    SendOptions.UNSIGNALLED));
            Completion received = next(two.b);
            assertArrayEquals(data, bytes(two.b, DatagramHeader.LENGTH, length));
            DatagramHeader header = DatagramHeader.read(two.b.memory, 0);
            assertEquals(two.a.adapter.port().gids().getFirst(), header.source());
            assertEquals(two.b.adapter.port().gids().getFirst(), header.target());
            // NIO does not show the traffic class of what arrives, and a packet within a subnet has none.
            boolean shown = kind != Kind.UDP_NIO && kind != Kind.FABRIC;
            assertEquals(shown ? 0x40 : 0, header.trafficClass());

            Integer source = received.sourceQueuePair();
            assertNotNull(source);
            AddressHandle back = two.b.adapter.createAddressHandle(
                    two.b.domain,
                    header.answerTo().withPort(two.a.adapter.endpoint().port()));
            two.b.queuePair.post(new WorkRequest.SendDatagramWithImmediate(
                    4, Payload.inline(new byte[] {5}), back, source, QKEY, 6, SendOptions.UNSIGNALLED));
            Completion answer = next(two.a);
            assertEquals(6, answer.immediate());
            assertEquals(two.b.queuePair.number(), answer.sourceQueuePair());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"IN_PROCESS", "UDP", "UDP_NIO", "FABRIC"})
    void groups(Kind kind) throws InterruptedException {
        try (Two two = Two.of(kind, Service.UD)) {
            two.a.queuePair.activate(DatagramOptions.of(QKEY));
            two.b.queuePair.activate(DatagramOptions.of(QKEY));
            byte[] data = fill(two.a, 500, 1);
            Endpoint group = Endpoint.of(
                    kind == Kind.FABRIC ? "ff15::77:109" : "239.77.1.9",
                    two.b.adapter.endpoint().port());
            two.b.queuePair.join(group);
            two.b.queuePair.post(new WorkRequest.Receive(2, two.b.segment(0, 5000)));
            AddressHandle all = two.a.adapter.createAddressHandle(two.a.domain, group);
            two.a.queuePair.post(new WorkRequest.SendDatagram(
                    3, Payload.of(two.a.segment(0, 500)), all, WorkRequest.MULTICAST, QKEY, SendOptions.UNSIGNALLED));
            next(two.b);
            assertArrayEquals(data, bytes(two.b, DatagramHeader.LENGTH, 500));
            assertTrue(DatagramHeader.read(two.b.memory, 0).target().address().isMulticastAddress());
        }
    }
}
