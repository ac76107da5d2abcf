package org.verbena;

import java.util.Arrays;

/** Operation of a work request or of a completion. Its number stands in the rings. */
public enum Operation {
    /** Send: into a receive of the peer. */
    SEND(0),
    /** Send with 32 bits for the peer's completion. */
    SEND_WITH_IMMEDIATE(1),
    /** Send that invalidates a key of the peer. */
    SEND_WITH_INVALIDATE(2),
    /** Write into the peer's memory. */
    WRITE(3),
    /** Write that completes a receive of the peer, with 32 bits. */
    WRITE_WITH_IMMEDIATE(4),
    /** Read from the peer's memory. */
    READ(5),
    /** Atomic addition to 8 bytes of the peer's memory. */
    FETCH_ADD(6),
    /** Atomic replacement of 8 bytes of the peer's memory. */
    COMPARE_SWAP(7),
    /** Binding of a window. */
    BIND_WINDOW(8),
    /** Invalidation of an own key. */
    LOCAL_INVALIDATE(9),
    /** Registration of memory under a reserved key. */
    REGISTER(10),
    /** A receive that took a send. */
    RECEIVE(11),
    /** A receive that a write with immediate data consumed: the data went to the memory that the writer named. */
    RECEIVE_WRITE_WITH_IMMEDIATE(12),
    /** No operation: a number in a ring that stands for none is read as this. */
    UNKNOWN(13),
    /** A write of 8 bytes of the peer's memory that no reader sees half done. */
    ATOMIC_WRITE(14);

    private static final Operation[] BY_CODE = byCode();
    private final int code;

    Operation(int code) {
        this.code = code;
    }

    private static Operation[] byCode() {
        Operation[] table = new Operation[1 << Byte.SIZE];
        Arrays.fill(table, UNKNOWN);
        for (Operation operation : values()) {
            table[operation.code] = operation;
        }
        return table;
    }

    /** The number that stands for it in the rings. */
    public int code() {
        return code;
    }

    /** The operation that stands as {@code code}, a byte, in a ring; {@link #UNKNOWN} where none does. */
    public static Operation of(int code) {
        return BY_CODE[code & 0xff];
    }

    /** Whether it needs an answer of its own, which no later answer replaces; such a request counts as an outstanding read. */
    public boolean awaitsAnswer() {
        return returnsData() || this == ATOMIC_WRITE;
    }

    /** Whether it is answered with data: read, fetch-and-add, compare-and-swap. */
    public boolean returnsData() {
        return this == READ || this == FETCH_ADD || this == COMPARE_SWAP;
    }

    /** Whether it is done at the adapter itself and sends nothing. */
    public boolean isLocal() {
        return this == BIND_WINDOW || this == LOCAL_INVALIDATE || this == REGISTER;
    }

    /** Whether it is a send of any kind. */
    public boolean isSend() {
        return this == SEND || this == SEND_WITH_IMMEDIATE || this == SEND_WITH_INVALIDATE;
    }

    /** Whether it takes a receive at the other end. */
    public boolean consumesReceive() {
        return isSend() || this == WRITE_WITH_IMMEDIATE;
    }

    /** Whether it is the operation of a receive's completion. */
    public boolean isReceive() {
        return this == RECEIVE || this == RECEIVE_WRITE_WITH_IMMEDIATE;
    }
}
