package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/** Service id resolution request (Table 119): which queue pair takes datagrams for this service? */
public record SidrReq(int requestId, int pkey, long serviceId, PrivateData privateData) implements CmMessage {
    public static final int ATTRIBUTE = 0x17;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 216;

    private static final int SERVICE = 8;
    private static final int PRIVATE_DATA = 16;

    /** Reads the message at {@code at}. */
    public static SidrReq read(MemorySegment segment, long at) {
        return new SidrReq(
                BigEndian.readInt(segment, at),
                BigEndian.readShort(segment, at + 4),
                BigEndian.readLong(segment, at + SERVICE),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, requestId);
        BigEndian.writeShort(segment, at + 4, pkey);
        BigEndian.writeLong(segment, at + SERVICE, serviceId);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
