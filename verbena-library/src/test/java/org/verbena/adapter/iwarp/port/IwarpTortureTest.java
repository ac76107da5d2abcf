package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.AtomicKind;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.AtomicResponse;
import org.verbena.wire.iwarp.ImmediateData;
import org.verbena.wire.iwarp.PlainFraming;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.Terminate;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/**
 * Every kind of message, its bytes cut in two at every place, read in pieces of every length, shifted against the markers, and the stream cut
 * behind every byte: the same effect, or the right end; no buffer, no page and no count of an operation is kept. The data are in memory that stays, or
 * in pages that are missing when the message comes.
 */
final class IwarpTortureTest {
    private static final int DATA = 40;
    private static final int AT = 512;
    private static final int MARKER_PERIOD = 512;
    private static final int PAGE = 4096;
    private static final long PAGED_AT = 0x7_0000_0000L;
    private static final long SERVICE_NS = 1000;

    /** A message of the peer, and its effect on the queue pair. */
    enum Kind {
        SEND,
        SEND_OF_TWO_SEGMENTS,
        SEND_INVALIDATE,
        WRITE,
        WRITE_WITH_IMMEDIATE,
        READ_REQUEST,
        READ_RESPONSE,
        ATOMIC_REQUEST,
        ATOMIC_RESPONSE,
        TERMINATE
    }

    /** One queue pair, its peer, and the bytes that the peer sends it. */
    private static final class Run {
        final IwarpStand stand = new IwarpStand();
        final IwarpStand.End a = stand.a;
        final boolean paged;
        final SimulatedPageStore store =
                new SimulatedPageStore(stand.clock, new ServiceTime(SERVICE_NS, 0, 0), new Seed(5));
        final @Nullable Hypervisor hypervisor;
        final @Nullable ManagedMemory pages;
        /** Where the data of the messages are. */
        final Region target;

        final Kind kind;
        final MemoryStream peer;
        final PlainFraming framing;
        final Region reserved;
        final List<Completion> completions = new ArrayList<>();

        Run(Kind kind, boolean markers, int shift) {
            this(kind, markers, shift, false);
        }

        /** @param paged whether the data are in pages, which are missing unless a request of the consumer holds them */
        Run(Kind kind, boolean markers, int shift, boolean paged) {
            this.kind = kind;
            this.paged = paged;
            hypervisor = paged
                    ? Hypervisor.open(
                            HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store))
                    : null;
            pages = hypervisor == null ? null : hypervisor.host().allocate(PAGE);
            target = pages == null ? a.region : register(pages);
            UnitFormat format = new UnitFormat(markers, true);
            MemoryStream[] ends = MemoryStream.pair(1 << 16, 1448, stand.seed, 0);
            a.connect(ends[0], IwarpStand.agreement(format), true);
            peer = ends[1];
            framing = new PlainFraming(markers, true);
            reserved = a.adapter.reserve(a.domain, a.memory.asSlice(0, 64), EnumSet.of(Right.LOCAL_WRITE));
            a.post(new WorkRequest.Register(1, reserved.key(), SendOptions.UNSIGNALLED));
            if (kind == Kind.READ_RESPONSE || kind == Kind.TERMINATE) {
                a.post(new WorkRequest.Read(2, at(DATA), new RemoteMemory(5, 6)));
            } else if (kind == Kind.ATOMIC_RESPONSE) {
                a.post(new WorkRequest.FetchAdd(2, at(8), new RemoteMemory(8, 6), 1, IwarpStand.PLAIN));
            }
            assertTrue(a.queuePair.post(new WorkRequest.Receive(3, List.of(at(2 * DATA)))));
            turns();
            drop();
            if (hypervisor != null && pages != null) {
                Eviction.evict(hypervisor, store, pages, 0, 1);
            }
            if (shift > 0) {
                framing.add(IwarpMessages.write(a.region.key(), a.region.address() + 100_000, true, shift));
                give(framing.bytes(), 0, framing.bytes().length);
            }
        }

