package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/** A block of the partition keys of a port. Modifier: low 16 bits the block, high 16 bits the port of a switch. */
public final class PartitionTable {
    public static final int ATTRIBUTE = 0x0016;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;
    /** Keys of a block. */
    public static final int ENTRIES = 32;

    private PartitionTable() {}

    /** The modifier for a block of a port. */
    public static int modifier(int port, int block) {
        return port << 16 | block;
    }

    /** Key {@code index} of the block; 0: no key. */
    public static int key(MemorySegment segment, long at, int index) {
        return BigEndian.readShort(segment, at + 2L * index);
    }

    /** Writes key {@code index} of the block. */
    public static void key(MemorySegment segment, long at, int index, int pkey) {
        BigEndian.writeShort(segment, at + 2L * index, pkey);
    }
}
