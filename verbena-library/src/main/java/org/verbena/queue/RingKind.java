package org.verbena.queue;

/** Kind of a piece of shared memory. Its number stands in the header. */
public enum RingKind {
    /** Work requests of a send queue, from the consumer to the engine. */
    SEND(1, SendSlot.HEADER_LENGTH),
    /** Receives, from the consumer to the engine. */
    RECEIVE(2, ReceiveSlot.HEADER_LENGTH),
    /** Completions, from the engine to the consumer. */
    COMPLETION(3, CompletionSlot.LENGTH),
    /** A {@link Doorbell}, which has no slots. */
    DOORBELL(4, 0);

    private final int code;
    private final int slotLengthMin;

    RingKind(int code, int slotLengthMin) {
        this.code = code;
        this.slotLengthMin = slotLengthMin;
    }

    /** The number that stands in the header. */
    public int code() {
        return code;
    }

    /** Bytes that a slot has at least. */
    int slotLengthMin() {
        return slotLengthMin;
    }
}
