package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.EventKind;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.ReadyMessage;
import org.verbena.Status;
import org.verbena.link.stream.MemoryStream;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Payload;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** The initiator's ready message, of each kind and in both roles: consumers notice nothing of it but that the responder may send. */
final class IwarpReadyTest {
    private static final int LENGTH = 3000;

    private final IwarpStand stand = new IwarpStand();
    private final IwarpStand.End a = stand.a;
    private final IwarpStand.End b = stand.b;

    static Stream<@Nullable ReadyMessage> kinds() {
        return Stream.concat(Stream.of((ReadyMessage) null), Stream.of(ReadyMessage.values()));
    }

    // --- both ends

    @ParameterizedTest
    @EnumSource(ReadyMessage.class)
    void theResponderWaitsForTheReadyMessageAndSendsFirst(ReadyMessage kind) {
        MemoryStream[] ends = stand.streams();
        b.connect(ends[1], IwarpStand.agreement(IwarpStand.CHECKED, kind), false);
        b.fill(0, LENGTH);
        b.post(new WorkRequest.Send(1, Payload.of(b.at(0, LENGTH)), IwarpStand.PLAIN));
        stand.run();
        b.expectNone();
        a.connect(ends[0], IwarpStand.agreement(IwarpStand.CHECKED, kind), true);
        a.receive(2, 0, LENGTH);
        stand.run();
        b.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(2, Operation.RECEIVE, Status.SUCCESS);
        assertEquals(-1, a.memory.asSlice(0, LENGTH).mismatch(b.memory.asSlice(0, LENGTH)));
        AsyncEvent event = b.adapter.events().poll();
        assertNotNull(event, "the consumer is told");
        assertEquals(EventKind.COMMUNICATION_ESTABLISHED, event.kind());
    }

    /** The responder has no receive when the ready message comes, and gives the first that it posts to the first send of the consumer. */
    @ParameterizedTest
    @MethodSource("kinds")
    void aReadyMessageTakesNoReceive(@Nullable ReadyMessage kind) {
        stand.connectReady(kind);
        stand.run();
        assertEquals(QueuePairState.READY_TO_SEND, b.queuePair.state());
        b.expectNone();
        b.receive(7, 0, LENGTH);
        b.receive(8, LENGTH, 10);
        a.fill(0, LENGTH);
        a.post(new WorkRequest.Send(1, Payload.of(a.at(0, LENGTH)), IwarpStand.PLAIN));
        a.post(new WorkRequest.Send(2, Payload.NOTHING, IwarpStand.PLAIN));
        stand.run();
        assertEquals(LENGTH, b.expect(7, Operation.RECEIVE, Status.SUCCESS).byteLength());
        assertEquals(0, b.expect(8, Operation.RECEIVE, Status.SUCCESS).byteLength());
        assertEquals(-1, a.memory.asSlice(0, LENGTH).mismatch(b.memory.asSlice(0, LENGTH)));
        a.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(2, Operation.SEND, Status.SUCCESS);
    }

    /** More reads and atomics than may be under way, in both directions at once, between sends. */
    @ParameterizedTest
    @MethodSource("kinds")
    void readsRunAtFullDepthInBothDirections(@Nullable ReadyMessage kind) {
        stand.connectReady(kind);
        int reads = 3 * IwarpStand.READS;
        a.fill(0, reads * LENGTH);
        b.fill(0, reads * LENGTH);
        for (IwarpStand.End end : List.of(a, b)) {
            IwarpStand.End other = end == a ? b : a;
            other.receive(100, 250_000, 10);
            for (int i = 0; i < reads; i++) {
                end.post(new WorkRequest.Read(
                        i, List.of(end.at(100_000 + i * LENGTH, LENGTH)), other.remote(i * LENGTH), IwarpStand.PLAIN));
            }
            end.post(new WorkRequest.Send(99, Payload.of(end.at(0, 10)), IwarpStand.PLAIN));
        }
        stand.run();
        for (IwarpStand.End end : List.of(a, b)) {
            IwarpStand.End other = end == a ? b : a;
            var found = new ArrayList<Long>();
            for (var each = end.completions.poll(); each != null; each = end.completions.poll()) {
                assertEquals(Status.SUCCESS, each.status());
                if (each.operation() != Operation.RECEIVE) {
                    found.add(each.id());
                }
            }
            assertEquals(reads + 1, found.size());
            assertEquals(99L, found.getLast(), "completions are in the order of posting");
            MemorySegment landed = end.memory.asSlice(100_000, (long) reads * LENGTH);
            assertEquals(-1, landed.mismatch(other.memory.asSlice(0, (long) reads * LENGTH)));
        }
    }

