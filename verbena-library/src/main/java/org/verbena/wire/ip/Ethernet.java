package org.verbena.wire.ip;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Ethernet II header without VLAN tag.
 *
 * @param target address, 48 bits
 * @param source address, 48 bits
 * @param type of the payload: {@link #IPV4} or {@link #IPV6}, or any other
 */
public record Ethernet(long target, long source, int type) {
    /** Bytes on the wire. */
    public static final int LENGTH = 14;

    /** An {@link Ipv4} header follows. */
    public static final int IPV4 = 0x0800;
    /** An {@link Ipv6} header follows. */
    public static final int IPV6 = 0x86dd;

    /** The type that IEEE has reserved for experiments on local networks. */
    public static final int EXPERIMENT = 0x88b5;

    private static final int SOURCE = 6;
    private static final int TYPE = 12;

    /** Reads the header at {@code at}. */
    public static Ethernet read(MemorySegment segment, long at) {
        return new Ethernet(address(segment, at), address(segment, at + SOURCE), type(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        writeAddress(segment, at, target);
        writeAddress(segment, at + SOURCE, source);
        BigEndian.writeShort(segment, at + TYPE, type);
    }

    /** Type of the payload. */
    public static int type(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + TYPE);
    }

    private static long address(MemorySegment segment, long at) {
        return (long) BigEndian.readShort(segment, at) << 32 | (BigEndian.readInt(segment, at + 2) & 0xffff_ffffL);
    }

    private static void writeAddress(MemorySegment segment, long at, long address) {
        BigEndian.writeShort(segment, at, (int) (address >>> 32));
        BigEndian.writeInt(segment, at + 2, (int) address);
    }
}
