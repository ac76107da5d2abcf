package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Alternate path response (Table 116).
 *
 * @param status zero: the path was loaded
 */
public record Apr(
        int localId, int remoteId, int informationLength, int status, PrivateData information, PrivateData privateData)
        implements CmMessage {
    public static final int ATTRIBUTE = 0x1a;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 148;

    private static final int INFORMATION_MAX = 72;
    private static final int LENGTH_STATUS = 8;
    private static final int INFORMATION = 12;
    private static final int PRIVATE_DATA = INFORMATION + INFORMATION_MAX;

    /** Reads the message at {@code at}. */
    public static Apr read(MemorySegment segment, long at) {
        return new Apr(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                BigEndian.readByte(segment, at + LENGTH_STATUS),
                BigEndian.readByte(segment, at + LENGTH_STATUS + 1),
                PrivateData.read(segment, at + INFORMATION, INFORMATION_MAX),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        BigEndian.writeShort(segment, at + LENGTH_STATUS, informationLength << 8 | (status & 0xff));
        information.write(segment, at + INFORMATION, INFORMATION_MAX);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
