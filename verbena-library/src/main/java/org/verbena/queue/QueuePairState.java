package org.verbena.queue;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** State of a queue pair, with the short names that RDMA people use, and the transitions a consumer may ask for. */
public enum QueuePairState {
    RESET("RESET"),
    INIT("INIT"),
    READY_TO_RECEIVE("RTR"),
    READY_TO_SEND("RTS"),
    SEND_QUEUE_DRAINED("SQD"),
    SEND_QUEUE_ERROR("SQE"),
    ERROR("ERR");

    private static final QueuePairState[] ALL = values();
    private static final Map<QueuePairState, Set<QueuePairState>> NEXT = transitions();
    private final String label;

    QueuePairState(String label) {
        this.label = label;
    }

    private static Map<QueuePairState, Set<QueuePairState>> transitions() {
        var next = new EnumMap<QueuePairState, Set<QueuePairState>>(QueuePairState.class);
        next.put(RESET, EnumSet.of(INIT));
        next.put(INIT, EnumSet.of(INIT, READY_TO_RECEIVE));
        next.put(READY_TO_RECEIVE, EnumSet.of(READY_TO_SEND));
        next.put(READY_TO_SEND, EnumSet.of(READY_TO_SEND, SEND_QUEUE_DRAINED));
        next.put(SEND_QUEUE_DRAINED, EnumSet.of(SEND_QUEUE_DRAINED, READY_TO_SEND));
        next.put(SEND_QUEUE_ERROR, EnumSet.of(READY_TO_SEND));
        next.put(ERROR, EnumSet.noneOf(QueuePairState.class));
        // From anywhere a consumer may give up (ERROR) or begin again (RESET).
        next.values().forEach(targets -> targets.addAll(EnumSet.of(RESET, ERROR)));
        return next;
    }

    /** The state that stands as {@code code} in shared memory. */
    public static QueuePairState of(int code) {
        return ALL[code];
    }

    /** Whether a consumer may ask for this transition. */
    public boolean mayBecome(QueuePairState target) {
        return NEXT.getOrDefault(this, Set.of()).contains(target);
    }

    /** RTS and its like, as RDMA tools print it. */
    public String label() {
        return label;
    }

    /** Receives may be posted. */
    public boolean takesReceives() {
        return this != RESET;
    }

    /** Sends may be posted (in the error states they come back flushed). */
    public boolean takesSends() {
        return this == READY_TO_SEND || this == SEND_QUEUE_DRAINED || this == SEND_QUEUE_ERROR || this == ERROR;
    }

    /** Requests from the wire are answered. */
    public boolean answers() {
        return this == READY_TO_RECEIVE
                || this == READY_TO_SEND
                || this == SEND_QUEUE_DRAINED
                || this == SEND_QUEUE_ERROR;
    }
}