        private Region register(ManagedMemory memory) {
            memory.write(0, MemorySegment.ofArray(new byte[PAGE]));
            return a.adapter.register(
                    a.domain,
                    memory,
                    PAGED_AT,
                    EnumSet.allOf(Right.class),
                    CurrentIoOptions.of(CurrentIo.Mode.LIBRARY));
        }

        private LocalSegment at(int length) {
            return LocalSegment.of(target, AT, length);
        }

        /** The bytes of the memory from the place of the data on. */
        private MemorySegment data() {
            MemorySegment found = Arena.ofAuto().allocate(2 * DATA, 8);
            if (pages == null) {
                MemorySegment.copy(a.memory, AT, found, 0, 2 * DATA);
            } else {
                pages.read(AT, found);
            }
            return found;
        }

        /** The bytes of the message, in units. */
        byte[] message() {
            int before = framing.bytes().length;
            segments().forEach(framing::add);
            byte[] all = framing.bytes();
            return Arrays.copyOfRange(all, before, all.length);
        }

        private List<byte[]> segments() {
            int key = target.key();
            long address = target.address();
            return switch (kind) {
                case SEND -> List.of(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, DATA));
                case SEND_OF_TWO_SEGMENTS ->
                    List.of(
                            IwarpMessages.send(RdmapOpcode.SEND_SOLICITED, false, 0, 1, 0, DATA - 7),
                            IwarpMessages.send(RdmapOpcode.SEND_SOLICITED, true, 0, 1, DATA - 7, 7));
                case SEND_INVALIDATE ->
                    List.of(IwarpMessages.send(RdmapOpcode.SEND_INVALIDATE, true, reserved.key(), 1, 0, DATA));
                case WRITE ->
                    List.of(
                            IwarpMessages.write(key, address + AT, false, DATA - 7),
                            IwarpMessages.write(key, address + AT + DATA - 7, true, 7));
                case WRITE_WITH_IMMEDIATE ->
                    List.of(
                            IwarpMessages.write(key, address + AT, true, DATA),
                            IwarpMessages.send(RdmapOpcode.IMMEDIATE, true, 0, 1, 0, ImmediateData.LENGTH));
                case READ_REQUEST -> List.of(readRequest());
                case READ_RESPONSE ->
                    List.of(
                            IwarpMessages.readResponse(key, address + AT, false, DATA - 7),
                            IwarpMessages.readResponse(key, address + AT + DATA - 7, true, 7));
                case ATOMIC_REQUEST -> List.of(atomicRequest());
                case ATOMIC_RESPONSE -> List.of(atomicResponse());
                case TERMINATE -> List.of(terminate());
            };
        }

        private byte[] readRequest() {
            byte[] bytes = IwarpMessages.send(RdmapOpcode.READ_REQUEST, true, 0, 1, 0, ReadRequest.LENGTH);
            new ReadRequest(7, 0, DATA, target.key(), target.address())
                    .write(MemorySegment.ofArray(bytes), UntaggedHeader.LENGTH);
            return bytes;
        }

        private byte[] atomicRequest() {
            byte[] bytes = IwarpMessages.send(RdmapOpcode.ATOMIC_REQUEST, true, 0, 1, 0, AtomicRequest.LENGTH);
            new AtomicRequest(AtomicKind.FETCH_ADD.code(), 9, target.key(), target.address() + AT, 5, 0, 0, 0)
                    .write(MemorySegment.ofArray(bytes), UntaggedHeader.LENGTH);
            return bytes;
        }

        private byte[] atomicResponse() {
            byte[] bytes = IwarpMessages.send(RdmapOpcode.ATOMIC_RESPONSE, true, 0, 1, 0, AtomicResponse.LENGTH);
            AtomicResponse.write(MemorySegment.ofArray(bytes), UntaggedHeader.LENGTH, 0, 5);
            return bytes;
        }

        private byte[] terminate() {
            byte[] bytes = IwarpMessages.send(RdmapOpcode.TERMINATE, true, 0, 1, 0, Terminate.LENGTH);
            Terminate.of(TerminateCode.RDMAP_INVALID_STAG, false, false)
                    .write(MemorySegment.ofArray(bytes), UntaggedHeader.LENGTH);
            return bytes;
        }

        void give(byte[] bytes, int from, int length) {
            assertEquals(length, peer.write(ByteBuffer.wrap(bytes, from, length)));
            turns();
        }

        void turns() {
            for (int i = 0; i < (paged ? 6 : 3); i++) {
                if (paged) {
                    stand.clock.advance(SERVICE_NS);
                    store.work(stand.clock.nowNs());
                }
                a.work();
            }
            for (Completion each = a.completions.poll(); each != null; each = a.completions.poll()) {
                completions.add(each);
            }
        }

        /** Forgets the bytes that the queue pair has sent; how many. */
        int drop() {
            return Math.max(0, peer.read(ByteBuffer.allocate(1 << 15)));
        }

        void expect(long id, Operation operation, Status status) {
            assertTrue(!completions.isEmpty(), operation + " is not complete");
            Completion completion = completions.removeFirst();
            assertEquals(status, completion.status());
            assertEquals(operation, completion.operation());
            assertEquals(id, completion.id());
        }

        /** The message has had its effect, once. */
        void expectEffect() {
            switch (kind) {
                case SEND, SEND_OF_TWO_SEGMENTS, SEND_INVALIDATE -> {
                    expect(3, Operation.RECEIVE, Status.SUCCESS);
                    expectData(DATA);
                    assertEquals(kind != Kind.SEND_INVALIDATE, reserved.isValid());
                }
                case WRITE -> expectData(DATA);
                case WRITE_WITH_IMMEDIATE -> {
                    expect(3, Operation.RECEIVE_WRITE_WITH_IMMEDIATE, Status.SUCCESS);
                    expectData(DATA);
                }
                case READ_REQUEST, ATOMIC_REQUEST -> assertTrue(drop() > 0, "no answer");
                case READ_RESPONSE -> {
                    expect(2, Operation.READ, Status.SUCCESS);
                    expectData(DATA);
                }
                case ATOMIC_RESPONSE -> {
                    expect(2, Operation.FETCH_ADD, Status.SUCCESS);
                    assertEquals(5, data().get(ValueLayout.JAVA_LONG, 0));
                }
                case TERMINATE -> {
                    expect(2, Operation.READ, Status.REMOTE_ACCESS_ERROR);
                    expect(3, Operation.RECEIVE, Status.FLUSHED);
                }
            }
            if (kind == Kind.ATOMIC_REQUEST) {
                assertEquals(5, data().get(ValueLayout.JAVA_LONG, 0));
            }
            assertEquals(List.of(), completions);
            assertEquals(
                    kind == Kind.TERMINATE ? QueuePairState.ERROR : QueuePairState.READY_TO_SEND, a.queuePair.state());
            boolean receiveIsPosted =
                    !kind.name().startsWith("SEND") && kind != Kind.WRITE_WITH_IMMEDIATE && kind != Kind.TERMINATE;
            expectNothingKept(receiveIsPosted ? 1 : 0);
        }

        /** @param operations requests of the consumer that are not over */
        private void expectNothingKept(int operations) {
            assertEquals(0, a.port.buffersTaken(), "buffers are kept");
            if (hypervisor != null && pages != null) {
                assertEquals(operations, target.currentIo().operations(), "operations");
                assertEquals(0, a.adapter.faultsOpen(), "page faults are open");
                assertEquals(0, a.adapter.landingsHeld(), "landings are held");
                assertEquals(0, Eviction.evict(hypervisor, store, pages, 0, 1), "a page is leased");
            }
        }

        private void expectData(int length) {
            MemorySegment found = data();
            for (int i = 0; i < length; i++) {
                assertEquals(IwarpMessages.FILL, found.get(ValueLayout.JAVA_BYTE, i));
            }
            assertEquals(0, found.get(ValueLayout.JAVA_BYTE, length), "nothing behind it");
        }

        /** The stream was cut before the message was whole: everything posted comes back flushed. */
        void expectCut() {
            if (kind == Kind.READ_RESPONSE || kind == Kind.TERMINATE) {
                expect(2, Operation.READ, Status.FLUSHED);
            } else if (kind == Kind.ATOMIC_RESPONSE) {
                expect(2, Operation.FETCH_ADD, Status.FLUSHED);
            }
            expect(3, Operation.RECEIVE, Status.FLUSHED);
            assertEquals(List.of(), completions);
            assertEquals(QueuePairState.ERROR, a.queuePair.state());
            expectNothingKept(0);
            a.queuePair.close();
            target.close();
        }

        void close() {
            a.adapter.close();
            if (hypervisor != null && pages != null) {
                target.close();
                pages.close();
                hypervisor.close();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void messagesCutInTwoAtEveryByteAreTheSame(Kind kind) {
        int length = new Run(kind, false, 0).message().length;
        for (int cut = 1; cut < length; cut++) {
            Run run = new Run(kind, false, 0);
            byte[] bytes = run.message();
            run.give(bytes, 0, cut);
            run.give(bytes, cut, length - cut);
            run.expectEffect();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void messagesReadInPiecesOfEveryLengthAreTheSame(Kind kind) {
        int length = new Run(kind, true, 0).message().length;
        for (int piece = 1; piece <= length; piece++) {
            Run run = new Run(kind, true, 0);
            byte[] bytes = run.message();
            for (int at = 0; at < length; at += piece) {
                run.give(bytes, at, Math.min(piece, length - at));
            }
            run.expectEffect();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void markersMayStandAtEveryPlaceOfAMessage(Kind kind) {
        for (int shift = 1; shift < MARKER_PERIOD; shift++) {
            Run run = new Run(kind, true, shift);
            byte[] bytes = run.message();
            run.give(bytes, 0, bytes.length);
            run.expectEffect();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aStreamCutBehindEveryByteFlushesEverything(Kind kind) {
        byte[] whole = new Run(kind, false, 0).message();
        int last = kind == Kind.WRITE_WITH_IMMEDIATE ? whole.length - 1 : whole.length;
        for (int cut = 0; cut < last; cut++) {
            Run run = new Run(kind, false, 0);
            byte[] bytes = run.message();
            if (cut > 0) {
                run.give(bytes, 0, cut);
            }
            run.peer.endOutput();
            run.turns();
            run.expectCut();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aStreamThatIsLostBehindEveryByteFlushesEverything(Kind kind) {
        int length = new Run(kind, true, 0).message().length;
        for (int cut = 0; cut < length; cut++) {
            Run run = new Run(kind, true, 0);
            byte[] bytes = run.message();
            if (cut > 0) {
                run.give(bytes, 0, cut);
            }
            run.peer.close();
            run.turns();
            run.expectCut();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void messagesForMissingPagesCutInTwoAtEveryByteAreTheSame(Kind kind) {
        int length = new Run(kind, false, 0).message().length;
        for (int cut = 1; cut < length; cut++) {
            Run run = new Run(kind, false, 0, true);
            byte[] bytes = run.message();
            run.give(bytes, 0, cut);
            run.give(bytes, cut, length - cut);
            run.expectEffect();
            run.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void aStreamCutBehindEveryByteKeepsNoPageAndNoOperation(Kind kind) {
        byte[] whole = new Run(kind, false, 0).message();
        int last = kind == Kind.WRITE_WITH_IMMEDIATE ? whole.length - 1 : whole.length;
        for (int cut = 0; cut < last; cut++) {
            for (boolean lost : new boolean[] {false, true}) {
                Run run = new Run(kind, false, 0, true);
                byte[] bytes = run.message();
                if (cut > 0) {
                    assertEquals(
                            cut, run.peer.write(ByteBuffer.wrap(bytes, 0, cut))); // a page may be on its way at the end
                    run.a.work();
                }
                if (lost) {
                    run.peer.close();
                } else {
                    run.peer.endOutput();
                }
                run.turns();
                run.expectCut();
                run.close();
            }
        }
    }
}
