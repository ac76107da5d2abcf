package org.verbena.queue;

/** What a work request asks for, and what a completion tells of. The ordinal stands in the rings: append only. */
public enum Operation {
    SEND,
    SEND_WITH_IMMEDIATE,
    SEND_WITH_INVALIDATE,
    WRITE,
    WRITE_WITH_IMMEDIATE,
    READ,
    FETCH_ADD,
    COMPARE_SWAP,
    BIND_WINDOW,
    LOCAL_INVALIDATE,
    REGISTER,
    /** A receive that took a send. */
    RECEIVE,
    /** A receive consumed by a write with immediate: the data went where the writer said. */
    RECEIVE_WRITE_WITH_IMMEDIATE,
    /** No operation: what a code that stands for none is read as. */
    UNKNOWN,
    /** Eight bytes written at once. */
    ATOMIC_WRITE;

    private static final Operation[] ALL = values();

    /** The operation that stands as {@code code} in a ring; {@link #UNKNOWN} where none does. */
    public static Operation of(int code) {
        return code >= 0 && code < ALL.length ? ALL[code] : UNKNOWN;
    }

    /** Needs an answer of its own, which no later one replaces; counted against the outstanding-read limit. */
    public boolean awaitsAnswer() {
        return returnsData() || this == ATOMIC_WRITE;
    }

    /** Read, fetch-and-add or compare-and-swap: answered with data. */
    public boolean returnsData() {
        return this == READ || this == FETCH_ADD || this == COMPARE_SWAP;
    }

    /** Done at the adapter itself, nothing goes on the wire. */
    public boolean isLocal() {
        return this == BIND_WINDOW || this == LOCAL_INVALIDATE || this == REGISTER;
    }

    /** Send of any kind. */
    public boolean isSend() {
        return this == SEND || this == SEND_WITH_IMMEDIATE || this == SEND_WITH_INVALIDATE;
    }

    /** Takes a receive work request at the other end. */
    public boolean consumesReceive() {
        return isSend() || this == WRITE_WITH_IMMEDIATE;
    }

    /** Belongs to the receive side of a queue pair. */
    public boolean isReceive() {
        return this == RECEIVE || this == RECEIVE_WRITE_WITH_IMMEDIATE;
    }
}
