package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Message receipt acknowledgement (Table 107): the answer will take longer.
 *
 * @param answered one of {@link Answered}
 * @param serviceTimeout code of the time the answer may take, 5 bits
 */
public record Mra(int localId, int remoteId, int answered, int serviceTimeout, PrivateData privateData)
        implements CmMessage {
    public static final int ATTRIBUTE = 0x11;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 222;

    private static final int ANSWERED = 8;
    private static final int PRIVATE_DATA = 10;

    /** Reads the message at {@code at}. */
    public static Mra read(MemorySegment segment, long at) {
        int word = BigEndian.readShort(segment, at + ANSWERED);
        return new Mra(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                word >>> 14,
                word >>> 3 & 0x1f,
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        BigEndian.writeShort(segment, at + ANSWERED, answered << 14 | (serviceTimeout & 0x1f) << 3);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
