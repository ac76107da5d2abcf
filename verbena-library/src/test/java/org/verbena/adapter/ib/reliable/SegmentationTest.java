package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.exchange.Exchange;
import org.verbena.exchange.WirePacket;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Reth;

/** A message becomes packets: opcode, headers and payload by operation and position, at every MTU. */
final class SegmentationTest {
    private static final long TARGET = 0x1234_5678_9abc_def0L;
    private static final int KEY = Exchange.remote(0).key();

    /** Each operation that carries data, with the opcodes of its packets. */
    enum Kind {
        SEND(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST, Opcode.RC_SEND_ONLY),
        SEND_WITH_IMMEDIATE(
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST_WITH_IMMEDIATE,
                Opcode.RC_SEND_ONLY_WITH_IMMEDIATE),
        SEND_WITH_INVALIDATE(
                Opcode.RC_SEND_FIRST,
                Opcode.RC_SEND_MIDDLE,
                Opcode.RC_SEND_LAST_WITH_INVALIDATE,
                Opcode.RC_SEND_ONLY_WITH_INVALIDATE),
        WRITE(
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST,
                Opcode.RC_RDMA_WRITE_ONLY),
        WRITE_WITH_IMMEDIATE(
                Opcode.RC_RDMA_WRITE_FIRST,
                Opcode.RC_RDMA_WRITE_MIDDLE,
                Opcode.RC_RDMA_WRITE_LAST_WITH_IMMEDIATE,
                Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE);

        private final Opcode first;
        private final Opcode middle;
        private final Opcode last;
        private final Opcode only;

        Kind(Opcode first, Opcode middle, Opcode last, Opcode only) {
            this.first = first;
            this.middle = middle;
            this.last = last;
            this.only = only;
        }

        Opcode opcode(int index, int count) {
            if (count == 1) {
                return only;
            }
            return index == 0 ? first : index == count - 1 ? last : middle;
        }

        WorkRequest.Sending request(long id, Payload data) {
            SendOptions options = SendOptions.SIGNALLED.withSolicited();
            return switch (this) {
                case SEND -> new WorkRequest.Send(id, data, options);
                case SEND_WITH_IMMEDIATE -> new WorkRequest.SendWithImmediate(id, data, 0xcafe_babe, options);
                case SEND_WITH_INVALIDATE -> new WorkRequest.SendWithInvalidate(id, data, 0xcafe_babe, options);
                case WRITE -> new WorkRequest.Write(id, data, Exchange.remote(TARGET), options);
                case WRITE_WITH_IMMEDIATE ->
                    new WorkRequest.WriteWithImmediate(id, data, Exchange.remote(TARGET), 0xcafe_babe, options);
            };
        }
    }

    static Stream<Arguments> kindsAndMtus() {
        return Stream.of(Kind.values()).flatMap(kind -> Stream.of(Mtu.values()).map(mtu -> Arguments.of(kind, mtu)));
    }

    /** The packets a message must become, ack requests on the last one only. */
    private static List<WirePacket> expected(Kind kind, int firstPsn, byte[] data, int mtu) {
        int count = Math.max(1, (data.length + mtu - 1) / mtu);
        var packets = new ArrayList<WirePacket>();
        for (int i = 0; i < count; i++) {
            Opcode opcode = kind.opcode(i, count);
            byte[] part = Arrays.copyOfRange(data, i * mtu, Math.min(data.length, (i + 1) * mtu));
            WirePacket packet = WirePacket.send(opcode, firstPsn + i, part);
            if (opcode.carriesReth()) {
                packet = packet.to(new Reth(TARGET, KEY, data.length));
            }
            if (opcode.carriesImmediate() || opcode.carriesInvalidate()) {
                packet = packet.with(0xcafe_babe);
            }
            packets.add(i == count - 1 ? packet.asking().soliciting() : packet);
        }
        return packets;
    }

