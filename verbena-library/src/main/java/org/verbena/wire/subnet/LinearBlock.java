package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/** A block of the linear forwarding table of a switch; the modifier is the block. */
public final class LinearBlock {
    public static final int ATTRIBUTE = 0x0019;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;
    /** Local identifiers of a block. */
    public static final int ENTRIES = 64;
    /** An entry whose packets are dropped. */
    public static final int NO_PORT = 0xff;

    private LinearBlock() {}

    /** The output port of local identifier {@code index} of the block. */
    public static int port(MemorySegment segment, long at, int index) {
        return BigEndian.readByte(segment, at + index);
    }

    /** Writes the output port of local identifier {@code index} of the block. */
    public static void port(MemorySegment segment, long at, int index, int port) {
        BigEndian.writeByte(segment, at + index, port);
    }
}
