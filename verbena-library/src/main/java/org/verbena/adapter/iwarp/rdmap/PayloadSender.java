package org.verbena.adapter.iwarp.rdmap;

import org.verbena.Operation;
import org.verbena.Verdict;
import org.verbena.adapter.Effort;
import org.verbena.adapter.iwarp.SegmentChannel;
import org.verbena.adapter.iwarp.ddp.UntaggedQueue;
import org.verbena.queue.SendSlot;
import org.verbena.wire.iwarp.ImmediateData;
import org.verbena.wire.iwarp.RdmapOpcode;
import org.verbena.wire.iwarp.TaggedHeader;
import org.verbena.wire.iwarp.UntaggedHeader;

/** Sends the segments of sends and writes. */
final class PayloadSender {
    private final SegmentChannel channel;
    private final Effort effort;
    private final UntaggedQueue sends = new UntaggedQueue();
    private Verdict refusal = Verdict.GRANTED;
    private int refused;

    PayloadSender(SegmentChannel channel, Effort effort) {
        this.channel = channel;
        this.effort = effort;
    }

    /** Sends the next segment of a request. */
    Step send(CurrentRequest request) {
        return request.isDataSent() ? sendImmediate(request) : sendData(request);
    }

    /** Sends a write of nothing that belongs to no request; false if the channel has no room. */
    boolean sendReadyWrite(int key) {
        if (channel.room() < TaggedHeader.LENGTH) {
            return false;
        }
        long at = channel.begin(TaggedHeader.LENGTH);
        TaggedHeader.write(channel.memory(), at, RdmapOpcode.WRITE, true, key, 0);
        channel.end();
        return true;
    }

    /** Sends a send of nothing that belongs to no request; false if the channel has no room. It counts among the sends. */
    boolean sendReadySend() {
        if (channel.room() < UntaggedHeader.LENGTH) {
            return false;
        }
        long at = channel.begin(UntaggedHeader.LENGTH);
        UntaggedHeader.write(channel.memory(), at, RdmapOpcode.SEND, true, 0, sends.msn(), 0);
        channel.end();
        sends.advance(0, true);
        return true;
    }

    /** The reason of the last {@link Step#REFUSED}. */
    Verdict refusal() {
        return refusal;
    }

    /** Bytes from the cursor of the request on that were refused. */
    int refused() {
        return refused;
    }

    private Step sendData(CurrentRequest request) {
        RdmapOpcode opcode = opcode(request);
        int header = opcode.isTagged() ? TaggedHeader.LENGTH : UntaggedHeader.LENGTH;
        int room = channel.room();
        if (room <= header) {
            return Step.NO_ROOM;
        }
        int payload = (int) Math.min(room - header, request.length() - request.cursor());
        boolean last = request.cursor() + payload == request.length();
        long at = channel.begin(header + payload);
        writeHeader(request, opcode, at, last);
        Verdict verdict = request.gather(channel.memory(), at + header, payload);
        if (!verdict.granted()) {
            channel.cancel();
            refusal = verdict;
            refused = payload;
            return Step.REFUSED;
        }
        channel.end();
        effort.addBytes(header + payload);
        request.advance(payload);
        if (!opcode.isTagged()) {
            sends.advance(payload, last);
        }
        if (last && request.operation() != Operation.WRITE_WITH_IMMEDIATE) {
            request.onSent();
        }
        return Step.DONE;
    }

    private static RdmapOpcode opcode(CurrentRequest request) {
        boolean solicited = request.isSolicited();
        return switch (request.operation()) {
            case SEND -> solicited ? RdmapOpcode.SEND_SOLICITED : RdmapOpcode.SEND;
            case SEND_WITH_INVALIDATE ->
                solicited ? RdmapOpcode.SEND_SOLICITED_INVALIDATE : RdmapOpcode.SEND_INVALIDATE;
            default -> RdmapOpcode.WRITE;
        };
    }

    private void writeHeader(CurrentRequest request, RdmapOpcode opcode, long at, boolean last) {
        long slot = request.slot();
        if (opcode.isTagged()) {
            long offset = SendSlot.remoteAddress(request.slots(), slot) + request.cursor();
            TaggedHeader.write(channel.memory(), at, opcode, last, SendSlot.remoteKey(request.slots(), slot), offset);
        } else {
            int invalidated = opcode.invalidates() ? SendSlot.argument(request.slots(), slot) : 0;
            UntaggedHeader.write(channel.memory(), at, opcode, last, invalidated, sends.msn(), (int) request.cursor());
        }
    }

    /** The immediate data of a write is a message of its own behind it. */
    private Step sendImmediate(CurrentRequest request) {
        int size = UntaggedHeader.LENGTH + ImmediateData.LENGTH;
        if (channel.room() < size) {
            return Step.NO_ROOM;
        }
        RdmapOpcode opcode = request.isSolicited() ? RdmapOpcode.IMMEDIATE_SOLICITED : RdmapOpcode.IMMEDIATE;
        int value = SendSlot.argument(request.slots(), request.slot());
        long at = channel.begin(size);
        UntaggedHeader.write(channel.memory(), at, opcode, true, 0, sends.msn(), 0);
        ImmediateData.write(channel.memory(), at + UntaggedHeader.LENGTH, Integer.toUnsignedLong(value));
        channel.end();
        effort.addBytes(size);
        sends.advance(ImmediateData.LENGTH, true);
        request.onSent();
        return Step.DONE;
    }
}
