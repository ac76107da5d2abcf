package org.verbena.replay;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Gid;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.ScriptedLink;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.FixedKeys;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AddressHandle;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.DatagramHeader;
import org.verbena.verbs.DatagramOptions;
import org.verbena.verbs.FixedNumbers;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Extension;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;
import org.verbena.wire.ib.TransportService;

/** The captured unreliable connections and datagrams, with an adapter of ours in the place of Linux on either side. */
final class UnreliableReplayTest {
    private static final int RECEIVE_LENGTH = 1 << 14;

    /** One capture, with an adapter that has the numbers of the side it replaces. */
    private static final class Stage implements AutoCloseable {
        final Side side;
        final List<CapturedPacket> packets;
        final FixedKeys keys = new FixedKeys();
        final ProtectionTable table = keys.table();
        final VirtualClock clock = new VirtualClock(1_000_000);
        final ScriptedLink link;
        final Adapter adapter;
        final ProtectionDomain domain;
        final CompletionQueue completions;
        final Staging staging;
        final QueuePair queuePair;
        final Endpoint peer;
        private final List<CapturedPacket> sent = new ArrayList<>();

        Stage(String capture, TransportService service, Side side, int number) {
            this.side = side;
            packets = Capture.of(capture, service);
            packets.forEach(packet -> assertTrue(packet.isIntact(), packet::toString));
            CapturedPacket one = packets.getFirst();
            Endpoint here = (side.sent(one) ? one.source() : one.target()).withPort(Endpoint.ROCE_PORT);
            peer = (side.sent(one) ? one.target() : one.source()).withPort(Endpoint.ROCE_PORT);
            link = new ScriptedLink(here);
            link.sourcePort(one.source().port());
            adapter = FixedNumbers.open(link, clock, table);
            domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(256);
            staging = new Staging(adapter, domain);
            queuePair = FixedNumbers.queuePair(
                    adapter,
                    QueuePairOptions.of(domain, completions)
                            .withService(service == TransportService.UC ? Service.UC : Service.UD),
                    number,
                    firstPsn(true));
        }

        int firstPsn(boolean ours) {
            return packets.stream()
                    .filter(packet -> side.sent(packet) == ours)
                    .findFirst()
                    .map(CapturedPacket::psn)
                    .orElse(0);
        }

        void connect(int peerNumber, Mtu mtu) {
            queuePair.connect(
                    new QueuePairAddress(peer, peerNumber, firstPsn(false)), ConnectionOptions.DEFAULT.withMtu(mtu));
        }

        /** The packets from this one on that belong to its message. */
        List<CapturedPacket> message(int from) {
            var message = new ArrayList<CapturedPacket>();
            for (int i = from; message.isEmpty() || !message.getLast().opcode().endsMessage(); i++) {
                message.add(packets.get(i));
            }
            return message;
        }

        void put(List<CapturedPacket> message) {
            message.forEach(packet -> link.put(packet.source(), packet.target(), packet.bytes()));
            run();
        }

        /** What left since the last look is exactly this, byte for byte. */
        void sends(List<CapturedPacket> message) {
            run();
            assertEquals(
                    message.stream()
                            .map(packet -> packet.sealedAgain(packet.bytes()).bytes())
                            .toList(),
                    sent.stream().map(CapturedPacket::bytes).toList());
            sent.clear();
        }

        void run() {
            for (int idle = 0; idle < 3; ) {
                idle = adapter.work(clock.nowNs()) == 0 ? idle + 1 : 0;
            }
            link.sent().forEach(one -> sent.add(CapturedPacket.of(0, one.source(), one.target(), 0, one.bytes())));
        }

        Completion completion() {
            Completion done = completions.poll();
            assertEquals(null, completions.poll());
            return Objects.requireNonNull(done);
        }

