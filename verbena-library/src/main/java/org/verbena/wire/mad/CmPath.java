package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Gid;

/**
 * One path of a connection, as a request describes it: half of Table 106. Local is who sends the request.
 *
 * @param flowLabel 20 bits
 * @param packetRate code of the rate, 6 bits
 * @param serviceLevel 4 bits
 * @param subnetLocal whether no router is between
 * @param ackTimeout code of the time a packet and its acknowledgement may take, 5 bits
 */
public record CmPath(
        int localLid,
        int remoteLid,
        Gid localGid,
        Gid remoteGid,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeout) {
    /** Bytes on the wire. */
    public static final int LENGTH = 44;
    /** The LID of one who has none, or does not know it. */
    public static final int LID_PERMISSIVE = 0xffff;
    /** No path. */
    public static final CmPath NONE = new CmPath(0, 0, Gid.NONE, Gid.NONE, 0, 0, 0, 0, 0, false, 0);

    private static final int LOCAL_GID = 4;
    private static final int REMOTE_GID = 20;
    private static final int FLOW_RATE = 36;
    private static final int CLASS_TO_TIMEOUT = 40;

    /** Reads the path at {@code at}. */
    public static CmPath read(MemorySegment segment, long at) {
        int flowRate = BigEndian.readInt(segment, at + FLOW_RATE);
        int rest = BigEndian.readInt(segment, at + CLASS_TO_TIMEOUT);
        return new CmPath(
                BigEndian.readShort(segment, at),
                BigEndian.readShort(segment, at + 2),
                Gid.read(segment, at + LOCAL_GID),
                Gid.read(segment, at + REMOTE_GID),
                flowRate >>> 12,
                flowRate & 0x3f,
                rest >>> 24,
                rest >>> 16 & 0xff,
                rest >>> 12 & 0xf,
                (rest & 0x800) != 0,
                rest >>> 3 & 0x1f);
    }

    /** Writes the path at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, localLid);
        BigEndian.writeShort(segment, at + 2, remoteLid);
        localGid.write(segment, at + LOCAL_GID);
        remoteGid.write(segment, at + REMOTE_GID);
        BigEndian.writeInt(segment, at + FLOW_RATE, flowLabel << 12 | (packetRate & 0x3f));
        int rest = trafficClass << 24
                | (hopLimit & 0xff) << 16
                | (serviceLevel & 0xf) << 12
                | (subnetLocal ? 0x800 : 0)
                | (ackTimeout & 0x1f) << 3;
        BigEndian.writeInt(segment, at + CLASS_TO_TIMEOUT, rest);
    }
}
