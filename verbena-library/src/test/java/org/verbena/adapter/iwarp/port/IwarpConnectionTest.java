package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Operation;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.ReadyMessage;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.iwarp.Intake;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.StreamBuffers;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.adapter.iwarp.mpa.UnitReader;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.ByteStream;
import org.verbena.link.stream.LooseStreams;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
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
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.MpaCrc;
import org.verbena.wire.iwarp.PlainFraming;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Queue pairs over iWARP, on streams in memory that cut bytes at random: every operation, every refusal, the end of a stream. */
final class IwarpConnectionTest {
    private static final int BYTES = 300_000;
    private static final Endpoint PEER = Endpoint.of("192.0.2.9", 7471);
    private static final SendOptions PLAIN = SendOptions.SIGNALLED;

    /** The stream between the two ends. */
    record Wire(UnitFormat format, int pieceMax, int capacity) {}

    static List<Wire> wires() {
        return List.of(
                new Wire(new UnitFormat(false, false), 0, 1 << 20),
                new Wire(new UnitFormat(false, true), 3000, 5000),
                new Wire(new UnitFormat(true, true), 700, 100_000),
                new Wire(new UnitFormat(true, false), 20_000, 30_000));
    }

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork links = new InProcessNetwork();
    private final Seed seed = new Seed(12);
    private final End a = new End();
    private final End b = new End();

    /** One adapter with a port of iWARP, and a queue pair. */
    private final class End {
        @Nullable
        IwarpPort made;

        final LooseStreams streams = new LooseStreams();
        final Adapter adapter =
                Openings.open(links.open(), clock, parts -> made = new IwarpPort(parts, streams, clock, 0));
        final IwarpPort port = Objects.requireNonNull(made);
        final ProtectionDomain domain = adapter.createProtectionDomain();
        final CompletionQueue completions = adapter.createCompletionQueue(256);
        final QueuePair queuePair = adapter.createQueuePair(
                QueuePairOptions.of(domain, completions).withRegister(RegisterFailure.TERMINATE));
        final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
        final Region region = adapter.register(domain, memory, EnumSet.allOf(Right.class));

        void connect(ByteStream stream, MpaAgreement agreement, boolean initiator) {
            streams.add(stream);
            int number = port.add(PEER, stream, agreement, initiator);
            queuePair.connect(new QueuePairAddress(PEER, number, 0), ConnectionOptions.DEFAULT.withReads(4, 4));
        }

        LocalSegment at(int offset, int length) {
            return LocalSegment.of(region, offset, length);
        }

        RemoteMemory remote(int offset) {
            return RemoteMemory.of(region).plus(offset);
        }

        void receive(long id, int offset, int length) {
            assertTrue(queuePair.post(new WorkRequest.Receive(id, List.of(at(offset, length)))));
        }

        void post(WorkRequest.Sending request) {
            assertTrue(queuePair.post(request));
        }

        Completion expect(long id, Operation operation, Status status) {
            Completion completion = completions.poll();
            assertNotNull(completion, operation + " is not complete");
            assertEquals(status, completion.status());
            assertEquals(id, completion.id());
            assertEquals(operation, completion.operation());
            return completion;
        }

