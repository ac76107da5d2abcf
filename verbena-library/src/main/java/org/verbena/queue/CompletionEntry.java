package org.verbena.queue;

/** A completion about to be written: filled and handed over by an engine, which keeps one and uses it again. */
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

    public CompletionEntry detail(int code) {
        detail = code;
        return this;
    }

    public CompletionEntry byteLength(long bytes) {
        byteLength = bytes;
        return this;
    }

    public CompletionEntry immediate(int value) {
        argument = value;
        flags |= CompletionSlot.FLAG_IMMEDIATE;
        return this;
    }

    public CompletionEntry invalidated(int key) {
        argument = key;
        flags |= CompletionSlot.FLAG_INVALIDATED;
        return this;
    }

    /** A datagram that this queue pair sent, with its network header. */
    public CompletionEntry from(int queuePairNumber) {
        sourceQueuePair = queuePairNumber;
        flags |= CompletionSlot.FLAG_DATAGRAM;
        return this;
    }

    public CompletionEntry solicited(boolean yes) {
        flags = yes ? flags | CompletionSlot.FLAG_SOLICITED : flags;
        return this;
    }

    boolean asksForAttention() {
        return status != Status.SUCCESS || (flags & CompletionSlot.FLAG_SOLICITED) != 0;
    }
}
