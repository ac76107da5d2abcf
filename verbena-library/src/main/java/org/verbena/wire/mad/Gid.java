package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/** Global identifier of a port, 128 bits; with RoCEv2 its IP address, IPv4 in mapped form {@code ::ffff:a.b.c.d}. */
public record Gid(long high, long low) {
    /** Bytes on the wire. */
    public static final int LENGTH = 16;
    /** All zero. */
    public static final Gid NONE = new Gid(0, 0);

    /** Reads the identifier at {@code at}. */
    public static Gid read(MemorySegment segment, long at) {
        return new Gid(BigEndian.readLong(segment, at), BigEndian.readLong(segment, at + 8));
    }

    /** Writes the identifier at {@code at}. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeLong(segment, at, high);
        BigEndian.writeLong(segment, at + 8, low);
    }
}
