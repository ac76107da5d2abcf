package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Stands before the consumer's private data in a frame of MPA when data at connect are exchanged: only Verbena knows it. Behind the reply the
 * responder sends its data, then the initiator sends its own, as plain bytes; the units follow.
 *
 * @param length bytes of the data, unsigned
 */
public record DataAnnouncement(int length) {
    /** Bytes on the wire. */
    public static final int LENGTH = 12;

    /** The longest data. */
    public static final int DATA_MAX_BYTES = 1 << 16;

    /** "Verbena", and version 1. */
    private static final long KEY = 0x5665_7262_656e_6101L;

    private static final int SIZE = 8;

    /** The announcement at the beginning of private data; null if there is none. */
    public static @Nullable DataAnnouncement read(PrivateData data) {
        if (data.length() < LENGTH) {
            return null;
        }
        MemorySegment bytes = MemorySegment.ofArray(data.bytes());
        return BigEndian.readLong(bytes, 0) == KEY ? new DataAnnouncement(BigEndian.readInt(bytes, SIZE)) : null;
    }

    /** The private data of the consumer behind an announcement, or all if there is none. */
    public static PrivateData strip(PrivateData data) {
        return read(data) == null ? data : data.from(LENGTH);
    }

    /** Private data with this announcement in front. */
    public PrivateData before(PrivateData data) {
        byte[] bytes = new byte[LENGTH];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        BigEndian.writeLong(segment, 0, KEY);
        BigEndian.writeInt(segment, SIZE, length);
        return data.after(PrivateData.of(bytes));
    }

    /** Whether the data may be as long. */
    public boolean fits() {
        return length >= 0 && length <= DATA_MAX_BYTES;
    }
}
