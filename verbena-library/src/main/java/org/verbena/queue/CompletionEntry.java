package org.verbena.queue;

import org.verbena.Operation;
import org.verbena.Status;
import org.verbena.Verdict;

/** A completion before it is written into a ring. An engine has one and uses it again and again. */
public final class CompletionEntry {
    long id;
    int queuePair;
    Status status = Status.SUCCESS;
    Operation operation = Operation.SEND;
    int flags;
    int detail;
    long byteLength;
    int argument;
    int sourceQueuePair;

    /** An empty entry. */
    public CompletionEntry() {}

    /** Begins an entry; everything not given is zero. */
    public CompletionEntry of(int queuePairNumber, long requestId, Operation what, Status outcome) {
        id = requestId;
        queuePair = queuePairNumber;
        status = outcome;
        operation = what;
        flags = 0;
        detail = 0;
        byteLength = 0;
        argument = 0;
        sourceQueuePair = 0;
        return this;
    }

    /** Why local memory was refused; GRANTED where it was not. */
    public CompletionEntry detail(Verdict verdict) {
        detail = verdict.code();
        return this;
    }

    /** Bytes received or read. */
    public CompletionEntry byteLength(long bytes) {
        byteLength = bytes;
        return this;
    }

    /** 32 bits came with the message. */
    public CompletionEntry immediate(int value) {
        argument = value;
        flags |= CompletionSlot.FLAG_IMMEDIATE;
        return this;
    }

    /** The message invalidated this key. */
    public CompletionEntry invalidated(int key) {
        argument = key;
        flags |= CompletionSlot.FLAG_INVALIDATED;
        return this;
    }

    /** The message is a datagram of this queue pair, and its network header stands first in the receive. */
    public CompletionEntry from(int queuePairNumber) {
        sourceQueuePair = queuePairNumber;
        flags |= CompletionSlot.FLAG_DATAGRAM;
        return this;
    }

    /** Whether the sender asked for the receiver's attention. */
    public CompletionEntry solicited(boolean yes) {
        flags = yes ? flags | CompletionSlot.FLAG_SOLICITED : flags;
        return this;
    }

    boolean asksForAttention() {
        return status != Status.SUCCESS || (flags & CompletionSlot.FLAG_SOLICITED) != 0;
    }
}
