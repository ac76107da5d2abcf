package org.verbena.wire.subnet;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/** A block of the GUIDs of a port; the modifier is the block. */
public final class GuidInfo {
    public static final int ATTRIBUTE = 0x0014;
    /** Bytes of the attribute. */
    public static final int LENGTH = 64;
    /** GUIDs of a block. */
    public static final int ENTRIES = 8;

    private GuidInfo() {}

    /** GUID {@code index} of the block. */
    public static long guid(MemorySegment segment, long at, int index) {
        return BigEndian.readLong(segment, at + 8L * index);
    }

    /** Writes GUID {@code index} of the block. */
    public static void guid(MemorySegment segment, long at, int index, long guid) {
        BigEndian.writeLong(segment, at + 8L * index, guid);
    }
}