    @ParameterizedTest
    @EnumSource(ReadyMessage.class)
    void aReadyMessageNeedsNoRight(ReadyMessage kind) {
        b.queuePair.initialize(Set.of());
        stand.connectReady(kind);
        b.post(new WorkRequest.Send(1, Payload.of(b.at(0, 10)), IwarpStand.PLAIN));
        a.receive(2, 0, 10);
        stand.run();
        b.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(2, Operation.RECEIVE, Status.SUCCESS);
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
    }

    // --- the initiator's bytes

    @Test
    void aWriteNamesKey1() {
        IwarpStand.Peer peer = stand.alone(ReadyMessage.WRITE);
        stand.turns(peer);
        MemorySegment only = peer.only();
        assertEquals(TaggedHeader.LENGTH, only.byteSize());
        assertEquals(1, TaggedHeader.stag(only, 0));
        assertEquals(0, TaggedHeader.offset(only, 0));
    }

    @Test
    void aSendIsTheFirstOfItsQueue() {
        IwarpStand.Peer peer = stand.alone(ReadyMessage.SEND);
        a.post(new WorkRequest.Send(1, Payload.of(a.at(0, 10)), IwarpStand.PLAIN));
        stand.turns(peer);
        assertEquals(List.of(1, 2), msns(peer.segments));
        assertEquals(UntaggedHeader.LENGTH, peer.segments.getFirst().byteSize());
        assertEquals(
                RdmapOpcode.SEND.code(),
                UntaggedHeader.read(peer.segments.getFirst(), 0).control().opcode());
        a.expect(1, Operation.SEND, Status.SUCCESS);
    }

