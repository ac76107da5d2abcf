package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * RDMA extended transport header: which remote memory a write, read, flush or atomic write is about (specification
 * 9.3.3).
 *
 * @param address in the remote memory
 * @param key that grants the access
 * @param length of the whole message in bytes, unsigned
 */
public record Reth(long address, int key, int length) {
    /** Bytes on the wire. */
    public static final int LENGTH = 16;

    private static final int KEY = 8;
    private static final int BYTES = 12;

    /** Reads the header at {@code at}. */
    public static Reth read(MemorySegment segment, long at) {
        return new Reth(address(segment, at), key(segment, at), length(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, address, key, length);
    }

    /** Writes a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, long address, int key, int length) {
        BigEndian.writeLong(segment, at, address);
        BigEndian.writeInt(segment, at + KEY, key);
        BigEndian.writeInt(segment, at + BYTES, length);
    }

    /** The remote address. */
    public static long address(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at);
    }

    /** The key that grants the access. */
    public static int key(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + KEY);
    }

    /** Length of the message in bytes, unsigned. */
    public static int length(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + BYTES);
    }
}
