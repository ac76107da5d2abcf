package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * The virtual lane of each service level. Modifier at a switch: bits 15–8 the input port, bits 7–0 the output port, bit 16 all output ports, bit
 * 17 all input ports. A whole table fits in a {@code long}, level 0 in its highest four bits.
 */
public final class LaneMapping {
    public static final int ATTRIBUTE = 0x0017;
    /** Bytes of the attribute. */
    public static final int LENGTH = 8;
    /** The lane whose packets are dropped, for service levels that have none. */
    public static final int DROP = 15;
    /** In a modifier: the table is for all output ports. */
    public static final int ALL_OUTPUTS = 1 << 16;
    /** In a modifier: the table is for all input ports. */
    public static final int ALL_INPUTS = 1 << 17;

    private static final int LEVELS = 16;

    private LaneMapping() {}

    /** The modifier for one pair of ports. */
    public static int modifier(int input, int output) {
        return input << 8 | output;
    }

    /** The table at {@code at}. */
    public static long read(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at);
    }

    /** Writes the table. */
    public static void write(MemorySegment segment, long at, long table) {
        BigEndian.writeLong(segment, at, table);
    }

    /** The lane of a service level. */
    public static int lane(long table, int serviceLevel) {
        return (int) (table >>> (60 - 4 * serviceLevel)) & 0xf;
    }

    /** The table that spreads the service levels over this many lanes in turn. */
    public static long spread(int lanes) {
        long table = 0;
        for (int level = 0; level < LEVELS; level++) {
            table = table << 4 | level % lanes;
        }
        return table;
    }
}
