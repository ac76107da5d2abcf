package org.verbena.adapter.pair;

import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.adapter.CompletionSink;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.queue.CompletionEntry;
import org.verbena.queue.CompletionRing;

/** The receives of a queue pair: one is taken in hand for a message, and completed when the message is whole. */
public final class ReceiveQueue {
    private final int number;
    private final ReceiveSource source;
    private final ReceiveWork hand;
    private final CompletionRing completions;
    private final CompletionSink sink;
    private final Runnable onOverrun;

    /**
     * The receives of the queue pair with this number.
     *
     * @param onOverrun run when a completion finds no room
     */
    public ReceiveQueue(int number, Queues queues, CompletionSink sink, Runnable onOverrun) {
        this.number = number;
        this.source = queues.receives();
        this.hand = source.emptyHand();
        this.completions = queues.receiveCompletions();
        this.sink = sink;
        this.onOverrun = onOverrun;
    }

    public ReceiveSource source() {
        return source;
    }

    /** The receive in hand. */
    public ReceiveWork hand() {
        return hand;
    }

    /** Takes a receive unless one is in hand; false when there is none. */
    public boolean take() {
        return hand.held() || source.take(hand);
    }

    /**
     * Adds to a fault bytes of the message that goes into the receive in hand, of which {@code remaining} are to come. Also adds the
     * pages that the next messages need if they are as long as this one so far: they would meet faults of their own.
     */
    public Verdict demand(Fault fault, Accessor who, long placed, long length, long remaining) {
        Verdict verdict = hand.segments().demand(fault, who, placed, length, remaining, Fault.Intent.RECEIVE);
        if (verdict.granted()) {
            source.foresee(fault, who, placed + length);
        }
        return verdict;
    }

    /** Begins the completion of the receive in hand, to be filled in and then given to {@link #finish}. */
    public CompletionEntry begin(Operation operation, Status status) {
        return sink.entry().of(number, hand.id(), operation, status);
    }

    /** The completion begun goes to the consumer; the hand is empty. */
    public void finish() {
        hand.drop(source.operations());
        if (!sink.push(completions)) {
            onOverrun.run();
        }
    }

    /** The receive in hand fails. */
    public void fail(Status status, Verdict verdict) {
        begin(Operation.RECEIVE, status).detail(verdict);
        finish();
    }

    /** Gives back everything posted, undone. */
    public void flush() {
        if (hand.held()) {
            fail(Status.FLUSHED, Verdict.GRANTED);
        }
        for (int left = own(); left > 0 && source.take(hand); left--) {
            fail(Status.FLUSHED, Verdict.GRANTED);
        }
    }

    /** Forgets everything posted. */
    public void discard() {
        if (source.shared()) {
            hand.drop(source.operations());
        } else {
            source.discard(hand);
        }
    }

    /** Number of receives that are posted to this queue pair only. */
    private int own() {
        return source.shared() ? 0 : source.available();
    }
}
