package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.Gid;
import org.verbena.PrivateData;
import org.verbena.wire.BigEndian;

/**
 * Load alternate path (Table 115). Traffic class and hop limit of its path stand at other bits than in a {@link Req}.
 *
 * @param remoteQueuePair the receiver's, 24 bits
 * @param remoteResponseTimeout code of the time within which the receiver answers, 5 bits
 * @param path the new alternate path
 */
public record Lap(
        int localId, int remoteId, int remoteQueuePair, int remoteResponseTimeout, CmPath path, PrivateData privateData)
        implements CmMessage {
    public static final int ATTRIBUTE = 0x19;
    /** Bytes of private data. */
    public static final int PRIVATE_DATA_MAX = 168;

    private static final int QUEUE_PAIR = 12;
    private static final int LIDS = 20;
    private static final int LOCAL_GID = 24;
    private static final int REMOTE_GID = 40;
    private static final int FLOW_CLASS = 56;
    private static final int HOPS_TO_TIMEOUT = 60;
    private static final int PRIVATE_DATA = 64;

    /** Reads the message at {@code at}. */
    public static Lap read(MemorySegment segment, long at) {
        int queuePair = BigEndian.readInt(segment, at + QUEUE_PAIR);
        return new Lap(
                BigEndian.readInt(segment, at),
                BigEndian.readInt(segment, at + 4),
                queuePair >>> 8,
                queuePair >>> 3 & 0x1f,
                readPath(segment, at),
                PrivateData.read(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX));
    }

    private static CmPath readPath(MemorySegment segment, long at) {
        int flow = BigEndian.readInt(segment, at + FLOW_CLASS);
        int rest = BigEndian.readInt(segment, at + HOPS_TO_TIMEOUT);
        return new CmPath(
                new CmPath.Port(BigEndian.readShort(segment, at + LIDS), Gid.read(segment, at + LOCAL_GID)),
                new CmPath.Port(BigEndian.readShort(segment, at + LIDS + 2), Gid.read(segment, at + REMOTE_GID)),
                flow >>> 12,
                rest >>> 16 & 0x3f,
                flow & 0xff,
                rest >>> 24,
                rest >>> 12 & 0xf,
                (rest & 0x800) != 0,
                rest >>> 3 & 0x1f);
    }

    @Override
    public void write(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at, localId);
        BigEndian.writeInt(segment, at + 4, remoteId);
        BigEndian.writeInt(segment, at + QUEUE_PAIR, remoteQueuePair << 8 | (remoteResponseTimeout & 0x1f) << 3);
        BigEndian.writeShort(segment, at + LIDS, path.local().lid());
        BigEndian.writeShort(segment, at + LIDS + 2, path.remote().lid());
        path.local().gid().write(segment, at + LOCAL_GID);
        path.remote().gid().write(segment, at + REMOTE_GID);
        BigEndian.writeInt(segment, at + FLOW_CLASS, path.flowLabel() << 12 | (path.trafficClass() & 0xff));
        int rest = path.hopLimit() << 24
                | (path.packetRate() & 0x3f) << 16
                | (path.serviceLevel() & 0xf) << 12
                | (path.subnetLocal() ? 0x800 : 0)
                | (path.ackTimeout() & 0x1f) << 3;
        BigEndian.writeInt(segment, at + HOPS_TO_TIMEOUT, rest);
        privateData.write(segment, at + PRIVATE_DATA, PRIVATE_DATA_MAX);
    }

    @Override
    public int attribute() {
        return ATTRIBUTE;
    }
}
