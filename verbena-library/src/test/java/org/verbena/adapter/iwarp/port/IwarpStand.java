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
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.PrivateData;
import org.verbena.ReadyMessage;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
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
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
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
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Two adapters with a port of iWARP and a queue pair each, on streams in memory; and the end of a stream that a test plays. */
final class IwarpStand {
    static final int BYTES = 300_000;
    static final Endpoint PEER = Endpoint.of("192.0.2.9", 7471);
    static final SendOptions PLAIN = SendOptions.SIGNALLED;
    static final UnitFormat CHECKED = new UnitFormat(false, true);
    static final int READS = 4;
    private static final int PACKET = 1448;
    private static final int TURNS_MAX = 100_000;

    final VirtualClock clock = new VirtualClock(0);
    final Seed seed = new Seed(12);
    private final InProcessNetwork links = new InProcessNetwork();
    private final UnaryOperator<AdapterOptions> adapterOptions;
    final End a;
    final End b;

    IwarpStand() {
        this(options -> options);
    }

    /** With options of the queue pairs. */
    IwarpStand(UnaryOperator<QueuePairOptions> options) {
        this(options, adapters -> adapters);
    }

    /** With options of the queue pairs and of the adapters. */
    IwarpStand(UnaryOperator<QueuePairOptions> options, UnaryOperator<AdapterOptions> adapterOptions) {
        this.adapterOptions = adapterOptions;
        a = new End(options);
        b = new End(options);
    }

    /** One adapter with a port of iWARP, and a queue pair. */
    final class End {
        private @Nullable IwarpPort made;
        final LooseStreams streams = new LooseStreams();
        final Adapter adapter = Openings.open(
                links.open(), clock, parts -> made = new IwarpPort(parts, streams, clock, 0), adapterOptions);
        final IwarpPort port = Objects.requireNonNull(made);
        final ProtectionDomain domain = adapter.createProtectionDomain();
        final CompletionQueue completions = adapter.createCompletionQueue(256);
        final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 8);
        final Region region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        final QueuePair queuePair;

        End(UnaryOperator<QueuePairOptions> options) {
            queuePair = adapter.createQueuePair(
                    options.apply(QueuePairOptions.of(domain, completions).withRegister(RegisterFailure.TERMINATE)));
        }

        void connect(ByteStream stream, MpaAgreement agreement, boolean initiator) {
            streams.add(stream);
            int number = port.add(PEER, stream, agreement, initiator);
            queuePair.connect(new QueuePairAddress(PEER, number, 0), ConnectionOptions.DEFAULT.withReads(READS, READS));
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

        void work() {
            adapter.work(clock.nowNs());
        }

        Completion expect(long id, Operation operation, Status status) {
            Completion completion = completions.poll();
            assertNotNull(completion, operation + " is not complete");
            assertEquals(status, completion.status());
            assertEquals(id, completion.id());
            assertEquals(operation, completion.operation());
            return completion;
        }

        void expectNone() {
            assertNull(completions.poll());
        }

        void fill(int offset, int length) {
            for (int i = 0; i < length; i++) {
                memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (1 + seed.nextInt(255)));
            }
        }
    }

    /** The other end of the stream of a queue pair: sees the segments that it sends, and sends it others. */
    static final class Peer {
        final MemoryStream stream;
        final UnitReader reader = new UnitReader(new StreamBuffers(IwarpPort.BUFFER_BYTES, 1), CHECKED, new MpaCrc());
        final List<MemorySegment> segments = new ArrayList<>();
        private final PlainFraming framing = new PlainFraming(false, true);
        private int written;
        boolean ended;

        Peer(MemoryStream stream) {
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

        void write(byte[] segment) {
            framing.add(segment);
            byte[] all = framing.bytes();
            stream.write(ByteBuffer.wrap(all, written, all.length - written));
            written = all.length;
        }

        /** The segment that came, and no other did. */
        MemorySegment only() {
            assertEquals(1, segments.size());
            return segments.getFirst();
        }

        /** The reason in the terminate message that came last. */
        @Nullable
        TerminateCode reason() {
            MemorySegment message = segments.getLast();
            assertEquals(RdmapOpcode.TERMINATE.code(), DdpControl.opcode(message, 0), "a terminate message");
            return Terminate.read(message, UntaggedHeader.LENGTH).reason();
        }
    }

    static MpaAgreement agreement(UnitFormat format) {
        return agreement(format, null);
    }

    static MpaAgreement agreement(UnitFormat format, @Nullable ReadyMessage ready) {
        return new MpaAgreement(2, format, format, READS, READS, ready, PrivateData.NONE);
    }

    /** Connects both ends, which may send at once, by a stream that cuts bytes in pieces of at most this length; 0: not at all. */
    void connect(UnitFormat format, int pieceMax) {
        MemoryStream[] ends = MemoryStream.pair(1 << 20, PACKET, seed, pieceMax);
        connect(ends, agreement(format), true);
    }

    private void connect(MemoryStream[] ends, MpaAgreement agreement, boolean atOnce) {
        a.connect(ends[0], agreement, true);
        b.connect(ends[1], agreement, atOnce);
    }

    void connect() {
        connect(CHECKED, 0);
    }

    /** Connects both ends; {@link #b} has been asked, and waits for the first unit of {@link #a}. */
    void connectResponder() {
        connectReady(null);
    }

    /** Connects both ends; {@link #b} waits for this ready message of {@link #a}, or for its first unit. */
    void connectReady(@Nullable ReadyMessage ready) {
        connect(streams(), agreement(CHECKED, ready), false);
    }

    /** Both ends of a stream. */
    MemoryStream[] streams() {
        return MemoryStream.pair(1 << 20, PACKET, seed, 0);
    }

    /** The queue pair of {@link #a} with a peer that the test plays. */
    Peer alone() {
        return alone(null);
    }

    /** The queue pair of {@link #a}, which sends a ready message, with a peer that the test plays. */
    Peer alone(@Nullable ReadyMessage ready) {
        return alone(ready, true);
    }

    /** The queue pair of {@link #a}, which waits for a ready message, with a peer that the test plays. */
    Peer aloneAsResponder(@Nullable ReadyMessage ready) {
        return alone(ready, false);
    }

    private Peer alone(@Nullable ReadyMessage ready, boolean initiator) {
        MemoryStream[] ends = streams();
        a.connect(ends[0], agreement(CHECKED, ready), initiator);
        return new Peer(ends[1]);
    }

    void turns(Peer peer) {
        for (int i = 0; i < 5; i++) {
            a.work();
            peer.read();
        }
    }

    void run() {
        for (int idle = 0, turns = 0; idle < 3; turns++) {
            assertTrue(turns < TURNS_MAX, "the adapters do not come to rest");
            idle = a.adapter.work(clock.nowNs()) + b.adapter.work(clock.nowNs()) == 0 ? idle + 1 : 0;
        }
    }
}
