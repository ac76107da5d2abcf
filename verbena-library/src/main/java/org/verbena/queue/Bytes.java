package org.verbena.queue;

import java.nio.ByteOrder;

/** Several bytes written as one word, in the order of their addresses whatever the machine's byte order. */
final class Bytes {
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Bytes() {}

    /** The int that has these four bytes at its addresses, the first one lowest. */
    static int pack(int first, int second, int third, int fourth) {
        int little = (first & 0xff) | (second & 0xff) << 8 | (third & 0xff) << 16 | fourth << 24;
        return LITTLE ? little : Integer.reverseBytes(little);
    }
}
