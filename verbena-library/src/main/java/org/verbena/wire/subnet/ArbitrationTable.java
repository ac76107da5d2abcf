package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/** A block of a table of lane arbitration. Modifier: high 16 bits 1 and 2 the low table, 3 and 4 the high table; low 16 bits the port of a switch. */
public final class ArbitrationTable {
    public static final int ATTRIBUTE = 0x0018;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;
    /** Entries of a block. */
    public static final int ENTRIES = 32;
    /** Block number of the low table's first half. */
    public static final int LOW = 1;
    /** Block number of the high table's first half. */
    public static final int HIGH = 3;

    private ArbitrationTable() {}

    /** The modifier for a block of a port. */
    public static int modifier(int block, int port) {
        return block << 16 | port;
    }

    /** The lane of entry {@code index}. */
    public static int lane(MemorySegment segment, long at, int index) {
        return BigEndian.readByte(segment, at + 2L * index) & 0xf;
    }

    /** The weight of entry {@code index} in units of 64 bytes; 0: the entry is skipped. */
    public static int weight(MemorySegment segment, long at, int index) {
        return BigEndian.readByte(segment, at + 2L * index + 1);
    }

    /** Writes entry {@code index}. */
    public static void entry(MemorySegment segment, long at, int index, int lane, int weight) {
        BigEndian.writeByte(segment, at + 2L * index, lane & 0xf);
        BigEndian.writeByte(segment, at + 2L * index + 1, weight);
    }
}
