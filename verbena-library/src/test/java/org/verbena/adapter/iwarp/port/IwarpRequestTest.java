package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Payload;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;
import org.verbena.wire.iwarp.AtomicKind;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.AtomicResponse;
import org.verbena.wire.iwarp.DdpControl;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.TerminateCode;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Read and atomic requests of a peer that the test plays: their number is bounded, their answers belong to them. */
final class IwarpRequestTest {
    private final IwarpStand stand = new IwarpStand();
    private final IwarpStand.End a = stand.a;

    private byte[] readRequest(int msn, int length) {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + ReadRequest.LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        UntaggedHeader.write(segment, 0, RdmapOpcode.READ_REQUEST, true, 0, msn, 0);
        new ReadRequest(7, 0x1000L * msn, length, a.region.key(), a.region.address())
                .write(segment, UntaggedHeader.LENGTH);
        return bytes;
    }

    private byte[] atomicRequest(int msn, AtomicRequest request) {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + AtomicRequest.LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        UntaggedHeader.write(segment, 0, RdmapOpcode.ATOMIC_REQUEST, true, 0, msn, 0);
        request.write(segment, UntaggedHeader.LENGTH);
        return bytes;
    }

    private static byte[] atomicResponse(int msn, int identifier, long original) {
        byte[] bytes = new byte[UntaggedHeader.LENGTH + AtomicResponse.LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        UntaggedHeader.write(segment, 0, RdmapOpcode.ATOMIC_RESPONSE, true, 0, msn, 0);
        AtomicResponse.write(segment, UntaggedHeader.LENGTH, identifier, original);
        return bytes;
    }

    @Test
    void asManyReadsAsAgreedAreAnsweredInTheirOrder() {
        IwarpStand.Peer peer = stand.alone();
        for (int round = 0; round < 3; round++) {
            for (int i = 1; i <= IwarpStand.READS; i++) {
                peer.write(readRequest(round * IwarpStand.READS + i, 10 * i));
            }
            stand.turns(peer);
        }
        assertEquals(3 * IwarpStand.READS, peer.segments.size());
        assertTrue(peer.segments.stream()
                .allMatch(segment -> DdpControl.opcode(segment, 0) == RdmapOpcode.READ_RESPONSE.code()));
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
    }

    @Test
    void oneReadMoreThanAgreedFindsNoBufferAndEndsTheStream() {
        IwarpStand.Peer peer = stand.alone();
        for (int i = 1; i <= IwarpStand.READS + 1; i++) {
            peer.write(readRequest(i, 10));
        }
        stand.turns(peer);
        assertEquals(TerminateCode.DDP_NO_BUFFER, peer.reason());
        assertTrue(peer.ended);
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
    }

    @Test
    void aReadThatIsNotTheNextEndsTheStream() {
        IwarpStand.Peer peer = stand.alone();
        peer.write(readRequest(2, 10));
        stand.turns(peer);
        assertEquals(TerminateCode.DDP_MSN_RANGE, peer.reason());
    }

    @Test
    void anAtomicCountsAmongTheReads() {
        IwarpStand.Peer peer = stand.alone();
        for (int i = 1; i <= IwarpStand.READS; i++) {
            peer.write(readRequest(i, 10));
        }
        peer.write(atomicRequest(IwarpStand.READS + 1, atomic(AtomicKind.FETCH_ADD, 1, 0, 0, 0)));
        stand.turns(peer);
        assertEquals(TerminateCode.DDP_NO_BUFFER, peer.reason());
        assertEquals(0, a.memory.get(ValueLayout.JAVA_LONG, 0), "the atomic is not executed");
    }

    private AtomicRequest atomic(AtomicKind kind, long value, long mask, long compare, long compareMask) {
        return new AtomicRequest(
                kind.code(), 77, a.region.key(), a.region.address(), value, mask, compare, compareMask);
    }

    private void expectAtomic(long before, AtomicRequest request, long after) {
        IwarpRequestTest fresh = new IwarpRequestTest();
        IwarpStand.Peer peer = fresh.stand.alone();
        fresh.a.memory.set(ValueLayout.JAVA_LONG, 0, before);
        AtomicRequest here = new AtomicRequest(
                request.kind(),
                request.identifier(),
                fresh.a.region.key(),
                fresh.a.region.address(),
                request.swapOrAdd(),
                request.swapOrAddMask(),
                request.compare(),
                request.compareMask());
        peer.write(fresh.atomicRequest(1, here));
        fresh.stand.turns(peer);
        assertEquals(after, fresh.a.memory.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(
                new AtomicResponse(77, before), AtomicResponse.read(peer.segments.getFirst(), UntaggedHeader.LENGTH));
    }

    @Test
    void additionsStayWithinTheirFields() {
        expectAtomic(0xff, atomic(AtomicKind.FETCH_ADD, 1, 0, 0, 0), 0x100);
        expectAtomic(0x12ff, atomic(AtomicKind.FETCH_ADD, 1, 0x80, 0, 0), 0x1200);
        expectAtomic(
                0xffff_ffff_ffff_ffffL,
                atomic(AtomicKind.FETCH_ADD, 0x0000_0001_0000_0001L, 0x8000_0000_8000_0000L, 0, 0),
                0);
        expectAtomic(0x7f, atomic(AtomicKind.FETCH_ADD, 1, 0x80, 0, 0), 0x80);
    }

    @Test
    void swapsStoreTheBitsOfTheirMask() {
        expectAtomic(0x1111, atomic(AtomicKind.SWAP, 0x2222, -1, 0x9999, -1), 0x2222);
        expectAtomic(0x1111, atomic(AtomicKind.SWAP, 0x2222, 0xff00, 0, 0), 0x2211);
    }

    @Test
    void comparisonsLookAtTheBitsOfTheirMask() {
        expectAtomic(0x1234, atomic(AtomicKind.COMPARE_SWAP, 0x9999, -1, 0xff34, 0x00ff), 0x9999);
        expectAtomic(0x1234, atomic(AtomicKind.COMPARE_SWAP, 0x9999, -1, 0xff34, 0xffff), 0x1234);
        expectAtomic(0x1234, atomic(AtomicKind.COMPARE_SWAP, 0x9999, 0x0f0f, 0x34, 0xff), 0x1939);
        expectAtomic(0x1234, atomic(AtomicKind.COMPARE_SWAP, 0x9999, -1, 0x1235, -1), 0x1234);
    }

    @Test
    void theAnswerToAnAtomicNamesItsRequest() {
        IwarpStand.Peer peer = stand.alone();
        RemoteMemory target = new RemoteMemory(8, 9);
        a.post(new WorkRequest.FetchAdd(1, a.at(0, 8), target, 5, IwarpStand.PLAIN));
        a.post(new WorkRequest.FetchAdd(2, a.at(8, 8), target, 5, IwarpStand.PLAIN));
        stand.turns(peer);
        int first = AtomicRequest.identifier(peer.segments.get(0), UntaggedHeader.LENGTH);
        int second = AtomicRequest.identifier(peer.segments.get(1), UntaggedHeader.LENGTH);
        assertNotEquals(first, second);
        peer.write(atomicResponse(1, first, 40));
        stand.turns(peer);
        a.expect(1, Operation.FETCH_ADD, Status.SUCCESS);
        assertEquals(40, a.memory.get(ValueLayout.JAVA_LONG, 0));
        peer.write(atomicResponse(2, first, 41));
        stand.turns(peer);
        assertEquals(TerminateCode.RDMAP_CATASTROPHIC_STREAM, peer.reason());
        assertEquals(0, a.memory.get(ValueLayout.JAVA_LONG, 8), "nothing is written");
        a.expect(2, Operation.FETCH_ADD, Status.FLUSHED);
    }

    @Test
    void sendWithImmediateDoesNotExistAndSaysSo() {
        stand.connect();
        var details = new ArrayList<String>();
        a.post(new WorkRequest.SendWithImmediate(1, Payload.of(a.at(0, 5)), 3, IwarpStand.PLAIN));
        a.post(new WorkRequest.Send(2, Payload.of(a.at(0, 5)), IwarpStand.PLAIN));
        stand.run();
        a.expect(1, Operation.SEND_WITH_IMMEDIATE, Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
        a.expect(2, Operation.SEND, Status.FLUSHED);
        for (AsyncEvent event = a.adapter.events().poll();
                event != null;
                event = a.adapter.events().poll()) {
            details.add(event.detail());
        }
        assertTrue(
                details.stream().anyMatch(detail -> detail.endsWith("iWARP has no SEND_WITH_IMMEDIATE")),
                List.copyOf(details).toString());
    }
}
