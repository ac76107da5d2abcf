package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/** A block of the multicast forwarding table of a switch. Modifier: bits 8–0 the block, bits 31–28 the position, a group of 16 ports. */
public final class MulticastBlock {
    public static final int ATTRIBUTE = 0x001b;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;
    /** Multicast identifiers of a block. */
    public static final int ENTRIES = 32;
    /** Ports of a position. */
    public static final int PORTS = 16;
    /** The first multicast local identifier: entry 0 of block 0. */
    public static final int FIRST_LID = 0xc000;

    private MulticastBlock() {}

    /** The modifier for a block and a position. */
    public static int modifier(int block, int position) {
        return position << 28 | block;
    }

    /** The block of a modifier. */
    public static int block(int modifier) {
        return modifier & 0x1ff;
    }

    /** The position of a modifier. */
    public static int position(int modifier) {
        return modifier >>> 28;
    }

    /** The output ports of identifier {@code index} of the block: bit n is port 16 × position + n. */
    public static int ports(MemorySegment segment, long at, int index) {
        return BigEndian.readShort(segment, at + 2L * index);
    }

    /** Writes the output ports of identifier {@code index} of the block. */
    public static void ports(MemorySegment segment, long at, int index, int ports) {
        BigEndian.writeShort(segment, at + 2L * index, ports);
    }
}
