package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.adapter.iwarp.port.IwarpPort;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.LooseStreams;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.Region;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.MpaDepths;
import org.verbena.wire.iwarp.MpaHeader;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.SegmentHeaders;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Any bytes into the readers of iWARP, and into a live stream: nothing is thrown, and what is written reads back the same. */
final class IwarpFuzzTest {
    private static final int INPUT_MAX = 8192;

    @FuzzTest
    void openingFramesReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < MpaHeader.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment bytes = MemorySegment.ofArray(input);
        MemorySegment copy = MemorySegment.ofArray(new byte[MpaHeader.LENGTH]);
        MpaHeader header = MpaHeader.read(bytes, 0);
        if (header == null) {
            return;
        }
        header.write(copy, 0);
        assertEquals(header, MpaHeader.read(copy, 0));
        if (input.length >= MpaHeader.LENGTH + MpaDepths.LENGTH) {
            MpaDepths depths = MpaDepths.read(bytes, MpaHeader.LENGTH);
            depths.write(copy, 0);
            assertEquals(
                    -1, copy.asSlice(0, MpaDepths.LENGTH).mismatch(bytes.asSlice(MpaHeader.LENGTH, MpaDepths.LENGTH)));
        }
    }

    @FuzzTest
    void segmentHeadersReadBackAsTheyWereWritten(byte[] input) {
        if (input.length < UntaggedHeader.LENGTH || input.length > INPUT_MAX) {
            return;
        }
        MemorySegment segment = MemorySegment.ofArray(input);
        MemorySegment once = MemorySegment.ofArray(input.clone());
        MemorySegment twice = MemorySegment.ofArray(input.clone());
        int headers = SegmentHeaders.copy(segment, once);
        assertTrue(headers >= 0 && headers <= input.length);
        assertEquals(headers, SegmentHeaders.copy(once, twice));
        assertEquals(-1, once.mismatch(twice), "written, read and written again");
        DdpControl control = DdpControl.read(segment, 0);
        RdmapOpcode opcode = RdmapOpcode.of(control.opcode());
        assertEquals(control.tagged(), DdpControl.isTagged(segment, 0));
        assertTrue(opcode == null || opcode.code() == control.opcode());
        assertEquals(TaggedHeader.read(segment, 0).offset(), TaggedHeader.offset(segment, 0));
        if (input.length >= UntaggedHeader.LENGTH + Terminate.LENGTH) {
            Terminate message = Terminate.read(segment, UntaggedHeader.LENGTH);
            message.reason();
            assertTrue(message.layer() < 16 && message.type() < 16);
        }
    }

    /** The bytes of a peer behind the frames that opened the connection, in pieces; the engine has memory that it did not grant. */
    @FuzzTest
    void noStreamHarmsAnEngine(byte[] input) {
        if (input.length > 1 << 16) {
            return;
        }
        VirtualClock clock = new VirtualClock(0);
        IwarpPort[] port = new IwarpPort[1];
        LooseStreams streams = new LooseStreams();
        try (Adapter adapter = Openings.open(
                new InProcessNetwork().open(), clock, parts -> port[0] = new IwarpPort(parts, streams, clock, 0))) {
            MemorySegment direct = Arena.ofAuto().allocate(8192, 8);
            direct.fill((byte) 0x5a);
            CompletionQueue completions = adapter.createCompletionQueue(64);
            QueuePair queuePair = adapter.createQueuePair(QueuePairOptions.of(completions));
            Region granted = adapter.register(direct.asSlice(1024, 1024), Right.values());
            MemoryStream[] ends = MemoryStream.pair(1 << 16, 1448, new Seed(1), 0);
            UnitFormat format = new UnitFormat(false, false);
            Endpoint peer = Endpoint.of("192.0.2.1", 1);
            streams.add(ends[0]);
            int number = port[0].add(
                    peer, ends[0], new MpaAgreement(2, format, format, 2, 2, null, PrivateData.NONE), false);
            queuePair.connect(new QueuePairAddress(peer, number, 0), ConnectionOptions.DEFAULT.withReads(2, 2));
            for (int i = 0; i < 4; i++) {
                queuePair.post(new WorkRequest.Receive(i, List.of(LocalSegment.of(granted, 0, 256))));
            }
            queuePair.post(
                    new WorkRequest.Read(9, LocalSegment.of(granted, 512, 100), new RemoteMemory(0x1000, 0x1234)));
            ByteBuffer bytes = ByteBuffer.wrap(input);
            ByteBuffer answer = ByteBuffer.allocate(1 << 16);
            for (int turn = 0; turn < 40; turn++) {
                bytes.limit(Math.min(input.length, bytes.position() + 1 + input.length / 20));
                ends[1].write(bytes);
                adapter.work(clock.nowNs());
                ends[1].read(answer.clear());
            }
            for (long at = 0; at < direct.byteSize(); at++) {
                if (at < 1024 || at >= 2048) {
                    assertEquals(0x5a, direct.get(ValueLayout.JAVA_BYTE, at), "byte " + at + " was not granted");
                }
            }
            QueuePairState state = queuePair.state();
            assertTrue(state == QueuePairState.READY_TO_SEND || state == QueuePairState.ERROR, state::label);
        }
    }
}