    @ParameterizedTest
    @MethodSource("kindsAndMtus")
    void everyLengthIsCutAtTheMtu(Kind kind, Mtu mtu) {
        try (var wire = new Exchange(Exchange.USUAL.withMtu(mtu))) {
            int bytes = mtu.bytes();
            int psn = 0;
            int id = 0;
            for (int length : new int[] {0, 1, 3, bytes - 1, bytes, bytes + 1, 2 * bytes, 3 * bytes, 5 * bytes - 2}) {
                byte[] data = wire.fill(4096 + id, length, id);
                wire.post(kind.request(id, Payload.of(wire.segment(4096 + id, length))));
                List<WirePacket> packets = expected(kind, psn, data, bytes);
                assertEquals(packets, wire.arrived(), "length " + length);
                psn += packets.size();
                wire.peerSends(WirePacket.ack(psn - 1, id + 1));
                wire.complete(id++);
            }
        }
    }

    @Test
    void aReadIsOneRequestThatTakesANumberForEachPacketOfItsAnswer() {
        try (var wire = new Exchange()) {
            wire.post(
                    new WorkRequest.Read(1, wire.segment(0, 1000), Exchange.remote(TARGET)),
                    new WorkRequest.Read(2, wire.segment(0, 0), Exchange.remote(TARGET)),
                    new WorkRequest.Read(3, wire.segment(0, 256), Exchange.remote(TARGET)));
            wire.adapterSends(
                    WirePacket.readRequest(0, new Reth(TARGET, KEY, 1000)).asking(),
                    WirePacket.readRequest(4, new Reth(TARGET, KEY, 0)).asking(),
                    WirePacket.readRequest(5, new Reth(TARGET, KEY, 256)).asking());
        }
    }

    @Test
    void atomicsCarryTheirOperands() {
        try (var wire = new Exchange()) {
            wire.post(
                    new WorkRequest.FetchAdd(1, wire.segment(0, 8), Exchange.remote(TARGET), -5, SendOptions.SIGNALLED),
                    new WorkRequest.CompareSwap(
                            2, wire.segment(8, 8), Exchange.remote(TARGET), 10, 20, SendOptions.SIGNALLED));
            wire.adapterSends(
                    WirePacket.fetchAdd(0, TARGET, KEY, -5).asking(),
                    WirePacket.compareSwap(1, TARGET, KEY, 10, 20).asking());
        }
    }

    @Test
    void longReadsAreCutAt64KiB() {
        for (Mtu mtu : Mtu.values()) {
            try (var wire = new Exchange(Exchange.USUAL.withMtu(mtu))) {
                int step = (1 << 16) / mtu.bytes();
                wire.post(new WorkRequest.Read(1, wire.segment(0, 150_000), Exchange.remote(TARGET)));
                var requests = new ArrayList<WirePacket>();
                var data = new ByteArrayOutputStream();
                for (int answered = 0; answered < mtu.packets(150_000); ) {
                    for (WirePacket request : wire.arrived()) {
                        requests.add(request);
                        answered = answer(wire, request, mtu.bytes(), data);
                    }
                }
                assertEquals(
                        List.of(
                                WirePacket.readRequest(0, new Reth(TARGET, KEY, 65536))
                                        .asking(),
                                WirePacket.readRequest(step, new Reth(TARGET + 65536, KEY, 65536))
                                        .asking(),
                                WirePacket.readRequest(2 * step, new Reth(TARGET + 131_072, KEY, 18_928))
                                        .asking()),
                        requests);
                assertArrayEquals(data.toByteArray(), wire.bytesAt(0, 150_000));
                wire.complete(1);
            }
        }
    }

