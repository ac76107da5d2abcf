package org.verbena.adapter.iwarp.rdmap;

import org.verbena.Operation;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.iwarp.ddp.UntaggedQueue;
import org.verbena.queue.SendSlot;
import org.verbena.wire.iwarp.AtomicKind;
import org.verbena.wire.iwarp.AtomicRequest;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.ReadRequest;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Sends read and atomic requests. */
final class RequestSender {
    private final SegmentChannel channel;
    private final Effort effort;
    private final UntaggedQueue requests = new UntaggedQueue();
    private Verdict refusal = Verdict.GRANTED;

    RequestSender(SegmentChannel channel, Effort effort) {
        this.channel = channel;
        this.effort = effort;
    }

    /** Sends the next message of a read, or an atomic. */
    Step send(CurrentRequest request, OutstandingRequests outstanding) {
        return request.operation() == Operation.READ
                ? sendRead(request, outstanding)
                : sendAtomic(request, outstanding);
    }

    /** The reason of the last {@link Step#REFUSED}. */
    Verdict refusal() {
        return refusal;
    }

    private Step refused(Verdict verdict) {
        refusal = verdict;
        return Step.REFUSED;
    }

    /** One request for each local segment: a read response can name one memory only. */
    private Step sendRead(CurrentRequest request, OutstandingRequests outstanding) {
        if (request.cursor() == 0) {
            Verdict verdict = request.judgeLanding();
            if (!verdict.granted()) {
                return refused(verdict);
            }
        }
        int size = UntaggedHeader.LENGTH + ReadRequest.LENGTH;
        if (outstanding.isFull()) {
            return Step.BLOCKED;
        }
        if (channel.room() < size) {
            return Step.NO_ROOM;
        }
        long slot = request.slot();
        long cursor = request.cursor();
        boolean empty = request.length() == 0;
        int key = empty ? 0 : request.segments().keyAt(cursor);
        long address = empty ? 0 : request.segments().addressAt(cursor);
        long piece = empty ? 0 : request.segments().leftAt(cursor);
        long at = begin(RdmapOpcode.READ_REQUEST, size);
        ReadRequest.writeSink(channel.memory(), at, key, address);
        ReadRequest.writeSource(
                channel.memory(),
                at,
                SendSlot.remoteKey(request.slots(), slot),
                SendSlot.remoteAddress(request.slots(), slot) + cursor,
                (int) piece);
        end(size);
        outstanding.addRead(request.position(), key, address, piece);
        request.advance(piece);
        if (request.isDataSent()) {
            request.onSent();
        }
        return Step.DONE;
    }

    /** Sends a read of nothing that belongs to no request; false if the channel has no room. */
    boolean sendReady(OutstandingRequests outstanding, int key) {
        int size = UntaggedHeader.LENGTH + ReadRequest.LENGTH;
        if (channel.room() < size) {
            return false;
        }
        long at = begin(RdmapOpcode.READ_REQUEST, size);
        ReadRequest.writeSink(channel.memory(), at, 0, 0);
        ReadRequest.writeSource(channel.memory(), at, key, 0, 0);
        end(size);
        outstanding.readyAwaited(true);
        return true;
    }

    private Step sendAtomic(CurrentRequest request, OutstandingRequests outstanding) {
        int size = UntaggedHeader.LENGTH + AtomicRequest.LENGTH;
        if (outstanding.isFull()) {
            return Step.BLOCKED;
        }
        if (channel.room() < size) {
            return Step.NO_ROOM;
        }
        Verdict verdict = request.length() == Long.BYTES ? request.judgeLanding() : Verdict.OUT_OF_BOUNDS;
        if (!verdict.granted()) {
            return refused(verdict);
        }
        long slot = request.slot();
        boolean add = request.operation() == Operation.FETCH_ADD;
        long at = begin(RdmapOpcode.ATOMIC_REQUEST, size);
        AtomicRequest.write(
                channel.memory(),
                at,
                (add ? AtomicKind.FETCH_ADD : AtomicKind.COMPARE_SWAP).code(),
                outstanding.nextIdentifier(),
                SendSlot.remoteKey(request.slots(), slot),
                SendSlot.remoteAddress(request.slots(), slot));
        long first = SendSlot.firstOperand(request.slots(), slot);
        long second = SendSlot.secondOperand(request.slots(), slot);
        AtomicRequest.writeOperands(
                channel.memory(), at, add ? first : second, add ? 0 : -1L, add ? 0 : first, add ? 0 : -1L);
        end(size);
        outstanding.addAtomic(request.position());
        request.onSent();
        return Step.DONE;
    }

    private long begin(RdmapOpcode opcode, int size) {
        long at = channel.begin(size);
        UntaggedHeader.write(channel.memory(), at, opcode, true, 0, requests.msn(), 0);
        return at + UntaggedHeader.LENGTH;
    }

    private void end(int size) {
        channel.end();
        effort.addBytes(size);
        requests.advance(size, true);
    }
}
