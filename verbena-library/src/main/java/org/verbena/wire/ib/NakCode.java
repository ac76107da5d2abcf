package org.verbena.wire.ib;

import org.jspecify.annotations.Nullable;

/** Why a responder refuses a request (specification, table 47). */
public enum NakCode {
    PSN_SEQUENCE_ERROR(0),
    INVALID_REQUEST(1),
    REMOTE_ACCESS_ERROR(2),
    REMOTE_OPERATIONAL_ERROR(3),
    INVALID_RD_REQUEST(4);

    private static final @Nullable NakCode[] BY_CODE = new @Nullable NakCode[32];

    static {
        for (NakCode nak : values()) {
            BY_CODE[nak.code] = nak;
        }
    }

    private final int code;

    NakCode(int code) {
        this.code = code;
    }

    /** The low five bits of the syndrome. */
    public int code() {
        return code;
    }

    /** The reason with this code (its low five bits), or null if it is reserved. */
    public static @Nullable NakCode of(int code) {
        return BY_CODE[code & 0x1f];
    }
}
