package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;
import org.verbena.adapter.CompletionSink;
import org.verbena.memory.Verdict;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.queue.Status;

/** Tells the consumer of a send queue what became of its requests. */
public final class SendCompletions {
    private final int number;
    private final Ring ring;
    private final CompletionRing completions;
    private final CompletionSink sink;

    public SendCompletions(int number, Queues queues, CompletionSink sink) {
        this.number = number;
        this.ring = queues.sends();
        this.completions = queues.sendCompletions();
        this.sink = sink;
    }

    /** Completes the request at a position if its consumer wants to know, or must; false when there was no room. */
    public boolean complete(long position, Status status, Verdict verdict) {
        MemorySegment slots = ring.memory();
        long slot = ring.slot(position);
        if (status.success() && !SendSlot.is(slots, slot, SendSlot.FLAG_SIGNALLED)) {
            return true;
        }
        sink.entry()
                .of(number, SendSlot.id(slots, slot), SendSlot.operation(slots, slot), status)
                .detail(verdict.ordinal())
                .byteLength(status.success() ? SendSlot.messageLength(slots, slot) : 0);
        return sink.push(completions);
    }
}
