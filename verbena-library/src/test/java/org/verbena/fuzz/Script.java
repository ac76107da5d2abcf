package org.verbena.fuzz;

/** Numbers taken from an input, one after the other; zeros when it is used up. */
final class Script {
    private final byte[] input;
    private int at;

    Script(byte[] input) {
        this.input = input;
    }

    boolean hasMore() {
        return at < input.length;
    }

    /** 0 … 255. */
    int unsignedByte() {
        return at < input.length ? input[at++] & 0xff : 0;
    }

    /** −128 … 127. */
    int signedByte() {
        return (byte) unsignedByte();
    }

    /** 0 … 65,535. */
    int unsignedShort() {
        return unsignedByte() << 8 | unsignedByte();
    }

    int anyInt() {
        return unsignedShort() << 16 | unsignedShort();
    }

    long anyLong() {
        return (long) anyInt() << 32 | Integer.toUnsignedLong(anyInt());
    }

    /** A number below {@code bound}, from one byte. */
    int below(int bound) {
        return unsignedByte() % bound;
    }

    /** At most {@code lengthMax} bytes, of which the first byte tells how many there are. */
    byte[] bytes(int lengthMax) {
        byte[] taken = new byte[Math.min(lengthMax, Math.min(unsignedByte(), input.length - at))];
        System.arraycopy(input, at, taken, 0, taken.length);
        at += taken.length;
        return taken;
    }
}
