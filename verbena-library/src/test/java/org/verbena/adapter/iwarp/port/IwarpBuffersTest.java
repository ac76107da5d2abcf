package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.ReadyMessage;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.LooseStreams;
import org.verbena.link.stream.MemoryStream;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.Openings;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.Fpdu;

/** Streams that have all buffers of a port: the others wait, and go on when one comes back. */
final class IwarpBuffersTest {
    private static final Endpoint PEER = Endpoint.of("192.0.2.9", 7471);
    private static final UnitFormat FORMAT = new UnitFormat(false, true);
    private static final int SEND_UNIT = 36;
    private final VirtualClock clock = new VirtualClock(0);
    private final LooseStreams streams = new LooseStreams();
    private final Seed seed = new Seed(1);
    private @Nullable IwarpPort made;
    private final Adapter adapter = Openings.open(
            new InProcessNetwork().open(), clock, parts -> made = new IwarpPort(parts, streams, clock, 0));
    private final IwarpPort port = Objects.requireNonNull(made);
    private final CompletionQueue completions = adapter.createCompletionQueue(16);

    private QueuePair connect(MemoryStream stream, @Nullable ReadyMessage ready) {
        QueuePair queuePair = adapter.createQueuePair(
                QueuePairOptions.of(completions).withCapacity(1, 1).withInlineMax(16));
        streams.add(stream);
        int number = port.add(PEER, stream, new MpaAgreement(2, FORMAT, FORMAT, 1, 1, ready, PrivateData.NONE), true);
        queuePair.connect(new QueuePairAddress(PEER, number, 0), ConnectionOptions.DEFAULT);
        return queuePair;
    }

    private void turns() {
        for (int i = 0; i < 4; i++) {
            adapter.work(clock.nowNs());
        }
    }

    /** Streams of which each has bytes to send, and a peer that does not read. */
    private List<MemoryStream> unread(int count) {
        List<MemoryStream> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            MemoryStream[] ends = MemoryStream.pair(1, 1448, seed, 0);
            connect(ends[0], ReadyMessage.WRITE);
            peers.add(ends[1]);
        }
        turns();
        return peers;
    }

    /** The units have their length, padding and check sum. */
    @ParameterizedTest
    @CsvSource({"WRITE, 20", "READ, 52", "SEND, 24"})
    void aReadyMessageWaitsForABuffer(ReadyMessage kind, int unitLength) {
        List<MemoryStream> peers = unread(IwarpPort.BUFFERS_MAX);
        int forOutput = IwarpPort.BUFFERS_MAX - IwarpPort.BUFFERS_MAX / 4;
        assertEquals(forOutput, port.buffersTaken(), "the rest is for input");
        MemoryStream[] late = MemoryStream.pair(4096, 1448, seed, 0);
        QueuePair queuePair = connect(late[0], kind);
        turns();
        ByteBuffer arrived = ByteBuffer.allocate(100);
        assertEquals(0, late[1].read(arrived));
        assertEquals(QueuePairState.READY_TO_SEND, queuePair.state());
        peers.forEach(MemoryStream::close);
        assertTrue(queuePair.post(new WorkRequest.Send(1, Payload.inline(new byte[10]), SendOptions.SIGNALLED)));
        turns();
        assertEquals(unitLength + SEND_UNIT, late[1].read(arrived), "the ready message, and the send");
        assertEquals(unitLength, Fpdu.length(Fpdu.segmentLength(MemorySegment.ofBuffer(arrived.flip()), 0)));
        adapter.close();
        assertEquals(0, port.buffersTaken());
    }

    @Test
    void peersThatSendAByteAndNoMoreLeaveBuffersToOthers() {
        List<MemoryStream> slow = new ArrayList<>();
        for (int i = 0; i < IwarpPort.BUFFERS_MAX + 100; i++) {
            MemoryStream[] ends = MemoryStream.pair(64, 1448, seed, 0);
            connect(ends[0], null);
            ends[1].write(ByteBuffer.wrap(new byte[] {0}));
            slow.add(ends[1]);
        }
        turns();
        assertTrue(port.buffersTaken() < IwarpPort.BUFFERS_MAX, port.buffersTaken() + " buffers");
        slow.forEach(peer -> peer.write(ByteBuffer.wrap(new byte[] {14})));
        turns();
        assertTrue(port.buffersTaken() < IwarpPort.BUFFERS_MAX, port.buffersTaken() + " buffers");
        assertEquals(slow.size(), port.streams(), "they are alive");
        MemoryStream peer = slow.getLast();
        peer.write(ByteBuffer.wrap(new byte[18])); // the rest of a unit, with a wrong check sum
        turns();
        assertEquals(slow.size() - 1, endless(slow), "the stream that got a whole unit is terminated");
        adapter.close();
        assertEquals(0, port.buffersTaken());
    }

    /** Streams to which nothing was sent. */
    private static long endless(List<MemoryStream> peers) {
        return peers.stream()
                .filter(peer -> peer.read(ByteBuffer.allocate(1)) == 0)
                .count();
    }
}
