package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.Gid;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.fabric.topology.Topology;
import org.verbena.fabric.topology.TopologyBuilder;
import org.verbena.link.Endpoint;
import org.verbena.link.ForwardingLink;
import org.verbena.link.Link;
import org.verbena.link.Packet;
import org.verbena.link.wrap.CapturedLink;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.DatagramHeader;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.mad.CmPath;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Req;

/** Verbs and connections on fabrics that a subnet manager has brought up, whose administration tells the ways; in virtual time. */
final class FabricVerbsTest {
    private static final long PREFIX = 0xfec0_0000_0000_0000L;
    private static final long LIMIT_NS = 10_000_000_000L;
    private static final int QKEY = 0x1234;
    private static final int ETHER_TYPE = 0x88b5;
    private static final Endpoint GROUP = Endpoint.of("ff12:401b:ffff::1:2", Endpoint.ROCE_PORT);

    @TempDir
    private Path folder;

    private final VirtualClock clock = new VirtualClock(0);
    private final List<Site> sites = new ArrayList<>();
    private final List<Req> requests = new ArrayList<>();
    private @Nullable Fabric made;

    @AfterEach
    void close() {
        sites.forEach(site -> site.adapter.close());
        if (made != null) {
            made.close();
        }
    }

    private Fabric fabric() {
        Fabric there = made;
        if (there == null) {
            throw new AssertionError("no fabric yet");
        }
        return there;
    }

    /** Switches in a line, a host at each, in one subnet; or a subnet for each switch and routers between them. */
    private void bringUp(int switches, boolean routed) {
        TopologyBuilder builder = Topology.builder();
        for (int i = 0; i < switches; i++) {
            builder.switchNode("switch" + i, 4).adapter("host" + i, 1).cable("host" + i, 1, "switch" + i, 1);
        }
        for (int i = 1; i < switches; i++) {
            if (routed) {
                builder.router("router" + i, 2);
                builder.cable("switch" + (i - 1), 4, "router" + i, 1).cable("router" + i, 2, "switch" + i, 3);
            } else {
                builder.cable("switch" + (i - 1), 4, "switch" + i, 3);
            }
        }
        Fabric fabric = Fabric.of(builder.build(), FabricOptions.DEFAULT.withAdministration(!routed));
        made = fabric;
        for (int i = 0; i < (routed ? switches : 1); i++) {
            SubnetManager manager = fabric.manage(
                    fabric.port("host" + i, 1),
                    ManagerOptions.DEFAULT.withSubnetPrefix(PREFIX + i).withLmc(1));
            while (!manager.isSettled()) {
                assertTrue(
                        fabric.nextEventNs() < LIMIT_NS,
                        () -> manager.problems().toString());
                fabric.run(fabric.nextEventNs());
            }
        }
    }

    /** An adapter with what its queue pairs need. */
    private final class Site {
        final Adapter adapter;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final QueuePair queuePair;
        final MemorySegment memory = Arena.ofAuto().allocate(1 << 16, 4096);
        final Region region;

        Site(Link link, Service service) {
            adapter = Adapter.open(
                    link,
                    clock,
                    AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(1 + sites.size()));
            domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(64);
            queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withService(service)
                    .withInlineMax(64));
            region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
            sites.add(this);
        }

        LocalSegment segment(long length) {
            return LocalSegment.of(region, 0, length);
        }

