package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.ReadyMessage;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.LooseStreams;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.Region;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.CapturedStream;
import org.verbena.wire.iwarp.CapturedUnits;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.UntaggedHeader;

/** A queue pair in the place of one side of a captured connection: it sends the bytes that Linux sent, and takes those of the other side. */
final class IwarpReplayTest {
    private static final int BYTES = 1 << 20;

    /** Bytes of a packet, in which siw fills as many as four bytes less with a unit at an MTU of 9000. */
    private static final int PACKET = 8944;

    private static final int PACKET_1500 = 1448;

    /** A message of the captured side. */
    private record Message(RdmapOpcode opcode, int key, long offset, int dataAt, int length) {}

    private final VirtualClock clock = new VirtualClock(0);
    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
    private @Nullable IwarpPort made;
    private final LooseStreams streams = new LooseStreams();
    private final Adapter adapter = Openings.open(
            new InProcessNetwork().open(), clock, parts -> made = new IwarpPort(parts, streams, clock, 0));
    private final CompletionQueue completions = adapter.createCompletionQueue(256);
    private final QueuePair queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
    private final Region region = adapter.register(adapter.defaultDomain(), memory, EnumSet.allOf(Right.class));

    /** All captured sides that send and write only. */
    static List<CapturedUnits> senders() {
        return CapturedStream.captures().stream()
                .flatMap(capture -> CapturedUnits.of(capture).stream())
                .filter(side ->
                        !side.units().isEmpty() && opcodes(side).stream().allMatch(IwarpReplayTest::isPosted))
                .toList();
    }

    private static List<RdmapOpcode> opcodes(CapturedUnits side) {
        var found = new ArrayList<RdmapOpcode>();
        for (int unit = 0; unit < side.units().size(); unit++) {
            found.add(Objects.requireNonNull(RdmapOpcode.of(DdpControl.opcode(side.segment(unit), 0))));
        }
        return found;
    }

    private static boolean isPosted(RdmapOpcode opcode) {
        return opcode == RdmapOpcode.WRITE || opcode.isSend();
    }

    @Test
    void manySidesAreReplayed() {
        assertTrue(senders().size() >= 20, senders().size() + " sides send and write only");
        assertTrue(senders().stream().anyMatch(side -> side.stream().initiator()));
        assertTrue(senders().stream().anyMatch(side -> !side.stream().initiator()));
    }

    @ParameterizedTest
    @MethodSource("senders")
    void sendsTheBytesOfLinux(CapturedUnits side) {
        MemoryStream peer = connect(side);
        List<Message> messages = messages(side);
        for (int i = 0; i < messages.size(); i++) {
            post(i, messages.get(i));
        }
        var sent = new ByteArrayOutputStream();
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        for (int turn = 0; turn < 200; turn++) {
            adapter.work(clock.nowNs());
            if (peer.read(bytes.clear()) > 0) {
                sent.write(bytes.array(), 0, bytes.position());
            }
        }
        byte[] stream = side.stream().bytes();
        assertEquals(
                HexFormat.of().formatHex(stream, side.units().getFirst(), stream.length),
                HexFormat.of().formatHex(sent.toByteArray()));
        for (int i = 0; i < messages.size(); i++) {
            Completion completion = completions.poll();
            assertEquals(Status.SUCCESS, Objects.requireNonNull(completion).status());
        }
    }

