package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Request for disconnection (Table 112).
 *
 * @param remoteQueuePair the receiver's, 24 bits
 */
public record Dreq(int localId, int remoteId, int remoteQueuePair, PrivateData privateData) implements CmMessage {
    public static final int ATTRIBUTE = 0x15;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 220;

    private static final int QUEUE_PAIR = 8;
    private static final int PRIVATE_DATA = 12;

    /** Reads the message at {@code at}. */
    public static Dreq read(MemorySegment segment, long at) {
        return new Dreq(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                BigEndian.readInt(segment, at + QUEUE_PAIR) >>> 8,
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        BigEndian.writeInt(segment, at + QUEUE_PAIR, remoteQueuePair << 8);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
