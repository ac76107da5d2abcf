package org.verbena.wire.iwarp;

import org.jspecify.annotations.Nullable;

/** The atomic operations (RFC 7306, 5.2.1). */
public enum AtomicKind {
    FETCH_ADD(0),
    SWAP(1),
    COMPARE_SWAP(2);

    private static final AtomicKind[] BY_CODE = values();

    private final int code;

    AtomicKind(int code) {
        this.code = code;
    }

    /** The operation of a code; null if the code is reserved. */
    public static @Nullable AtomicKind of(int code) {
        return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    }

    public int code() {
        return code;
    }
}
