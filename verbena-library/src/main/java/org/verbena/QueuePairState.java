package org.verbena;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * State of a queue pair, with the short names of RDMA tools, and the transitions a consumer may ask for. Its number stands in
 * the header of a send ring.
 */
public enum QueuePairState {
    /** Nothing can be posted, and packets are dropped. */
    RESET(0, "RESET"),
    /** Receives can be posted; packets are dropped. */
    INIT(1, "INIT"),
    /** Requests of the peer are answered. */
    READY_TO_RECEIVE(2, "RTR"),
    /** Sends can be posted and are done. */
    READY_TO_SEND(3, "RTS"),
    /** Requests that have begun are finished; no other begins. */
    SEND_QUEUE_DRAINED(4, "SQD"),
    /** A request failed: sends come back flushed, receives go on. */
    SEND_QUEUE_ERROR(5, "SQE"),
    /** Everything posted comes back flushed. */
    ERROR(6, "ERR");

    private static final QueuePairState[] BY_CODE = byCode();
    private static final Map<QueuePairState, Set<QueuePairState>> NEXT = transitions();
    private final int code;
    private final String label;

    QueuePairState(int code, String label) {
        this.code = code;
        this.label = label;
    }

    private static QueuePairState[] byCode() {
        QueuePairState[] table = new QueuePairState[values().length];
        for (QueuePairState state : values()) {
            table[state.code] = state;
        }
        return table;
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

    /** The number that stands for it in the header of a send ring. */
    public int code() {
        return code;
    }

    /**
     * The state that stands as {@code code} in the header of a send ring.
     *
     * @throws IllegalArgumentException if there is none: the ring's memory was overwritten
     */
    public static QueuePairState of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("a send ring holds state " + code + ", which stands for none");
        }
        return BY_CODE[code];
    }

    /** Whether a consumer may ask for this transition. */
    public boolean mayBecome(QueuePairState target) {
        return NEXT.getOrDefault(this, Set.of()).contains(target);
    }

    /** Its short name, such as RTS, as RDMA tools print it. */
    public String label() {
        return label;
    }

    /** Whether receives may be posted. */
    public boolean takesReceives() {
        return this != RESET;
    }

    /** Whether sends may be posted; in the error states they come back flushed. */
    public boolean takesSends() {
        return this == READY_TO_SEND || this == SEND_QUEUE_DRAINED || this == SEND_QUEUE_ERROR || this == ERROR;
    }

    /** Whether requests of the peer are answered. */
    public boolean answers() {
        return this == READY_TO_RECEIVE
                || this == READY_TO_SEND
                || this == SEND_QUEUE_DRAINED
                || this == SEND_QUEUE_ERROR;
    }
}
