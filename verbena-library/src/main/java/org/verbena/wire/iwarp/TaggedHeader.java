package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Header of a segment that names the memory it is for (RFC 5041, 4.2): a write or a read response. The data follow.
 *
 * @param stag key that grants the access
 * @param offset of the segment's first byte in the memory of the key: an address, or a distance from its begin, as the owner of the key
 *     has it
 */
public record TaggedHeader(DdpControl control, int stag, long offset) {
    /** Bytes on the wire. */
    public static final int LENGTH = 14;

    private static final int STAG = DdpControl.LENGTH;
    private static final int OFFSET = 6;

    /** Reads the header at {@code at}. */
    public static TaggedHeader read(MemorySegment segment, long at) {
        return new TaggedHeader(DdpControl.read(segment, at), stag(segment, at), offset(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        control.write(segment, at);
        BigEndian.writeInt(segment, at + STAG, stag);
        BigEndian.writeLong(segment, at + OFFSET, offset);
    }

    /** Writes a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, RdmapOpcode opcode, boolean last, int stag, long offset) {
        DdpControl.write(segment, at, opcode, last);
        BigEndian.writeInt(segment, at + STAG, stag);
        BigEndian.writeLong(segment, at + OFFSET, offset);
    }

    /** The key that grants the access. */
    public static int stag(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + STAG);
    }

    /** Where the first byte of the segment belongs. */
    public static long offset(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + OFFSET);
    }
}
