package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Reply to a request for communication (Table 110): accepts it.
 *
 * @param localId the sender's id of the connection
 * @param remoteId the receiver's, from its request
 * @param end the sender's queue pair
 * @param reads the sender's limits of reads and atomics
 * @param ackDelay code of the time the sender's adapter may take to acknowledge, 5 bits
 * @param failover whether the alternate path was accepted, 2 bits
 * @param flowControl whether the sender gives end-to-end credits
 * @param rnrRetries of the receiver's queue pair, 3 bits
 */
public record Rep(
        int localId,
        int remoteId,
        CmEnd end,
        CmReads reads,
        int ackDelay,
        int failover,
        boolean flowControl,
        int rnrRetries,
        PrivateData privateData)
        implements CmMessage {
    public static final int ATTRIBUTE = 0x13;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 196;

    private static final int QKEY = 8;
    private static final int QUEUE_PAIR = 12;
    private static final int CONTEXT = 16;
    private static final int PSN = 20;
    private static final int RESOURCES = 24;
    private static final int GUID = 28;
    private static final int PRIVATE_DATA = 36;

    /** Reads the message at {@code at}. */
    public static Rep read(MemorySegment segment, long at) {
        int rest = BigEndian.readInt(segment, at + RESOURCES);
        return new Rep(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                new CmEnd(
                        BigEndian.readLong(segment, at + GUID),
                        BigEndian.readInt(segment, at + QUEUE_PAIR) >>> 8,
                        BigEndian.readInt(segment, at + QKEY),
                        BigEndian.readInt(segment, at + CONTEXT) >>> 8,
                        BigEndian.readInt(segment, at + PSN) >>> 8,
                        (rest & 0x10) != 0),
                new CmReads(rest >>> 24, rest >>> 16 & 0xff),
                rest >>> 11 & 0x1f,
                rest >>> 9 & 3,
                (rest & 0x100) != 0,
                rest >>> 5 & 7,
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        BigEndian.writeInt(segment, at + QKEY, end.qkey());
        BigEndian.writeInt(segment, at + QUEUE_PAIR, end.queuePair() << 8);
        BigEndian.writeInt(segment, at + CONTEXT, end.endToEndContext() << 8);
        BigEndian.writeInt(segment, at + PSN, end.startingPsn() << 8);
        int rest = reads.responderResources() << 24
                | (reads.initiatorDepth() & 0xff) << 16
                | (ackDelay & 0x1f) << 11
                | (failover & 3) << 9
                | (flowControl ? 0x100 : 0)
                | (rnrRetries & 7) << 5
                | (end.sharedReceives() ? 0x10 : 0);
        BigEndian.writeInt(segment, at + RESOURCES, rest);
        BigEndian.writeLong(segment, at + GUID, end.guid());
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
