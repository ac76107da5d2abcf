package org.verbena;

/** Outcome of a work request, under the names of verbs. Its number stands in the rings. */
public enum Status {
    /** Done. */
    SUCCESS(0, "success"),
    /** A message is longer than the memory that it goes into, or than a message may be. */
    LOCAL_LENGTH_ERROR(1, "local length error: a message is longer than what it has to fit"),
    /** The request contradicts itself or the queue pair. */
    LOCAL_QUEUE_PAIR_OPERATION_ERROR(2, "local queue pair operation error: the request is not consistent"),
    /** A local segment was refused; the completion's detail says why. */
    LOCAL_PROTECTION_ERROR(3, "local protection error: a local segment is not covered by its key"),
    /** Not done: the queue pair was in error. */
    FLUSHED(4, "flushed: the queue pair was in error before the request was done"),
    /** A window could not be bound; the completion's detail says why. */
    MEMORY_WINDOW_BIND_ERROR(5, "memory window bind error"),
    /** The responder refused the request. */
    REMOTE_INVALID_REQUEST(6, "remote invalid request error: the responder can't take the request"),
    /** The responder refused access to its memory. */
    REMOTE_ACCESS_ERROR(7, "remote access error: the responder's memory is not covered by the key"),
    /** The responder failed. */
    REMOTE_OPERATIONAL_ERROR(8, "remote operational error: the responder failed"),
    /** The peer did not answer in all retries. */
    RETRY_EXCEEDED(9, "transport retry counter exceeded: the peer does not answer"),
    /** The peer had no receive in all retries. */
    RNR_RETRY_EXCEEDED(10, "RNR retry counter exceeded: the peer posted no receive");

    private static final Status[] BY_CODE = byCode();
    private final int code;
    private final String text;

    Status(int code, String text) {
        this.code = code;
        this.text = text;
    }

    private static Status[] byCode() {
        Status[] table = new Status[values().length];
        for (Status status : values()) {
            table[status.code] = status;
        }
        return table;
    }

    /** The number that stands for it in a completion ring. */
    public int code() {
        return code;
    }

    /**
     * The status that stands as {@code code} in a completion ring.
     *
     * @throws IllegalArgumentException if there is none: the ring's memory was overwritten
     */
    public static Status of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("a completion ring holds status " + code + ", which stands for none");
        }
        return BY_CODE[code];
    }

    /** Whether the request was done. */
    public boolean success() {
        return this == SUCCESS;
    }

    /** A sentence for people. */
    public String text() {
        return text;
    }
}
