package org.verbena;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/**
 * A global identifier: the 128 bits by which a port is known. With RoCEv2 it is the port's IP address, IPv4 in its mapped
 * form {@code ::ffff:a.b.c.d}.
 *
 * @param high first 64 bits
 * @param low last 64 bits
 */
public record Gid(long high, long low) {
    /** Bytes on the wire. */
    public static final int LENGTH = 16;
    /** All zero. */
    public static final Gid NONE = new Gid(0, 0);

    private static final long MAPPED = 0xffffL << 32;
    private static final ValueLayout.OfLong HALF = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    /** Of a port with this address. */
    public static Gid of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.capacity() == LENGTH
                ? new Gid(bytes.getLong(), bytes.getLong())
                : new Gid(0, MAPPED | Integer.toUnsignedLong(bytes.getInt()));
    }

    /** Reads the identifier at {@code at}. */
    public static Gid read(MemorySegment segment, long at) {
        return new Gid(segment.get(HALF, at), segment.get(HALF, at + 8));
    }

    /** Writes the identifier at {@code at}. */
    public void write(MemorySegment segment, long at) {
        segment.set(HALF, at, high);
        segment.set(HALF, at + 8, low);
    }

    /** Its IP address; a mapped one is IPv4's. */
    public InetAddress address() {
        try {
            return InetAddress.getByAddress(bytes());
        } catch (UnknownHostException e) {
            throw new AssertionError("16 bytes are an address", e);
        }
    }

    private byte[] bytes() {
        return ByteBuffer.allocate(LENGTH).putLong(high).putLong(low).array();
    }

    /** As RDMA tools print it: eight groups of four digits. */
    @Override
    public String toString() {
        byte[] bytes = bytes();
        StringBuilder text = new StringBuilder(39);
        for (int at = 0; at < bytes.length; at += 2) {
            text.append(at == 0 ? "" : ":").append(HexFormat.of().formatHex(bytes, at, at + 2));
        }
        return text.toString();
    }
}