    /** Answers a read request with fresh bytes; returns the number after its last packet. */
    private static int answer(Exchange wire, WirePacket request, int mtu, ByteArrayOutputStream data) {
        int length = Objects.requireNonNull(request.reth()).length();
        int count = (length + mtu - 1) / mtu;
        for (int i = 0; i < count; i++) {
            byte[] part = Exchange.pattern(Math.min(mtu, length - i * mtu), request.psn() + i);
            data.writeBytes(part);
            wire.peerSends(
                    i == 0
                            ? WirePacket.readResponse(
                                    count == 1 ? Opcode.RC_RDMA_READ_RESPONSE_ONLY : Opcode.RC_RDMA_READ_RESPONSE_FIRST,
                                    request.psn(),
                                    1,
                                    part)
                            : i == count - 1
                                    ? WirePacket.readResponse(
                                            Opcode.RC_RDMA_READ_RESPONSE_LAST, request.psn() + i, 1, part)
                                    : WirePacket.readResponseMiddle(request.psn() + i, part));
        }
        return request.psn() + count;
    }

    @Test
    void aListOf32SegmentsOfOddLengthsFromSeveralRegionsIsOneMessage() {
        try (var wire = new Exchange()) {
            var other = Arena.ofAuto().allocate(4096, 8);
            var region = wire.adapter.register(wire.domain, other, EnumSet.allOf(Right.class));
            var list = new ArrayList<LocalSegment>();
            var data = new ByteArrayOutputStream();
            for (int i = 0; i < 32; i++) {
                int length = i % 5 == 0 ? 0 : 13 + i * 3;
                byte[] part = Exchange.pattern(length, i);
                data.writeBytes(part);
                var target = i % 2 == 0 ? wire.memory : other;
                MemorySegment.copy(part, 0, target, ValueLayout.JAVA_BYTE, i * 120L, length);
                list.add(LocalSegment.of(i % 2 == 0 ? wire.region : region, i * 120L, length));
            }
            wire.post(new WorkRequest.Send(1, new Payload.Gathered(list), SendOptions.SIGNALLED));
            var sent = new ByteArrayOutputStream();
            wire.arrived().forEach(packet -> sent.writeBytes(packet.bytes()));
            assertArrayEquals(data.toByteArray(), sent.toByteArray());
        }
    }

    @Test
    void inlineDataIsWhatItWasWhenItWasPosted() {
        try (var wire = new Exchange()) {
            byte[] data = Exchange.pattern(300, 1);
            byte[] mine = data.clone();
            wire.queuePair.post(
                    new WorkRequest.Write(1, Payload.inline(mine), Exchange.remote(TARGET), SendOptions.SIGNALLED));
            Arrays.fill(mine, (byte) 0);
            wire.run();
            wire.adapterSends(
                    WirePacket.writeFirst(0, new Reth(TARGET, KEY, 300), Arrays.copyOf(data, 256)),
                    WirePacket.send(Opcode.RC_RDMA_WRITE_LAST, 1, Arrays.copyOfRange(data, 256, 300))
                            .asking());
        }
    }

    @Test
    void longMessagesAskForAnAnswerNowAndThen() {
        try (var wire = new Exchange()) {
            wire.post(new WorkRequest.Send(1, wire.segment(0, 50 * 256)));
            List<Integer> asking = wire.arrived().stream()
                    .filter(WirePacket::ackRequest)
                    .map(WirePacket::psn)
                    .toList();
            assertEquals(List.of(15, 31, 47, 49), asking);
        }
    }

    @Test
    void unsignalledRequestsCompleteSilentlyAndFreeTheirSlots() {
        try (var wire = new Exchange()) {
            for (int i = 0; i < 1000; i++) {
                wire.post(new WorkRequest.Send(
                        i,
                        Payload.inline(new byte[] {1}),
                        i % 10 == 9 ? SendOptions.SIGNALLED : SendOptions.UNSIGNALLED));
                wire.peerSends(WirePacket.ack(i, i + 1));
                if (i % 10 == 9) {
                    wire.completes(i, Operation.SEND, Status.SUCCESS);
                }
            }
            assertEquals(List.of(), wire.completions());
        }
    }
}
