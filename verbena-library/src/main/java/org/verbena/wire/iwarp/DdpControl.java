package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * The first two bytes of every DDP segment: the control field of DDP (RFC 5041, 4.1) and that of RDMAP (RFC 5040, 4.1), which stands in
 * the byte that DDP reserves for the protocol above.
 *
 * @param tagged whether a {@link TaggedHeader} begins here; else it is an {@link UntaggedHeader}
 * @param last whether the segment is the last of its message
 * @param ddpVersion 2 bits; {@link #DDP_VERSION} is the only one
 * @param rdmapVersion 2 bits; {@link #RDMAP_VERSION} is the only one
 * @param opcode code of the {@link RdmapOpcode}; any 4 bits
 */
public record DdpControl(boolean tagged, boolean last, int ddpVersion, int rdmapVersion, int opcode) {
    /** Bytes on the wire. */
    public static final int LENGTH = 2;

    public static final int DDP_VERSION = 1;
    public static final int RDMAP_VERSION = 1;

    private static final int TAGGED = 0x8000;
    private static final int LAST = 0x4000;
    private static final int DDP_VERSION_SHIFT = 8;
    private static final int RDMAP_VERSION_SHIFT = 6;
    private static final int VERSION_MASK = 3;
    private static final int OPCODE_MASK = 0xf;

    /** The control field of a segment of this message. */
    public static DdpControl of(RdmapOpcode opcode, boolean last) {
        return new DdpControl(opcode.isTagged(), last, DDP_VERSION, RDMAP_VERSION, opcode.code());
    }

    /** Reads the field at {@code at}. */
    public static DdpControl read(MemorySegment segment, long at) {
        return new DdpControl(
                isTagged(segment, at),
                isLast(segment, at),
                ddpVersion(segment, at),
                rdmapVersion(segment, at),
                opcode(segment, at));
    }

    /** Writes the field at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, word(tagged, last, ddpVersion, rdmapVersion, opcode));
    }

    /** Writes the field of a segment at {@code at}, without an object. */
    public static void write(MemorySegment segment, long at, RdmapOpcode opcode, boolean last) {
        BigEndian.writeShort(segment, at, word(opcode.isTagged(), last, DDP_VERSION, RDMAP_VERSION, opcode.code()));
    }

    private static int word(boolean tagged, boolean last, int ddpVersion, int rdmapVersion, int opcode) {
        return (tagged ? TAGGED : 0)
                | (last ? LAST : 0)
                | (ddpVersion & VERSION_MASK) << DDP_VERSION_SHIFT
                | (rdmapVersion & VERSION_MASK) << RDMAP_VERSION_SHIFT
                | (opcode & OPCODE_MASK);
    }

    public static boolean isTagged(MemorySegment segment, long at) {
        return (BigEndian.readShort(segment, at) & TAGGED) != 0;
    }

    /** Whether the segment is the last of its message. */
    public static boolean isLast(MemorySegment segment, long at) {
        return (BigEndian.readShort(segment, at) & LAST) != 0;
    }

    /** Version of DDP, 0 … 3. */
    public static int ddpVersion(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at) >>> DDP_VERSION_SHIFT & VERSION_MASK;
    }

    /** Version of RDMAP, 0 … 3. */
    public static int rdmapVersion(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at) >>> RDMAP_VERSION_SHIFT & VERSION_MASK;
    }

    /** The opcode's code, 0 … 15. */
    public static int opcode(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at) & OPCODE_MASK;
    }
}