        @Override
        public void close() {
            adapter.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void sendsOfAnUnreliableConnection(Side side) {
        try (Stage stage = new Stage("rxe_uc_send", TransportService.UC, side, 0x11)) {
            stage.connect(0x11, Mtu.MTU_1024);
            for (int i = 0; i < stage.packets.size(); ) {
                List<CapturedPacket> message = stage.message(i);
                byte[] data = Conversation.payload(message);
                if (side.sent(message.getFirst())) {
                    stage.queuePair.post(stage.staging.request(i, message));
                    stage.sends(message);
                    assertEquals(i, stage.completion().id());
                } else {
                    stage.queuePair.post(stage.staging.receive(RECEIVE_LENGTH));
                    stage.put(message);
                    Completion done = stage.completion();
                    assertEquals(data.length, done.byteLength());
                    assertArrayEquals(data, stage.staging.received(done.id(), data.length));
                    stage.sends(List.of());
                }
                i += message.size();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void writesOfAnUnreliableConnection(Side side) {
        try (Stage stage =
                new Stage("rxe_uc_write_mtu1500", TransportService.UC, side, side == Side.SERVER ? 0x14 : 0x15)) {
            stage.connect(side == Side.SERVER ? 0x15 : 0x14, Mtu.MTU_1024);
            @Nullable ManagedMemory written = null;
            for (int i = 0; i < stage.packets.size(); ) {
                List<CapturedPacket> message = stage.message(i);
                Reth reth = Objects.requireNonNull(message.getFirst().fields().reth());
                if (side.sent(message.getFirst())) {
                    stage.queuePair.post(stage.staging.request(i, message));
                    stage.sends(message);
                    assertEquals(i, stage.completion().id());
                } else {
                    written = written == null ? register(stage, reth) : written;
                    stage.put(message);
                    byte[] found = new byte[reth.length()];
                    written.read(0, MemorySegment.ofArray(found));
                    assertArrayEquals(Conversation.payload(message), found);
                    stage.sends(List.of());
                }
                i += message.size();
            }
        }
    }

    private static ManagedMemory register(Stage stage, Reth reth) {
        ManagedMemory memory = new MachineMemory(1 << 20).allocate(reth.length());
        stage.keys.next(reth.key());
        stage.table.register(stage.domain, memory, reth.address(), EnumSet.allOf(Right.class));
        return memory;
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void datagrams(Side side) {
        try (Stage stage = new Stage("rxe_ud_send", TransportService.UD, side, 0x12)) {
            replayDatagrams(stage, 0x1111_1111, 0x12);
        }
    }

    @ParameterizedTest
    @EnumSource(Side.class)
    void datagramsWithImmediateData(Side side) {
        try (Stage stage = new Stage("rxe_udaddy", TransportService.UD, side, 0x15)) {
            stage.packets.removeIf(packet -> packet.queuePair() == 1);
            stage.link.sourcePort(stage.packets.getFirst().source().port());
            replayDatagrams(stage, 0x0123_4567, 0x15);
        }
    }

    private static void replayDatagrams(Stage stage, int qkey, int peerNumber) {
        stage.queuePair.activate(DatagramOptions.of(qkey));
        AddressHandle handle = stage.adapter.createAddressHandle(stage.domain, stage.peer);
        for (CapturedPacket packet : stage.packets) {
            byte[] data = packet.fields().bytes();
            Integer immediate = packet.fields().value();
            if (stage.side.sent(packet)) {
                stage.queuePair.post(datagram(stage, packet, handle, immediate));
                stage.sends(List.of(packet));
                assertEquals(Status.SUCCESS, stage.completion().status());
                continue;
            }
            stage.queuePair.post(stage.staging.receive(RECEIVE_LENGTH));
            stage.put(List.of(packet));
            Completion done = stage.completion();
            assertEquals(Operation.RECEIVE, done.operation());
            assertEquals(immediate, done.immediate());
            assertEquals(peerNumber, done.sourceQueuePair());
            byte[] received = stage.staging.received(done.id(), (int) done.byteLength());
            assertArrayEquals(data, Arrays.copyOfRange(received, DatagramHeader.LENGTH, received.length));
            DatagramHeader header = DatagramHeader.read(MemorySegment.ofArray(received), 0);
            assertEquals(Gid.of(stage.peer.address()), header.source());
            assertEquals(stage.peer, header.answerTo());
            stage.sends(List.of());
        }
    }

    private static WorkRequest.Sending datagram(
            Stage stage, CapturedPacket packet, AddressHandle to, @Nullable Integer immediate) {
        Payload data = stage.staging.data(List.of(packet));
        Opcode opcode = packet.opcode();
        int qkey = Deth.qkey(MemorySegment.ofBuffer(packet.bytes()), opcode.offsetOf(Extension.DETH));
        return immediate == null
                ? new WorkRequest.SendDatagram(1, data, to, packet.queuePair(), qkey, SendOptions.SIGNALLED)
                : new WorkRequest.SendDatagramWithImmediate(
                        1, data, to, packet.queuePair(), qkey, immediate, SendOptions.SIGNALLED);
    }
}