    /** All captured sides that only send: the queue pair has receives for them. */
    static List<CapturedUnits> plainSenders() {
        return senders().stream()
                .filter(side -> opcodes(side).stream().noneMatch(RdmapOpcode.WRITE::equals))
                .filter(side -> opcodes(side).stream().noneMatch(RdmapOpcode::invalidates))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("plainSenders")
    void takesTheBytesOfLinux(CapturedUnits side) {
        MemoryStream peer = connect(side);
        List<Message> messages = messages(side);
        MemorySegment expected = Arena.ofAuto().allocate(BYTES, 8).copyFrom(memory);
        memory.fill((byte) 0);
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            assertTrue(queuePair.post(
                    new WorkRequest.Receive(i, List.of(LocalSegment.of(region, message.dataAt(), message.length())))));
        }
        byte[] stream = side.stream().bytes();
        ByteBuffer bytes = ByteBuffer.wrap(stream);
        bytes.position(side.units().getFirst());
        for (int turn = 0; turn < 400; turn++) {
            bytes.limit(Math.min(stream.length, bytes.position() + 777));
            peer.write(bytes);
            adapter.work(clock.nowNs());
        }
        for (int i = 0; i < messages.size(); i++) {
            Completion completion = Objects.requireNonNull(completions.poll());
            assertEquals(Status.SUCCESS, completion.status());
            assertEquals(messages.get(i).length(), completion.byteLength());
        }
        assertNull(completions.poll());
        assertEquals(-1, memory.mismatch(expected));
        assertEquals(QueuePairState.READY_TO_SEND, queuePair.state());
    }

    private MemoryStream connect(CapturedUnits side) {
        String capture = side.stream().capture();
        UnitFormat format = new UnitFormat(false, CapturedUnits.hasCrc(CapturedUnits.of(capture)));
        MemoryStream[] ends =
                MemoryStream.pair(BYTES, capture.endsWith("mtu1500") ? PACKET_1500 : PACKET, new Seed(1), 0);
        boolean ready = capture.contains("p2p") && side.stream().initiator();
        Endpoint remote = Endpoint.of("192.0.2.1", 1);
        streams.add(ends[0]);
        int number = Objects.requireNonNull(made)
                .add(
                        remote,
                        ends[0],
                        new MpaAgreement(2, format, format, 4, 4, ready ? ReadyMessage.WRITE : null, PrivateData.NONE),
                        true); // a responder would wait for the first unit of its peer
        queuePair.connect(new QueuePairAddress(remote, number, 0), ConnectionOptions.DEFAULT.withReads(4, 4));
        return ends[1];
    }

    /** The messages of a side, their data put together in memory; without the one that tells that the initiator is ready. */
    private List<Message> messages(CapturedUnits side) {
        var found = new ArrayList<Message>();
        int at = 0;
        int begin = 0;
        int first = 0;
        for (int unit = 0; unit < side.units().size(); unit++) {
            MemorySegment segment = side.segment(unit);
            boolean tagged = DdpControl.isTagged(segment, 0);
            int header = tagged ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
            int data = (int) segment.byteSize() - header;
            MemorySegment.copy(segment, header, memory, at, data);
            at += data;
            if (DdpControl.isLast(segment, 0)) {
                MemorySegment opening = side.segment(first);
                RdmapOpcode opcode = Objects.requireNonNull(RdmapOpcode.of(DdpControl.opcode(segment, 0)));
                int key = tagged ? TaggedHeader.stag(opening, 0) : UntaggedHeader.invalidated(opening, 0);
                long offset = tagged ? TaggedHeader.offset(opening, 0) : 0;
                boolean ready = unit == 0 && tagged && data == 0;
                if (!ready) {
                    found.add(new Message(opcode, key, offset, begin, at - begin));
                }
                begin = at;
                first = unit + 1;
            }
        }
        return found;
    }

    private void post(int id, Message message) {
        Payload data = Payload.of(LocalSegment.of(region, message.dataAt(), message.length()));
        WorkRequest.Sending request = switch (message.opcode()) {
            case WRITE ->
                new WorkRequest.Write(
                        id, data, new RemoteMemory(message.offset(), message.key()), SendOptions.SIGNALLED);
            case SEND_INVALIDATE -> new WorkRequest.SendWithInvalidate(id, data, message.key(), SendOptions.SIGNALLED);
            default -> new WorkRequest.Send(id, data, SendOptions.SIGNALLED);
        };
        assertTrue(queuePair.post(request));
    }
}