    /** As Linux siw sends it: nothing of key 1 into nothing of key 0. */
    @Test
    void aReadIsTheFirstOfItsQueueAndCountsUntilItIsAnswered() {
        IwarpStand.Peer peer = stand.alone(ReadyMessage.READ);
        for (int i = 0; i < IwarpStand.READS + 2; i++) {
            a.post(new WorkRequest.Read(i, List.of(a.at(i * 10, 10)), b.remote(0), IwarpStand.PLAIN));
        }
        stand.turns(peer);
        assertEquals(new ReadRequest(0, 0, 0, 1, 0), ReadRequest.read(peer.segments.getFirst(), UntaggedHeader.LENGTH));
        assertEquals(List.of(1, 2, 3, 4), msns(peer.segments), "as many as the peer takes");
        peer.write(IwarpMessages.readResponse(0, 0, true, 0));
        stand.turns(peer);
        a.expectNone();
        assertEquals(List.of(1, 2, 3, 4, 5), msns(peer.segments));
        for (int i = 0; i < IwarpStand.READS + 2; i++) {
            ReadRequest asked = ReadRequest.read(peer.segments.get(1 + i), UntaggedHeader.LENGTH);
            peer.write(IwarpMessages.readResponse(asked.sinkStag(), asked.sinkOffset(), true, 10));
            stand.turns(peer);
            a.expect(i, Operation.READ, Status.SUCCESS);
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7), msns(peer.segments));
    }

    @Test
    void aSendDoesNotWaitForTheAnswerToTheReadyMessage() {
        IwarpStand.Peer peer = stand.alone(ReadyMessage.READ);
        a.post(new WorkRequest.Send(1, Payload.of(a.at(0, 10)), IwarpStand.PLAIN));
        stand.turns(peer);
        a.expect(1, Operation.SEND, Status.SUCCESS);
    }

    /** The answer belongs to the ready message, though the consumer's read asks for bytes of that key. */
    @Test
    void anAnswerWithDataEndsTheStream() {
        IwarpStand.Peer peer = stand.alone(ReadyMessage.READ);
        a.post(new WorkRequest.Read(1, List.of(a.at(0, 10)), b.remote(0), IwarpStand.PLAIN));
        stand.turns(peer);
        peer.write(IwarpMessages.readResponse(a.region.key(), a.region.address(), true, 10));
        stand.turns(peer);
        assertEquals(TerminateCode.DDP_BASE_OR_BOUNDS, peer.reason());
        a.expect(1, Operation.READ, Status.FLUSHED);
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
    }

    @Test
    void aPeersTerminateMessageBeforeTheAnswerFailsTheOldestReadOfTheConsumer() {
        IwarpStand.Peer peer = stand.alone(ReadyMessage.READ);
        a.post(new WorkRequest.Read(1, List.of(a.at(0, 10)), b.remote(0), IwarpStand.PLAIN));
        stand.turns(peer);
        peer.write(IwarpMessages.terminate(TerminateCode.RDMAP_ACCESS_RIGHTS));
        stand.turns(peer);
        a.expect(1, Operation.READ, Status.REMOTE_ACCESS_ERROR);
        a.expectNone();
    }

    // --- the responder, and what initiators send

    /** RFC 6581 calls it a zero-length FULPDU: a unit without a segment can be meant. */
    @Test
    void aUnitWithoutASegmentIsASendOfLength0() {
        IwarpStand.Peer peer = stand.aloneAsResponder(ReadyMessage.SEND);
        a.post(new WorkRequest.Send(1, Payload.of(a.at(0, 10)), IwarpStand.PLAIN));
        stand.turns(peer);
        assertEquals(List.of(), peer.segments);
        peer.write(new byte[0]);
        stand.turns(peer);
        assertEquals(1, peer.segments.size());
        a.receive(7, 0, 10);
        peer.write(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, 10));
        stand.turns(peer);
        a.expect(1, Operation.SEND, Status.SUCCESS);
        a.expect(7, Operation.RECEIVE, Status.SUCCESS);
    }

    @Test
    void onlyTheFirstUnitIsAReadyMessage() {
        IwarpStand.Peer peer = stand.aloneAsResponder(ReadyMessage.SEND);
        a.receive(7, 0, 10);
        a.receive(8, 0, 10);
        peer.write(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, 0));
        peer.write(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 2, 0, 0));
        stand.turns(peer);
        assertEquals(0, a.expect(7, Operation.RECEIVE, Status.SUCCESS).byteLength());
        a.expectNone();
        peer.write(new byte[0]);
        stand.turns(peer);
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
    }

    /** A peer that agrees to a send and begins with another message is ready too. */
    @Test
    void anotherFirstUnitIsTakenAsWhatItIs() {
        IwarpStand.Peer peer = stand.aloneAsResponder(ReadyMessage.SEND);
        a.receive(7, 0, 10);
        a.post(new WorkRequest.Send(1, Payload.of(a.at(0, 10)), IwarpStand.PLAIN));
        peer.write(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, 5));
        stand.turns(peer);
        assertEquals(5, a.expect(7, Operation.RECEIVE, Status.SUCCESS).byteLength());
        a.expect(1, Operation.SEND, Status.SUCCESS);
    }

    @Test
    void withoutAnAgreementASendOfLength0IsAMessageOfTheConsumer() {
        IwarpStand.Peer peer = stand.aloneAsResponder(null);
        a.receive(7, 0, 10);
        peer.write(IwarpMessages.send(RdmapOpcode.SEND, true, 0, 1, 0, 0));
        stand.turns(peer);
        a.expect(7, Operation.RECEIVE, Status.SUCCESS);
        assertNull(a.adapter.events().poll());
    }

    private static List<Integer> msns(List<MemorySegment> segments) {
        return segments.stream().map(each -> UntaggedHeader.msn(each, 0)).toList();
    }
}
