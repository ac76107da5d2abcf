package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Service id resolution response (Table 120).
 *
 * @param status {@link #VALID}, or the reason why there is no queue pair
 * @param queuePair that takes datagrams for the service, 24 bits
 * @param qkey of that queue pair
 */
public record SidrRep(
        int requestId,
        int status,
        int informationLength,
        int queuePair,
        long serviceId,
        int qkey,
        PrivateData information,
        PrivateData privateData)
        implements CmMessage {
    public static final int ATTRIBUTE = 0x18;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 136;
    /** Status: queue pair and key are valid. */
    public static final int VALID = 0;
    /** Status: the receiver has no such service. */
    public static final int UNSUPPORTED = 1;
    /** Status: refused by the consumer. */
    public static final int REJECTED = 2;

    private static final int INFORMATION_MAX = 72;
    private static final int QUEUE_PAIR = 8;
    private static final int SERVICE = 12;
    private static final int QKEY = 20;
    private static final int INFORMATION = 24;
    private static final int PRIVATE_DATA = INFORMATION + INFORMATION_MAX;

    /** Reads the message at {@code at}. */
    public static SidrRep read(MemorySegment segment, long at) {
        return new SidrRep(
                BigEndian.readInt(segment, at),
                BigEndian.readByte(segment, at + 4),
                BigEndian.readByte(segment, at + 5),
                BigEndian.readInt(segment, at + QUEUE_PAIR) >>> 8,
                BigEndian.readLong(segment, at + SERVICE),
                BigEndian.readInt(segment, at + QKEY),
                PrivateData.read(segment, at + INFORMATION, INFORMATION_MAX),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, requestId);
        BigEndian.writeByte(segment, at + 4, status);
        BigEndian.writeByte(segment, at + 5, informationLength);
        BigEndian.writeInt(segment, at + QUEUE_PAIR, queuePair << 8);
        BigEndian.writeLong(segment, at + SERVICE, serviceId);
        BigEndian.writeInt(segment, at + QKEY, qkey);
        information.write(segment, at + INFORMATION, INFORMATION_MAX);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
