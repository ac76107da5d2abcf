package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.verbena.Gid;
import org.verbena.PrivateData;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.mad.CmEnd;
import org.verbena.wire.mad.CmMessage;
import org.verbena.wire.mad.CmPath;
import org.verbena.wire.mad.CmReads;
import org.verbena.wire.mad.DataMessage;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;

/** Any management datagrams at a live communication manager: nothing is thrown, and others are not disturbed. */
final class ManagementFuzzTest {
    private static final int COMMANDS_MAX = 200;
    private static final int PORT = 7174;
    private static final PrivateData DATA = PrivateData.of(new byte[7_000]);

    @FuzzTest
    void messagesReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < Mad.LENGTH) {
            return;
        }
        MemorySegment mad = MemorySegment.ofArray(input);
        CmMessage message = CmMessage.read(mad, 0);
        if (message != null) {
            MemorySegment again = MemorySegment.ofArray(new byte[Mad.LENGTH]);
            message.writeMad(again, 0, Mad.read(mad, 0).transactionId());
            assertEquals(message, CmMessage.read(again, 0));
        }
        DataMessage data = DataMessage.read(mad, 0);
        if (data != null) {
            MemorySegment again = MemorySegment.ofArray(new byte[Mad.LENGTH]);
            data.writeMad(again, 0, Mad.read(mad, 0).transactionId());
            assertEquals(data, DataMessage.read(again, 0));
        }
        IpCmHeader header = IpCmHeader.of(PrivateData.of(input));
        if (header != null) {
            assertEquals(header, IpCmHeader.of(header.before(PrivateData.NONE)));
        }
    }

    @Test
    void dataMessagesOfChanceReadBackAsTheyWereWritten() {
        Seed seed = new Seed(7);
        for (int run = 0; run < 10_000; run++) {
            byte[] mad = new byte[Mad.LENGTH];
            for (int i = 0; i < mad.length; i++) {
                mad[i] = (byte) seed.nextInt();
            }
            dataHeader(mad, seed.nextInt(3));
            assertTrue(DataMessage.read(MemorySegment.ofArray(mad), 0) != null);
            messagesReadBackAsTheyWereWritten(mad);
        }
    }

    /** Writes what all messages of data at connect have, over arbitrary bytes. */
    private static void dataHeader(byte[] mad, int kind) {
        int[] methods = {Mad.METHOD_SEND, Mad.METHOD_SET, Mad.METHOD_RESPONSE};
        int status = BigEndian.readShort(MemorySegment.ofArray(mad), 4);
        MemorySegment segment = MemorySegment.ofArray(mad);
        new Mad(1, Mad.CLASS_DATA, Mad.DATA_VERSION, methods[kind], status, 0, 1, DataMessage.ATTRIBUTE, 0)
                .write(segment, 0);
        BigEndian.writeInt(segment, DataMessage.VENDOR_AT, DataMessage.VENDOR);
    }

    /** The fuzzer's target, with scripts of chance: runs wherever tests run. */
    @Test
    void noScriptOfChanceHarmsTheCommunicationManager() {
        Seed seed = new Seed(2026);
        for (int run = 0; run < 150; run++) {
            byte[] script = new byte[1500];
            for (int i = 0; i < script.length; i++) {
                script[i] = (byte) seed.nextInt();
            }
            noDatagramHarmsTheCommunicationManager(script);
        }
    }

    @FuzzTest
    void noDatagramHarmsTheCommunicationManager(byte[] input) {
        Script script = new Script(input);
        try (Town town = new Town()) {
            for (int i = 0; i < COMMANDS_MAX && script.hasMore(); i++) {
                town.command(script);
            }
            town.assertUndisturbed();
        }
    }

    @Test
    void noScriptOfChanceHarmsDataAtConnect() {
        Seed seed = new Seed(2027);
        for (int run = 0; run < 150; run++) {
            byte[] script = new byte[2_000];
            for (int i = 0; i < script.length; i++) {
                script[i] = (byte) seed.nextInt();
            }
            noDatagramHarmsDataAtConnect(script);
        }
    }

    @FuzzTest
    void noDatagramHarmsDataAtConnect(byte[] input) {
        Script script = new Script(input);
        try (Town town = new Town()) {
            town.befriend();
            for (int i = 0; i < COMMANDS_MAX && script.hasMore(); i++) {
                town.dataCommand(script);
            }
            town.assertUndisturbed();
        }
    }

    /** A server with a listener, an honest client with a connection, and an attacker that sends arbitrary datagrams. */
    private static final class Town implements AutoCloseable {
        private final VirtualClock clock = new VirtualClock(0);
        private final InProcessNetwork network = new InProcessNetwork(64 << 10);
        private final Adapter server = adapter("server");
        private final Adapter client = adapter("client");
        private final Link stranger = network.open();
        private final Icrc icrc = new Icrc();
        private final Listener listener;
        private final Connection honest;
        private final List<ConnectionRequest> requests = new ArrayList<>();
        private int lastId = 1;
        private int serversId;

        Town() {
            listener = Listener.open(server, at(PORT), ListenerOptions.DEFAULT.withBacklog(8));
            honest = connect();
        }

        private Adapter adapter(String name) {
            return Adapter.open(
                    network.open(),
                    clock,
                    AdapterOptions.DEFAULT
                            .withName(name)
                            .withRun(AdapterOptions.Run.MANUAL)
                            .withSeed(name.hashCode()));
        }

        private InetSocketAddress at(int port) {
            return new InetSocketAddress(server.endpoint().address(), port);
        }

        private static QueuePair queuePair(Adapter adapter) {
            return adapter.createQueuePair(
                    QueuePairOptions.of(adapter.createProtectionDomain(), adapter.createCompletionQueue(8))
                            .withCapacity(1, 1));
        }

        private Connection connect() {
            CompletableFuture<Connection> connecting = Connector.connectAsync(
                    client, at(PORT), queuePair(client), ConnectorOptions.DEFAULT.withData(DATA));
            for (int i = 0; i < 100_000 && !connecting.isDone(); i++) {
                pass(100_000);
                CompletableFuture<ConnectionRequest> next = listener.acceptAsync();
                if (!next.cancel(false)) {
                    answer(next.join());
                }
            }
            Connection made = connecting.join();
            assertEquals(DATA, made.peerData());
            return made;
        }

        private void answer(ConnectionRequest request) {
            if (request.peer().getAddress().equals(client.endpoint().address())) {
                request.accept(queuePair(server), AcceptOptions.DEFAULT.withData(DATA));
            } else {
                request.reject(PrivateData.NONE);
            }
        }

        void command(Script script) {
            switch (script.unsignedByte() & 7) {
                case 0 -> send(script.bytes(Mad.LENGTH), script.unsignedByte());
                case 1, 2, 3, 4 -> send(message(script), 0);
                case 5 -> pass(1L << script.below(34));
                case 6 -> take(script);
                default -> send(dataMessage(script), 0);
            }
        }

        /** The consumer takes a request, if there is one, and does something sensible. */
        private void take(Script script) {
            CompletableFuture<ConnectionRequest> next = listener.acceptAsync();
            if (next.cancel(false)) {
                return;
            }
            requests.add(next.join());
            try {
                int choice = script.unsignedByte();
                if (choice < 128) {
                    PrivateData data = choice < 32 ? null : DATA;
                    requests.getLast().accept(queuePair(server), AcceptOptions.DEFAULT.withData(data));
                } else {
                    requests.getLast().reject(PrivateData.NONE);
                }
            } catch (RuntimeException refused) {
                assertFalse(refused instanceof NullPointerException, "a reason, not an accident");
            }
        }

        /** A message of the right form, with fields that are sensible as often as not. */
        private byte[] message(Script script) {
            byte[] mad = new byte[Mad.LENGTH];
            byte[] fields = script.bytes(120);
            System.arraycopy(fields, 0, mad, Mad.HEADER_LENGTH, fields.length);
            MemorySegment segment = MemorySegment.ofArray(mad);
            int attribute = Req.ATTRIBUTE + script.below(11);
            Mad.cm(script.unsignedByte(), attribute).write(segment, 0);
            CmMessage message = CmMessage.read(segment, 0);
            assertTrue(message != null);
            if (message instanceof Req req && script.unsignedByte() < 200) {
                lastId = script.unsignedByte();
                new Req(
                                lastId,
                                0x0106_0000L + PORT,
                                CmEnd.of(1, script.unsignedByte(), req.end().startingPsn()),
                                new CmReads(1, 1),
                                Req.Transport.of(
                                        script.unsignedByte() < 240
                                                ? 0
                                                : req.transport().service()),
                                new Req.Timing(20, 20, 15),
                                new Req.Delivery(7, 7, false),
                                new Req.Paths(
                                        script.unsignedByte() < 240
                                                ? 0xffff
                                                : req.paths().pkey(),
                                        script.unsignedByte() < 240
                                                ? 5
                                                : req.paths().mtu(),
                                        script.unsignedByte() < 240
                                                ? strangersPath()
                                                : req.paths().primary(),
                                        req.paths().alternate()),
                                req.privateData())
                        .writeMad(segment, 0, 1);
            } else if (script.unsignedByte() < 200) {
                // Of the conversation it had last: these two ids are where almost every message has them.
                BigEndian.writeInt(segment, Mad.HEADER_LENGTH, lastId);
                BigEndian.writeInt(segment, Mad.HEADER_LENGTH + 4, serversId);
            }
            return mad;
        }

        /** A message of data at connect, with fields that are sensible as often as not. */
        private byte[] dataMessage(Script script) {
            byte[] mad = new byte[Mad.LENGTH];
            byte[] fields = script.bytes(32);
            System.arraycopy(fields, 0, mad, DataMessage.OWNER_AT, fields.length);
            int kind = script.below(3);
            dataHeader(mad, kind);
            MemorySegment segment = MemorySegment.ofArray(mad);
            if (script.unsignedByte() < 220) {
                // Of the conversation it had last.
                BigEndian.writeInt(segment, DataMessage.OWNER_AT, kind == 2 ? serversId : lastId);
                BigEndian.writeInt(segment, DataMessage.RECEIVER_AT, kind == 2 ? lastId : serversId);
            }
            if (script.unsignedByte() < 200) {
                BigEndian.writeInt(
                        segment, DataMessage.LENGTH_AT, kind == 2 ? DATA.length() : script.unsignedByte() * 300);
                BigEndian.writeShort(segment, DataMessage.BURST_AT, 1 + script.below(3));
                BigEndian.writeShort(segment, DataMessage.INDEX_AT, script.unsignedByte());
                BigEndian.writeShort(segment, 4, 0);
            }
            return mad;
        }

        private CmPath strangersPath() {
            Gid gid = new Gid(stranger.local().high(), stranger.local().low());
            Gid target = new Gid(server.endpoint().high(), server.endpoint().low());
            return new CmPath(CmPath.Port.of(gid), CmPath.Port.of(target), 1, 0, 0, 64, 0, false, 17);
        }

        /** The attacker asks for a connection as it should, and is accepted with data at connect. */
        void befriend() {
            lastId = 77;
            byte[] mad = new byte[Mad.LENGTH];
            new Req(
                            lastId,
                            0x0106_0000L + PORT,
                            CmEnd.of(1, 5, 1),
                            new CmReads(1, 1),
                            Req.Transport.of(0),
                            new Req.Timing(20, 20, 15),
                            new Req.Delivery(7, 7, false),
                            Req.Paths.of(0xffff, 5, strangersPath()),
                            PrivateData.NONE)
                    .writeMad(MemorySegment.ofArray(mad), 0, 1);
            send(mad, 0);
            listener.acceptAsync().join().accept(queuePair(server), AcceptOptions.DEFAULT.withData(DATA));
            pass(1000);
            assertTrue(serversId != 0, "the attacker has a reply");
        }

        void dataCommand(Script script) {
            if (script.unsignedByte() < 220) {
                send(dataMessage(script), 0);
            } else {
                pass(1L << script.below(30));
            }
        }

        /** Reads the answers of the server. */
        private void overhear(Packet packet) {
            MemorySegment mad =
                    packet.segment().asSlice(packet.offset() + Opcode.UD_SEND_ONLY.headerLength(), Mad.LENGTH);
            if (CmMessage.read(mad, 0) instanceof Rep rep) {
                serversId = rep.localId();
            }
        }

        private void send(byte[] mad, int garbling) {
            int length = Opcode.UD_SEND_ONLY.headerLength() + mad.length + (-mad.length & 3) + Icrc.LENGTH;
            Packet packet = stranger.claim(stranger.path(server.endpoint(), LinkFlow.of(1)), length);
            if (packet == null) {
                return;
            }
            MemorySegment segment = packet.segment();
            int at = packet.offset();
            Bth.write(segment, at, Opcode.UD_SEND_ONLY, false, -mad.length & 3, 0xffff, Mad.QUEUE_PAIR);
            Bth.writeSequence(segment, at, lastId, false);
            new Deth(garbling > 250 ? 1 : Mad.QKEY, Mad.QUEUE_PAIR).write(segment, (long) at + Bth.LENGTH);
            MemorySegment.copy(
                    MemorySegment.ofArray(mad), 0, segment, (long) at + Opcode.UD_SEND_ONLY.headerLength(), mad.length);
            int sealed = packet.length() - Icrc.LENGTH;
            Icrc.write(
                    segment,
                    (long) at + sealed,
                    icrc.compute(
                            packet.bytes(),
                            at,
                            sealed,
                            packet.sourceHigh(),
                            packet.sourceLow(),
                            packet.targetHigh(),
                            packet.targetLow(),
                            packet.sourcePort(),
                            packet.targetPort(),
                            packet.identification()));
            stranger.commit(packet);
            stranger.flush();
            pass(1000);
        }

        private void pass(long durationNs) {
            clock.advance(durationNs);
            for (int i = 0; i < 4; i++) {
                server.work(clock.nowNs());
                client.work(clock.nowNs());
            }
            stranger.receive(this::overhear, 1000);
        }

        void assertUndisturbed() {
            assertEquals(Connection.State.ESTABLISHED, honest.state());
            Connection another = connect();
            assertEquals(Connection.State.ESTABLISHED, another.state());
            CompletableFuture<Connection> over = honest.disconnect();
            for (int i = 0; i < 100 && !over.isDone(); i++) {
                pass(100_000);
            }
            assertTrue(over.isDone());
        }

        @Override
        public void close() {
            server.close();
            client.close();
        }
    }
}
