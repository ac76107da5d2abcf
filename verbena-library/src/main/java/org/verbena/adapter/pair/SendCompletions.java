package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.CompletionSink;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.LocalSegments;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/** Writes the completions of a send queue. */
public final class SendCompletions {
    private final int number;
    private final Ring ring;
    private final CompletionRing completions;
    private final CompletionSink sink;
    private final OperationCount operations;

    public SendCompletions(int number, Queues queues, CompletionSink sink, OperationCount operations) {
        this.number = number;
        this.ring = queues.sends();
        this.completions = queues.sendCompletions();
        this.sink = sink;
        this.operations = operations;
    }

    /** Completes the request at a position if it is signalled or has failed; false when there was no room. */
    public boolean complete(long position, Status status, Verdict verdict) {
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        endOperations(slots, slot);
        if (status.success() && !SendSlot.is(slots, slot, SendSlot.FLAG_SIGNALLED)) {
            return true;
        }
        sink.entry()
                .of(number, SendSlot.id(slots, slot), SendSlot.operation(slots, slot), status)
                .detail(verdict)
                .byteLength(status.success() ? SendSlot.messageLength(slots, slot) : 0);
        return sink.push(completions);
    }

    /** The request at a position is forgotten, without a completion. */
    public void forget(long position) {
        endOperations(ring.memory(), ring.slot(position));
    }

    private void endOperations(MemorySegment slots, long slot) {
        int counted = SendSlot.counted(slots, slot);
        if (counted != 0) {
            SendSlot.counted(slots, slot, 0);
            int segmentsMax = SendSlot.room(ring.slotLength()) / LocalSegments.LENGTH;
            operations.end(slots, slot + SendSlot.HEADER_LENGTH, segmentsMax, counted);
        }
    }
}
