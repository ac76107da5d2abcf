package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/** Ready to use (Table 111): the reply has reached the sender, and the receiver may send packets to it. */
public record Rtu(int localId, int remoteId, PrivateData privateData) implements CmMessage {
    public static final int ATTRIBUTE = 0x14;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 224;

    private static final int PRIVATE_DATA = 8;

    /** Reads the message at {@code at}. */
    public static Rtu read(MemorySegment segment, long at) {
        return new Rtu(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
