package org.verbena.wire.ib;

import org.jspecify.annotations.Nullable;

/** Transport services: the upper three bits of an opcode. */
public enum Service {
    /** Reliable connection. */
    RC(0),
    /** Unreliable connection. */
    UC(1),
    /** Reliable datagram. */
    RD(2),
    /** Unreliable datagram. */
    UD(3),
    /** Congestion notification (RoCEv2, annex A17): no service of a queue pair's. */
    CNP(4),
    /** Extended reliable connection. */
    XRC(5);

    private static final int SHIFT = 5;
    private static final @Nullable Service[] BY_CODE = new @Nullable Service[8];

    static {
        for (Service service : values()) {
            BY_CODE[service.code] = service;
        }
    }

    private final int code;

    Service(int code) {
        this.code = code;
    }

    /** The three bits. */
    public int code() {
        return code;
    }

    /** The service of an opcode's code, whether that opcode is assigned or not; null for reserved services. */
    public static @Nullable Service ofOpcode(int opcode) {
        return BY_CODE[(opcode >>> SHIFT) & 7];
    }
}
