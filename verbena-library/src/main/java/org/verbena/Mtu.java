package org.verbena;

import org.jspecify.annotations.Nullable;

/** Path MTU: the largest payload of a packet, with the code that management uses for it. */
public enum Mtu {
    MTU_256(1, 256),
    MTU_512(2, 512),
    MTU_1024(3, 1024),
    MTU_2048(4, 2048),
    MTU_4096(5, 4096);

    private static final Mtu[] BY_SIZE = values();

    private final int code;
    private final int bytes;

    Mtu(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** The MTU with this code, or null if it is reserved. */
    public static @Nullable Mtu of(int code) {
        return code >= 1 && code <= BY_SIZE.length ? BY_SIZE[code - 1] : null;
    }

    /** The largest MTU of at most {@code bytes} of payload, or null if even the smallest is larger. */
    public static @Nullable Mtu atMost(int bytes) {
        Mtu largest = null;
        for (Mtu mtu : BY_SIZE) {
            if (mtu.bytes <= bytes) {
                largest = mtu;
            }
        }
        return largest;
    }

    /** The code on the wire. */
    public int code() {
        return code;
    }

    /** The largest payload. */
    public int bytes() {
        return bytes;
    }

    /** Packets of a message of this length: at least one, since an empty message is a packet too. */
    public int packets(long messageLength) {
        return messageLength == 0 ? 1 : (int) ((messageLength + bytes - 1) >>> (code + 7));
    }
}