        void fill(int offset, int length) {
            for (int i = 0; i < length; i++) {
                memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) seed.nextInt(256));
            }
        }
    }

    private static MpaAgreement agreement(UnitFormat format, @Nullable ReadyMessage ready) {
        return new MpaAgreement(2, format, format, 4, 4, ready, PrivateData.NONE);
    }

    private void connect(Wire wire) {
        connect(wire, null);
    }

    private void connect(Wire wire, @Nullable ReadyMessage ready) {
        MemoryStream[] ends = MemoryStream.pair(wire.capacity(), 1448, seed, wire.pieceMax());
        a.connect(ends[0], agreement(wire.format(), ready), true);
        // Without a ready message, b does not wait for the first unit of a.
        b.connect(ends[1], agreement(wire.format(), ready), ready == null);
    }

    private void run() {
        for (int idle = 0, turns = 0; idle < 3; turns++) {
            assertTrue(turns < 100_000, "the adapters do not come to rest");
            idle = a.adapter.work(clock.nowNs()) + b.adapter.work(clock.nowNs()) == 0 ? idle + 1 : 0;
        }
    }

    private void expectSame(int at, int length) {
        assertEquals(-1, a.memory.asSlice(at, length).mismatch(b.memory.asSlice(at, length)));
    }

    @ParameterizedTest
    @MethodSource("wires")
    void sendsFillReceives(Wire wire) {
        connect(wire);
        int[] lengths = {0, 1, 1400, 1430, 20_000, 100_000};
        int at = 0;
        for (int i = 0; i < lengths.length; i++) {
            a.fill(at, lengths[i]);
            b.receive(i, at, lengths[i] + 10);
            a.post(new WorkRequest.Send(i, Payload.of(a.at(at, lengths[i])), PLAIN));
            at += lengths[i] + 10;
        }
        run();
        at = 0;
        for (int i = 0; i < lengths.length; i++) {
            a.expect(i, Operation.SEND, Status.SUCCESS);
            assertEquals(
                    lengths[i], b.expect(i, Operation.RECEIVE, Status.SUCCESS).byteLength());
            expectSame(at, lengths[i]);
            at += lengths[i] + 10;
        }
        assertEquals(0, a.port.buffersTaken() + b.port.buffersTaken(), "idle streams have no buffer");
        assertEquals(0, a.adapter.counters().value(Counter.SENT_PACKETS), "packets of InfiniBand");
    }

    @ParameterizedTest
    @MethodSource("wires")
    void writesAndReadsMoveMemory(Wire wire) {
        connect(wire);
        a.fill(0, 150_000);
        b.fill(200_000, 60_000);
        a.post(new WorkRequest.Write(1, Payload.of(a.at(0, 150_000)), b.remote(0), PLAIN));
        a.post(new WorkRequest.Write(2, Payload.of(a.at(0, 0)), b.remote(0), PLAIN));
        a.post(new WorkRequest.Read(
                3, List.of(a.at(200_000, 10_000), a.at(210_000, 1), a.at(210_001, 49_999)), b.remote(200_000), PLAIN));
        a.post(new WorkRequest.Write(4, Payload.of(a.at(0, 10)), b.remote(160_000), PLAIN));
        run();
        a.expect(1, Operation.WRITE, Status.SUCCESS);
        a.expect(2, Operation.WRITE, Status.SUCCESS);
        a.expect(3, Operation.READ, Status.SUCCESS);
        a.expect(4, Operation.WRITE, Status.SUCCESS);
        expectSame(0, 150_000);
        expectSame(200_000, 60_000);
        assertNull(b.completions.poll());
    }

    @ParameterizedTest
    @MethodSource("wires")
    void bothSidesSendAtOnce(Wire wire) {
        connect(wire);
        for (int i = 0; i < 50; i++) {
            a.receive(100 + i, 200_000 + i * 100, 100);
            b.receive(100 + i, 200_000 + i * 100, 100);
        }
        for (int i = 0; i < 50; i++) {
            int length = 1 + seed.nextInt(100);
            a.post(new WorkRequest.Send(i, Payload.of(a.at(0, length)), PLAIN));
            b.post(new WorkRequest.Send(i, Payload.of(b.at(0, length)), PLAIN));
            if (i % 10 == 0) {
                a.post(new WorkRequest.Read(1000 + i, List.of(a.at(50_000, 9000)), b.remote(50_000), PLAIN));
                b.post(new WorkRequest.Read(1000 + i, List.of(b.at(80_000, 9000)), a.remote(80_000), PLAIN));
            }
        }
        run();
        int successes = 0;
        for (End end : List.of(a, b)) {
            for (Completion each = end.completions.poll(); each != null; each = end.completions.poll()) {
                assertEquals(Status.SUCCESS, each.status());
                successes++;
            }
        }
        assertEquals(2 * (50 + 50 + 5), successes);
    }

    @Test
    void moreReadsThanMayBeOnTheWireWaitForTheirTurn() {
        connect(wires().get(1));
        b.fill(0, 200_000);
        for (int i = 0; i < 20; i++) {
            a.post(new WorkRequest.Read(i, List.of(a.at(i * 10_000, 10_000)), b.remote(i * 10_000), PLAIN));
        }
        run();
        for (int i = 0; i < 20; i++) {
            a.expect(i, Operation.READ, Status.SUCCESS);
        }
        expectSame(0, 200_000);
    }

    @Test
    void atomicsChangeMemoryAndBringTheOldValue() {
        connect(wires().get(2));
        b.memory.set(ValueLayout.JAVA_LONG, 64, 40);
        a.post(new WorkRequest.FetchAdd(1, a.at(0, 8), b.remote(64), 2, PLAIN));
        a.post(new WorkRequest.CompareSwap(2, a.at(8, 8), b.remote(64), 42, 7, PLAIN));
        a.post(new WorkRequest.CompareSwap(3, a.at(16, 8), b.remote(64), 42, 9, PLAIN));
        run();
        a.expect(1, Operation.FETCH_ADD, Status.SUCCESS);
        a.expect(2, Operation.COMPARE_SWAP, Status.SUCCESS);
        a.expect(3, Operation.COMPARE_SWAP, Status.SUCCESS);
        assertEquals(40, a.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(42, a.memory.get(ValueLayout.JAVA_LONG, 8));
        assertEquals(7, a.memory.get(ValueLayout.JAVA_LONG, 16));
        assertEquals(7, b.memory.get(ValueLayout.JAVA_LONG, 64));
    }

    @Test
    void immediateDataComeBehindTheirWrite() {
        connect(wires().get(1));
        a.fill(0, 5000);
        b.receive(9, 0, 0);
        a.post(new WorkRequest.WriteWithImmediate(1, Payload.of(a.at(0, 5000)), b.remote(0), 0xcafe_f00d, PLAIN));
        run();
        a.expect(1, Operation.WRITE_WITH_IMMEDIATE, Status.SUCCESS);
        Completion received = b.expect(9, Operation.RECEIVE_WRITE_WITH_IMMEDIATE, Status.SUCCESS);
        assertEquals(0xcafe_f00d, received.immediate());
        expectSame(0, 5000);
    }

    @Test
    void sendWithInvalidateTakesAKeyBack() {
        connect(wires().get(0));
        MemorySegment more = Arena.ofAuto().allocate(100, 8);
        Region reserved = b.adapter.reserve(b.domain, more, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
        b.post(new WorkRequest.Register(4, reserved.key(), PLAIN));
        b.receive(1, 0, 100);
        run();
        b.expect(4, Operation.REGISTER, Status.SUCCESS);
        a.post(new WorkRequest.SendWithInvalidate(2, Payload.of(a.at(0, 5)), reserved.key(), PLAIN));
        run();
        a.expect(2, Operation.SEND_WITH_INVALIDATE, Status.SUCCESS);
        assertEquals(
                reserved.key(), b.expect(1, Operation.RECEIVE, Status.SUCCESS).invalidatedKey());
        a.post(new WorkRequest.Write(
                3, Payload.of(a.at(0, 5)), new RemoteMemory(reserved.address(), reserved.key()), PLAIN));
        run();
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
    }

    /** Plays the other end of the stream of {@link #a}: sees the segments that it sends. */
    private static final class Peer {
        final ByteStream stream;
        final UnitReader reader =
                new UnitReader(new StreamBuffers(IwarpPort.BUFFER_BYTES, 1), new UnitFormat(false, true), new MpaCrc());
        final List<MemorySegment> segments = new ArrayList<>();
        boolean ended;

        Peer(ByteStream stream) {
            this.stream = stream;
        }

        void read() {
            ByteBuffer bytes = Objects.requireNonNull(reader.buffer()).bytes();
            int count = stream.read(bytes.limit(bytes.capacity()).position(reader.freeAt()));
            if (count == ByteStream.END) {
                ended = true;
            } else {
                reader.onReceived(count);
            }
            reader.deliver(
                    (memory, at, length) -> {
                        segments.add(
                                MemorySegment.ofArray(memory.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE)));
                        return Intake.TAKEN;
                    },
                    Integer.MAX_VALUE);
        }
    }

    private void expectTerminated(TerminateCode reason, Runnable post) {
        MemoryStream[] toA = MemoryStream.pair(1 << 20, 1448, seed, 0);
        MemoryStream[] toB = MemoryStream.pair(1 << 20, 1448, seed, 0);
        UnitFormat format = new UnitFormat(false, true);
        a.connect(toA[0], agreement(format, null), true);
        b.connect(toB[0], agreement(format, null), false);
        post.run();
        Peer fromB = new Peer(toB[1]);
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        for (int turn = 0; turn < 10; turn++) {
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
            if (toA[1].read(bytes.clear()) > 0) {
                toB[1].write(bytes.flip());
            }
            fromB.read();
        }
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
        assertEquals(1, fromB.segments.size());
        MemorySegment message = fromB.segments.getFirst();
        assertEquals(RdmapOpcode.TERMINATE.code(), DdpControl.opcode(message, 0));
        assertEquals(reason, Terminate.read(message, UntaggedHeader.LENGTH).reason());
        assertTrue(fromB.ended, "the stream ends behind the message");
    }

    private RemoteMemory wrong(int keyChange, int offset) {
        return new RemoteMemory(b.region.address() + offset, b.region.key() ^ keyChange);
    }

    @Test
    void writeWithAWrongKeyIsTerminated() {
        expectTerminated(
                TerminateCode.DDP_INVALID_STAG,
                () -> a.post(new WorkRequest.Write(1, Payload.of(a.at(0, 64)), wrong(0x55, 0), PLAIN)));
        assertEquals(0, b.memory.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void writePastTheEndIsTerminated() {
        expectTerminated(
                TerminateCode.DDP_BASE_OR_BOUNDS,
                () -> a.post(new WorkRequest.Write(1, Payload.of(a.at(0, 64)), wrong(0, BYTES - 32), PLAIN)));
    }

    @Test
    void readWithAWrongKeyIsTerminated() {
        expectTerminated(
                TerminateCode.RDMAP_INVALID_STAG,
                () -> a.post(new WorkRequest.Read(1, List.of(a.at(0, 64)), wrong(0x55, 0), PLAIN)));
    }

    @Test
    void writeIntoReadOnlyMemoryIsTerminated() {
        Region readOnly = b.adapter.register(b.domain, b.memory, EnumSet.of(Right.LOCAL_READ, Right.REMOTE_READ));
        expectTerminated(
                TerminateCode.RDMAP_ACCESS_RIGHTS,
                () -> a.post(new WorkRequest.Write(
                        1, Payload.of(a.at(0, 64)), new RemoteMemory(readOnly.address(), readOnly.key()), PLAIN)));
    }

    @Test
    void sendWithoutAReceiveIsTerminated() {
        expectTerminated(
                TerminateCode.DDP_NO_BUFFER, () -> a.post(new WorkRequest.Send(1, Payload.of(a.at(0, 64)), PLAIN)));
    }

    @Test
    void sendTooLongForItsReceiveIsTerminated() {
        expectTerminated(TerminateCode.DDP_MESSAGE_TOO_LONG, () -> {
            b.receive(5, 0, 2000);
            a.post(new WorkRequest.Send(1, Payload.of(a.at(0, 6000)), PLAIN));
        });
        b.expect(5, Operation.RECEIVE, Status.LOCAL_LENGTH_ERROR);
    }

    @Test
    void refusedReadFailsWithItsReasonAndTheRestIsFlushed() {
        connect(wires().get(1));
        a.receive(8, 0, 10);
        a.post(new WorkRequest.Read(1, List.of(a.at(0, 64)), wrong(0x55, 0), PLAIN));
        a.post(new WorkRequest.Send(2, Payload.of(a.at(0, 64)), PLAIN));
        run();
        a.expect(1, Operation.READ, Status.REMOTE_ACCESS_ERROR);
        a.expect(2, Operation.SEND, Status.FLUSHED);
        a.expect(8, Operation.RECEIVE, Status.FLUSHED);
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(0, a.port.buffersTaken() + b.port.buffersTaken());
    }

    @Test
    void wrongLocalMemoryFailsTheRequestAndTellsThePeer() {
        connect(wires().get(1));
        Region other = a.adapter.register(a.adapter.createProtectionDomain(), a.memory, EnumSet.allOf(Right.class));
        a.post(new WorkRequest.Send(1, Payload.of(LocalSegment.of(other, 0, 10)), PLAIN));
        b.receive(2, 0, 10);
        run();
        Completion failed = a.expect(1, Operation.SEND, Status.LOCAL_PROTECTION_ERROR);
        assertEquals(Verdict.WRONG_DOMAIN, failed.detail());
        b.expect(2, Operation.RECEIVE, Status.FLUSHED);
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
    }

    @Test
    void endOfTheStreamFlushesEverything() {
        connect(wires().get(1));
        b.receive(1, 0, 10);
        a.queuePair.close();
        run();
        b.expect(1, Operation.RECEIVE, Status.FLUSHED);
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
    }

    @Test
    void responderOfThePeerToPeerModelWaitsForTheReadyMessage() {
        Wire wire = wires().get(1);
        MemoryStream[] ends = MemoryStream.pair(wire.capacity(), 1448, seed, 0);
        b.connect(ends[1], agreement(wire.format(), ReadyMessage.WRITE), false);
        b.post(new WorkRequest.Send(1, Payload.of(b.at(0, 100)), PLAIN));
        for (int i = 0; i < 5; i++) {
            b.adapter.work(clock.nowNs());
        }
        assertNull(b.completions.poll(), "nothing is sent yet");
        a.connect(ends[0], agreement(wire.format(), ReadyMessage.WRITE), true);
        a.receive(2, 0, 100);
        run();
        b.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(2, Operation.RECEIVE, Status.SUCCESS);
    }

    @Test
    void peerThatDoesNotReadStopsTheSenderAndNothingSpins() {
        MemoryStream[] ends = MemoryStream.pair(4000, 1448, seed, 0);
        a.connect(ends[0], agreement(new UnitFormat(false, true), null), true);
        for (int i = 0; i < 100; i++) {
            a.post(new WorkRequest.Write(i, Payload.of(a.at(0, 40_000)), b.remote(0), PLAIN));
        }
        int busy = 0;
        for (int turn = 0; turn < 1000; turn++) {
            busy += a.adapter.work(clock.nowNs()) > 0 ? 1 : 0;
        }
        assertTrue(busy < 50, busy + " turns did something");
        assertTrue(a.adapter.nextDeadlineNs() > clock.nowNs(), "the engine may sleep");
        int done = 0;
        while (a.completions.poll() != null) {
            done++;
        }
        assertTrue(done > 0 && done < 50, done + " of 100 are in the buffer");
        b.connect(ends[1], agreement(new UnitFormat(false, true), null), false);
        run();
        while (a.completions.poll() != null) {
            done++;
        }
        assertEquals(100, done);
    }

    /** The queue pair of {@link #a} with a peer that the test plays. */
    private Peer alone() {
        MemoryStream[] ends = MemoryStream.pair(1 << 20, 1448, seed, 0);
        a.connect(ends[0], agreement(new UnitFormat(false, true), null), true);
        return new Peer(ends[1]);
    }

    private void turns(Peer peer) {
        for (int i = 0; i < 5; i++) {
            a.adapter.work(clock.nowNs());
            peer.read();
        }
    }

    private static byte[] readResponse(int key, long offset, boolean last, int length) {
        byte[] bytes = new byte[TaggedHeader.LENGTH + length];
        Arrays.fill(bytes, (byte) 0x77);
        TaggedHeader.write(MemorySegment.ofArray(bytes), 0, RdmapOpcode.READ_RESPONSE, last, key, offset);
        return bytes;
    }

    private static void answer(Peer peer, byte[] segment) {
        PlainFraming framing = new PlainFraming(false, true);
        framing.add(segment);
        peer.stream.write(ByteBuffer.wrap(framing.bytes()));
    }

    @Test
    void fencedRequestWaitsForTheReadsBeforeIt() {
        Peer peer = alone();
        a.post(new WorkRequest.Read(1, List.of(a.at(0, 100)), new RemoteMemory(5, 6), PLAIN));
        a.post(new WorkRequest.Send(2, Payload.of(a.at(0, 10)), PLAIN.withFence()));
        turns(peer);
        assertEquals(1, peer.segments.size(), "the read only");
        ReadRequest request = ReadRequest.read(peer.segments.getFirst(), UntaggedHeader.LENGTH);
        assertEquals(new ReadRequest(a.region.key(), a.region.address(), 100, 6, 5), request);
        answer(peer, readResponse(request.sinkStag(), request.sinkOffset(), true, 100));
        turns(peer);
        a.expect(1, Operation.READ, Status.SUCCESS);
        a.expect(2, Operation.SEND, Status.SUCCESS);
        assertEquals(2, peer.segments.size());
    }

    @Test
    void readResponseThatNothingAskedForIsRefused() {
        for (int wrong = 0; wrong < 4; wrong++) {
            IwarpConnectionTest fresh = new IwarpConnectionTest();
            fresh.expectRefused(wrong);
        }
    }

    private void expectRefused(int wrong) {
        Peer peer = alone();
        if (wrong > 0) {
            a.post(new WorkRequest.Read(1, List.of(a.at(64, 100)), new RemoteMemory(5, 6), PLAIN));
            turns(peer);
        }
        long address = a.region.address() + 64;
        byte[] response = switch (wrong) {
            case 0 -> readResponse(a.region.key(), address, true, 100);
            case 1 -> readResponse(a.region.key(), address + 8, true, 100);
            case 2 -> readResponse(a.region.key() ^ 1, address, true, 100);
            default -> readResponse(a.region.key(), address, true, 99);
        };
        answer(peer, response);
        turns(peer);
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(RdmapOpcode.TERMINATE.code(), DdpControl.opcode(peer.segments.getLast(), 0));
        for (int i = 0; i < 200; i++) {
            assertEquals(0, a.memory.get(ValueLayout.JAVA_BYTE, i), "nothing is written");
        }
    }

    @Test
    void completionWithoutRoomEndsTheQueuePairAndNothingIsSentAfterwards() {
        Peer peer = alone();
        QueuePair crowded =
                a.adapter.createQueuePair(QueuePairOptions.of(a.domain, a.adapter.createCompletionQueue(4)));
        MemoryStream[] ends = MemoryStream.pair(1 << 20, 1448, seed, 0);
        a.streams.add(ends[0]);
        int number = a.port.add(PEER, ends[0], agreement(new UnitFormat(false, true), null), true);
        crowded.connect(new QueuePairAddress(PEER, number, 0), ConnectionOptions.DEFAULT);
        for (int i = 0; i < 20; i++) {
            assertTrue(crowded.post(new WorkRequest.Send(i, Payload.of(a.at(0, 10)), PLAIN)));
        }
        Peer other = new Peer(ends[1]);
        for (int i = 0; i < 5; i++) {
            a.adapter.work(clock.nowNs());
            other.read();
        }
        assertEquals(QueuePairState.ERROR, crowded.state());
        assertTrue(other.segments.size() < 10, other.segments.size() + " segments were sent");
        assertTrue(other.ended);
        turns(peer);
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state(), "the other queue pair goes on");
    }
}
