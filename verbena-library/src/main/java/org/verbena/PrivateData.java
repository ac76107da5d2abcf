package org.verbena;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * Bytes that one consumer hands to the other at connect, of no meaning in between. A message of the communication manager does not say
 * how many were written: received private data have the whole length of their field, with zeros at the end. Data at connect have their
 * exact length. Immutable.
 */
public final class PrivateData {
    /** Bytes that are printed at most. */
    private static final int PRINTED_MAX = 256;
    /** None. */
    public static final PrivateData NONE = new PrivateData(new byte[0]);

    private final byte[] bytes;

    private PrivateData(byte[] bytes) {
        this.bytes = bytes;
    }

    /** These bytes, copied. */
    public static PrivateData of(byte... bytes) {
        return bytes.length == 0 ? NONE : new PrivateData(bytes.clone());
    }

    /** The {@code length} bytes at {@code at}. */
    public static PrivateData read(MemorySegment segment, long at, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new PrivateData(bytes);
    }

    /** Writes them at {@code at} into a field of {@code room} bytes: shorter data are filled up with zeros, longer ones cut. */
    public void write(MemorySegment segment, long at, int room) {
        int length = Math.min(room, bytes.length);
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, at, length);
        segment.asSlice(at + length, (long) room - length).fill((byte) 0);
    }

    public int length() {
        return bytes.length;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** One byte, 0 … 255. */
    public int at(int index) {
        return bytes[index] & 0xff;
    }

    /** All from {@code start} on. */
    public PrivateData from(int start) {
        return start >= bytes.length ? NONE : new PrivateData(Arrays.copyOfRange(bytes, start, bytes.length));
    }

    /**
     * Those from {@code start} on, without that at {@code end}.
     *
     * @throws IndexOutOfBoundsException if there are not so many
     */
    public PrivateData range(int start, int end) {
        Objects.checkFromToIndex(start, end, bytes.length);
        return start == end ? NONE : new PrivateData(Arrays.copyOfRange(bytes, start, end));
    }

    /** Copies the bytes to {@code at} of an array; as many as the array has room for. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(bytes, 0, target, at, Math.min(bytes.length, target.length - at));
    }

    /** These bytes with others in front. */
    public PrivateData after(PrivateData first) {
        byte[] both = Arrays.copyOf(first.bytes, first.bytes.length + bytes.length);
        System.arraycopy(bytes, 0, both, first.bytes.length, bytes.length);
        return new PrivateData(both);
    }

    /** These bytes without the zeros at their end. */
    public PrivateData trimmed() {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length == bytes.length ? this : new PrivateData(Arrays.copyOf(bytes, length));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PrivateData data && Arrays.equals(bytes, data.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        if (bytes.length == 0) {
            return "none";
        }
        return bytes.length <= PRINTED_MAX
                ? HexFormat.of().formatHex(bytes)
                : HexFormat.of().formatHex(bytes, 0, PRINTED_MAX) + "… (" + bytes.length + " bytes)";
    }
}
