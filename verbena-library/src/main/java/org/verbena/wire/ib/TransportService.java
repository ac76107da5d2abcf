package org.verbena.wire.ib;

import org.jspecify.annotations.Nullable;

/** Transport services: the upper three bits of an opcode. */
public enum TransportService {
    /** Reliable connection. */
    RC(0),
    /** Unreliable connection. */
    UC(1),
    /** Reliable datagram. */
    RD(2),
    /** Unreliable datagram. */
    UD(3),
    /** Congestion notification (RoCEv2, annex A17): not a service of queue pairs. */
    CNP(4),
    /** Extended reliable connection. */
    XRC(5);

    private static final int SHIFT = 5;
    private static final @Nullable TransportService[] BY_CODE = new @Nullable TransportService[8];

    static {
        for (TransportService service : values()) {
            BY_CODE[service.code] = service;
        }
    }

    private final int code;

    TransportService(int code) {
        this.code = code;
    }

    /** The three bits. */
    public int code() {
        return code;
    }

    /** The service of an opcode's code, whether that opcode is assigned or not; null for reserved services. */
    public static @Nullable TransportService ofOpcode(int opcode) {
        return BY_CODE[(opcode >>> SHIFT) & 7];
    }
}