        Completion take() {
            AtomicReference<@Nullable Completion> found = new AtomicReference<>();
            until(() -> {
                found.set(completions.poll());
                return found.get() != null;
            });
            Completion completion = Objects.requireNonNull(found.get());
            assertEquals(Status.SUCCESS, completion.status());
            return completion;
        }
    }

    private Site site(int host, Service service) {
        return new Site(new RequestWatch(fabric().open("host" + host, 1)), service);
    }

    /** Sees the connection requests that leave. */
    private final class RequestWatch extends ForwardingLink {
        private static final int MAD_AT = Bth.LENGTH + Deth.LENGTH;

        RequestWatch(Link inner) {
            super(inner);
        }

        @Override
        public void commit(Packet packet) {
            if (!packet.raw() && Bth.destinationQueuePair(packet.segment(), packet.offset()) == Mad.QUEUE_PAIR) {
                MemorySegment mad = packet.segment().asSlice(packet.offset() + MAD_AT, Mad.LENGTH);
                if (Req.isRequest(mad, 0)) {
                    requests.add(Req.read(mad, Mad.HEADER_LENGTH));
                }
            }
            inner.commit(packet);
        }
    }

    private void until(BooleanSupplier condition) {
        long endNs = clock.nowNs() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            int done = 0;
            for (Site site : sites) {
                done += site.adapter.work(clock.nowNs());
            }
            long nextNs = clock.nowNs() + (done > 0 ? 500 : 1_000_000);
            clock.advanceTo(Math.max(clock.nowNs(), fabric().run(nextNs)));
            assertTrue(clock.nowNs() < endNs, "what was waited for never came");
        }
    }

    private void connect(Site from, Site to) {
        List<Connection> accepted = new ArrayList<>();
        var at = new InetSocketAddress(to.adapter.endpoint().address(), 7000);
        try (Listener listener = Listener.open(
                to.adapter,
                at,
                ListenerOptions.DEFAULT,
                request -> accepted.add(request.accept(to.queuePair, AcceptOptions.DEFAULT)))) {
            CompletableFuture<Connection> connecting =
                    Connector.connectAsync(from.adapter, listener.address(), from.queuePair, ConnectorOptions.DEFAULT);
            until(() -> connecting.isDone() && !accepted.isEmpty());
            assertNotNull(connecting.join());
        }
    }

    private static byte[] pattern(MemorySegment memory, int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (i * 7 + (i >> 8));
        }
        MemorySegment.copy(data, 0, memory, ValueLayout.JAVA_BYTE, 0, length);
        return data;
    }

    private static Gid gidOf(Site site) {
        return Gid.of(site.adapter.endpoint().address());
    }

    private void writeAndCompare(Site from, Site to) {
        byte[] data = pattern(from.memory, 20_000);
        assertTrue(
                from.queuePair.post(new WorkRequest.Write(1, from.segment(data.length), RemoteMemory.of(to.region))));
        from.take();
        // Without acknowledgements the write is done before it has arrived.
        until(() -> MemorySegment.ofArray(data).mismatch(to.memory.asSlice(0, data.length)) < 0);
    }

    @Test
    void aConnectionGoesByTheIdentifiersOfManagement() {
        bringUp(3, false);
        Site a = site(0, Service.RC);
        Site b = site(2, Service.RC);
        connect(a, b);
        writeAndCompare(a, b);
        CmPath path = requests.getFirst().paths().primary();
        assertEquals(fabric().port("host0", 1).lid(), path.local().lid() & ~1);
        assertEquals(fabric().port("host2", 1).lid(), path.remote().lid() & ~1);
        assertEquals(gidOf(a), path.local().gid());
        assertEquals(gidOf(b), path.remote().gid());
        assertTrue(path.subnetLocal());
    }

    @Test
    void aConnectionCrossesARouter() {
        bringUp(2, true);
        Site a = site(0, Service.RC);
        Site b = site(1, Service.RC);
        connect(a, b);
        writeAndCompare(a, b);
        CmPath path = requests.getFirst().paths().primary();
        assertEquals(fabric().port("router1", 1).lid(), path.remote().lid() & ~1);
        assertEquals(gidOf(b), path.remote().gid());
        assertEquals(false, path.subnetLocal());
    }

    @Test
    void anUnreliableConnectionWorks() {
        bringUp(2, false);
        Site a = site(0, Service.UC);
        Site b = site(1, Service.UC);
        connect(a, b);
        writeAndCompare(a, b);
    }

    private void sendDatagram(Site from, Endpoint to, int queuePair) {
        AddressHandle handle = from.adapter.createAddressHandle(from.domain, to);
        assertTrue(from.queuePair.post(new WorkRequest.SendDatagram(
                1, Payload.of(from.segment(500)), handle, queuePair, QKEY, SendOptions.SIGNALLED)));
    }

    private void assertReceived(Site from, Site to, Gid target, byte[] data) {
        Completion received = to.take();
        assertEquals(DatagramHeader.LENGTH + data.length, received.byteLength());
        DatagramHeader header = DatagramHeader.read(to.memory, 0);
        assertEquals(gidOf(from), header.source());
        assertEquals(target, header.target());
        assertEquals(from.adapter.endpoint(), header.answerTo());
        assertArrayEquals(
                data, to.memory.asSlice(DatagramHeader.LENGTH, data.length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void datagramsReachOneReceiverAndAGroup() {
        bringUp(3, false);
        Site a = site(0, Service.UD);
        Site b = site(1, Service.UD);
        Site c = site(2, Service.UD);
        for (Site site : sites) {
            site.queuePair.activate(DatagramOptions.of(QKEY));
        }
        byte[] data = pattern(a.memory, 500);
        b.queuePair.post(new WorkRequest.Receive(2, b.segment(1000)));
        sendDatagram(a, b.adapter.endpoint(), b.queuePair.number());
        assertReceived(a, b, gidOf(b), data);
        a.take();

        b.queuePair.join(GROUP);
        c.queuePair.join(GROUP);
        long settledNs = clock.nowNs() + 1_000_000_000;
        until(() -> clock.nowNs() >= settledNs);
        b.queuePair.post(new WorkRequest.Receive(3, b.segment(1000)));
        c.queuePair.post(new WorkRequest.Receive(3, c.segment(1000)));
        sendDatagram(a, GROUP, Bth.QUEUE_PAIR_MASK);
        Gid group = Gid.of(GROUP.address());
        assertReceived(a, b, group, data);
        assertReceived(a, c, group, data);
    }

    @Test
    void rawPacketsArePaddedToWords() {
        bringUp(2, false);
        Site a = site(0, Service.RAW);
        Site b = site(1, Service.RAW);
        a.queuePair.activateRaw(ETHER_TYPE);
        b.queuePair.activateRaw(ETHER_TYPE);
        b.queuePair.post(new WorkRequest.Receive(2, b.segment(100)));
        AddressHandle handle = a.adapter.createAddressHandle(a.domain, b.adapter.endpoint());
        byte[] data = {1, 2, 3, 4, 5, 6};
        a.queuePair.post(new WorkRequest.SendRaw(1, Payload.inline(data), handle, SendOptions.SIGNALLED));
        assertEquals(8, b.take().byteLength());
        assertArrayEquals(Arrays.copyOf(data, 8), b.memory.asSlice(0, 8).toArray(ValueLayout.JAVA_BYTE));
    }

    /** Local and global route headers, connection management, RDMA and datagrams, as Wireshark sees them. */
    @Test
    void tsharkDissectsTheCaptureOfAnAdapterWithoutAComplaint() throws IOException, InterruptedException {
        bringUp(3, false);
        Path file = folder.resolve("adapter.pcapng");
        Site a = new Site(CapturedLink.toFile(fabric().open("host0", 1), file, clock), Service.RC);
        Site b = site(2, Service.RC);
        connect(a, b);
        writeAndCompare(a, b);
        QueuePair datagrams = a.adapter.createQueuePair(
                QueuePairOptions.of(a.domain, a.completions).withService(Service.UD));
        datagrams.activate(DatagramOptions.of(QKEY));
        datagrams.join(GROUP);
        AddressHandle toGroup = a.adapter.createAddressHandle(a.domain, GROUP);
        datagrams.post(new WorkRequest.SendDatagram(
                9, Payload.of(a.segment(30)), toGroup, Bth.QUEUE_PAIR_MASK, QKEY, SendOptions.SIGNALLED));
        a.take();
        a.adapter.close();
        List<String> rows = FabricCaptureTest.tshark(
                file,
                "--disable-protocol",
                "rpcordma",
                "-T",
                "fields",
                "-E",
                "separator=|",
                "-e",
                "infiniband.lrh.lnh",
                "-e",
                "infiniband.bth.opcode",
                "-e",
                "_ws.expert",
                "-e",
                "_ws.malformed");
        assertTrue(rows.size() > 10, () -> rows.size() + " rows");
        for (String row : rows) {
            String[] fields = row.split("\\|", -1);
            assertEquals("", fields[2] + fields[3], row);
        }
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("0x03|")), "a global route header");
        assertTrue(rows.stream().anyMatch(row -> row.startsWith("0x02|")), "a local route header");
    }
}
