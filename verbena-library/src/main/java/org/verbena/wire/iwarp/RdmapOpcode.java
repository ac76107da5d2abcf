package org.verbena.wire.iwarp;

import org.jspecify.annotations.Nullable;

/**
 * The messages of RDMAP (RFC 5040, 4.3; RFC 7306, 4.1). A row: code, queue of the untagged model, length of the header of RDMAP
 * behind the one of DDP.
 */
public enum RdmapOpcode {
    WRITE(0, RdmapOpcode.TAGGED, 0),
    READ_REQUEST(1, RdmapOpcode.REQUESTS, ReadRequest.LENGTH),
    READ_RESPONSE(2, RdmapOpcode.TAGGED, 0),
    SEND(3, RdmapOpcode.SENDS, 0),
    SEND_INVALIDATE(4, RdmapOpcode.SENDS, 0),
    SEND_SOLICITED(5, RdmapOpcode.SENDS, 0),
    SEND_SOLICITED_INVALIDATE(6, RdmapOpcode.SENDS, 0),
    TERMINATE(7, RdmapOpcode.TERMINATES, Terminate.LENGTH),
    IMMEDIATE(8, RdmapOpcode.SENDS, ImmediateData.LENGTH),
    IMMEDIATE_SOLICITED(9, RdmapOpcode.SENDS, ImmediateData.LENGTH),
    ATOMIC_REQUEST(10, RdmapOpcode.REQUESTS, AtomicRequest.LENGTH),
    ATOMIC_RESPONSE(11, RdmapOpcode.ATOMIC_RESPONSES, AtomicResponse.LENGTH);

    /** Sends and immediate data. */
    public static final int SENDS = 0;

    /** Read and atomic requests. */
    public static final int REQUESTS = 1;

    /** Terminate messages. */
    public static final int TERMINATES = 2;

    /** Answers to atomic requests. */
    public static final int ATOMIC_RESPONSES = 3;

    /** Number of queues. */
    public static final int QUEUES = 4;

    private static final int TAGGED = -1;

    private static final @Nullable RdmapOpcode[] BY_CODE = byCode();

    private final int code;
    private final int queue;
    private final int headerLength;

    RdmapOpcode(int code, int queue, int headerLength) {
        this.code = code;
        this.queue = queue;
        this.headerLength = headerLength;
    }

    private static @Nullable RdmapOpcode[] byCode() {
        var table = new @Nullable RdmapOpcode[16];
        for (RdmapOpcode opcode : values()) {
            table[opcode.code] = opcode;
        }
        return table;
    }

    /** The message of a code, 0 … 15; null if the code is reserved. */
    public static @Nullable RdmapOpcode of(int code) {
        return BY_CODE[code & 0xf];
    }

    public int code() {
        return code;
    }

    /** Whether its segments name the memory that they are for. */
    public boolean isTagged() {
        return queue == TAGGED;
    }

    /** Number of its queue; negative if it is tagged. */
    public int queue() {
        return queue;
    }

    /** Bytes of the header of RDMAP behind the header of DDP; of a terminate message those that are always there. */
    public int headerLength() {
        return headerLength;
    }

    /** Whether it fills a receive with its data. */
    public boolean isSend() {
        return this == SEND || this == SEND_SOLICITED || invalidates();
    }

    /** Whether it carries immediate data. */
    public boolean isImmediate() {
        return this == IMMEDIATE || this == IMMEDIATE_SOLICITED;
    }

    /** Whether it invalidates a key of the receiver. */
    public boolean invalidates() {
        return this == SEND_INVALIDATE || this == SEND_SOLICITED_INVALIDATE;
    }

    /** Whether the receiver's consumer is to be woken. */
    public boolean isSolicited() {
        return this == SEND_SOLICITED || this == SEND_SOLICITED_INVALIDATE || this == IMMEDIATE_SOLICITED;
    }
}
