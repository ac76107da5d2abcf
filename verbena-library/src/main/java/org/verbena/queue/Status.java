package org.verbena.queue;

/** Outcome of a work request, under the names of verbs. The ordinal stands in the rings: append only. */
public enum Status {
    SUCCESS("success"),
    LOCAL_LENGTH_ERROR("local length error: a message is longer than what it has to fit"),
    LOCAL_QUEUE_PAIR_OPERATION_ERROR("local queue pair operation error: the request is not consistent"),
    LOCAL_PROTECTION_ERROR("local protection error: a local segment is not covered by its key"),
    FLUSHED("flushed: the queue pair was in error before the request was done"),
    MEMORY_WINDOW_BIND_ERROR("memory window bind error"),
    REMOTE_INVALID_REQUEST("remote invalid request error: the responder can't take the request"),
    REMOTE_ACCESS_ERROR("remote access error: the responder's memory is not covered by the key"),
    REMOTE_OPERATIONAL_ERROR("remote operational error: the responder failed"),
    RETRY_EXCEEDED("transport retry counter exceeded: the peer does not answer"),
    RNR_RETRY_EXCEEDED("RNR retry counter exceeded: the peer posted no receive");

    private static final Status[] ALL = values();
    private final String text;

    Status(String text) {
        this.text = text;
    }

    /** The status that stands as {@code code} in a ring. */
    public static Status of(int code) {
        return ALL[code];
    }

    public boolean success() {
        return this == SUCCESS;
    }

    /** A sentence for people. */
    public String text() {
        return text;
    }
}
