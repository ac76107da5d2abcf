package org.verbena;

import org.jspecify.annotations.Nullable;

/** Reasons of a REJ message (Table 109). */
public enum RejectReason {
    NO_QUEUE_PAIR(1, "no queue pair available"),
    NO_END_TO_END_CONTEXT(2, "no end-to-end context available"),
    NO_RESOURCES(3, "no resources available"),
    TIMEOUT(4, "timeout"),
    UNSUPPORTED(5, "unsupported request"),
    INVALID_COMMUNICATION_ID(6, "invalid communication id"),
    INVALID_COMMUNICATION_INSTANCE(7, "invalid communication instance"),
    INVALID_SERVICE_ID(8, "no listener there"),
    INVALID_TRANSPORT(9, "invalid transport service type"),
    STALE_CONNECTION(10, "stale connection"),
    NO_RELIABLE_DATAGRAM_CHANNEL(11, "reliable datagram channel does not exist"),
    PRIMARY_GID(12, "primary remote port GID rejected"),
    PRIMARY_LID(13, "primary remote port LID rejected"),
    PRIMARY_SERVICE_LEVEL(14, "invalid primary service level"),
    PRIMARY_TRAFFIC_CLASS(15, "invalid primary traffic class"),
    PRIMARY_HOP_LIMIT(16, "invalid primary hop limit"),
    PRIMARY_PACKET_RATE(17, "invalid primary packet rate"),
    ALTERNATE_GID(18, "alternate remote port GID rejected"),
    ALTERNATE_LID(19, "alternate remote port LID rejected"),
    ALTERNATE_SERVICE_LEVEL(20, "invalid alternate service level"),
    ALTERNATE_TRAFFIC_CLASS(21, "invalid alternate traffic class"),
    ALTERNATE_HOP_LIMIT(22, "invalid alternate hop limit"),
    ALTERNATE_PACKET_RATE(23, "invalid alternate packet rate"),
    REDIRECT_MANAGER(24, "port and communication manager redirection"),
    REDIRECT_PORT(25, "port redirection"),
    INVALID_MTU(26, "invalid path MTU"),
    INSUFFICIENT_RESPONDER_RESOURCES(27, "insufficient responder resources"),
    CONSUMER(28, "refused by the consumer"),
    INVALID_RNR_RETRIES(29, "RNR retry count rejected"),
    DUPLICATE_COMMUNICATION_ID(30, "duplicate local communication id"),
    INVALID_CLASS_VERSION(31, "invalid class version"),
    INVALID_FLOW_LABEL(32, "invalid primary flow label"),
    INVALID_ALTERNATE_FLOW_LABEL(33, "invalid alternate flow label");

    private static final RejectReason[] BY_CODE = values();

    private final int code;
    private final String text;

    RejectReason(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The reason with this code, or null if there is none. */
    public static @Nullable RejectReason of(int code) {
        return code >= 1 && code <= BY_CODE.length ? BY_CODE[code - 1] : null;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /** A phrase for people. */
    public String text() {
        return text;
    }
}
