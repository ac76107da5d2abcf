package org.verbena.wire.mad;

import java.lang.foreign.MemorySegment;
import org.verbena.Gid;
import org.verbena.wire.BigEndian;

/**
 * One path of a connection, as a request describes it: half of Table 106.
 *
 * @param local the port of the sender of the request
 * @param remote the port of its receiver
 * @param flowLabel 20 bits
 * @param packetRate code of the rate, 6 bits
 * @param serviceLevel 4 bits
 * @param subnetLocal whether no router is between the ports
 * @param ackTimeout code of the time a packet and its acknowledgement may take, 5 bits
 */
public record CmPath(
        Port local,
        Port remote,
        int flowLabel,
        int packetRate,
        int trafficClass,
        int hopLimit,
        int serviceLevel,
        boolean subnetLocal,
        int ackTimeout) {
    /** The two addresses of a port. */
    public record Port(int lid, Gid gid) {
        /** The LID of a port that has none, or whose LID is unknown. */
        public static final int LID_PERMISSIVE = 0xffff;

        /** A port without a LID, as all ports of RoCE are. */
        public static Port of(Gid gid) {
            return new Port(LID_PERMISSIVE, gid);
        }
    }

    /** Bytes on the wire. */
    public static final int LENGTH = 44;
    /** No path. */
    public static final CmPath NONE = new CmPath(new Port(0, Gid.NONE), new Port(0, Gid.NONE), 0, 0, 0, 0, 0, false, 0);

    private static final int LOCAL_GID = 4;
    private static final int REMOTE_GID = 20;
    private static final int FLOW_RATE = 36;
    private static final int CLASS_TO_TIMEOUT = 40;

    /** Reads the path at {@code at}. */
    public static CmPath read(MemorySegment segment, long at) {
        int flowRate = BigEndian.readInt(segment, at + FLOW_RATE);
        int rest = BigEndian.readInt(segment, at + CLASS_TO_TIMEOUT);
        return new CmPath(
                new Port(BigEndian.readShort(segment, at), Gid.read(segment, at + LOCAL_GID)),
                new Port(BigEndian.readShort(segment, at + 2), Gid.read(segment, at + REMOTE_GID)),
                flowRate >>> 12,
                flowRate & 0x3f,
                rest >>> 24,
                rest >>> 16 & 0xff,
                rest >>> 12 & 0xf,
                (rest & 0x800) != 0,
                rest >>> 3 & 0x1f);
    }

    /**
     * Names the way through the subnet in the path at {@code at}. A service level other than 0 stays.
     *
     * @param subnetLocal whether no router is on the way
     */
    static void route(
            MemorySegment segment, long at, int sourceLid, int destinationLid, int serviceLevel, boolean subnetLocal) {
        BigEndian.writeShort(segment, at, sourceLid);
        BigEndian.writeShort(segment, at + 2, destinationLid);
        int rest = BigEndian.readInt(segment, at + CLASS_TO_TIMEOUT);
        int level = (rest >>> 12 & 0xf) == 0 ? (serviceLevel & 0xf) << 12 : 0;
        BigEndian.writeInt(segment, at + CLASS_TO_TIMEOUT, rest | level | (subnetLocal ? 0x800 : 0));
    }

    /** Writes the path at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, local.lid());
        BigEndian.writeShort(segment, at + 2, remote.lid());
        local.gid().write(segment, at + LOCAL_GID);
        remote.gid().write(segment, at + REMOTE_GID);
        BigEndian.writeInt(segment, at + FLOW_RATE, flowLabel << 12 | (packetRate & 0x3f));
        int rest = trafficClass << 24
                | (hopLimit & 0xff) << 16
                | (serviceLevel & 0xf) << 12
                | (subnetLocal ? 0x800 : 0)
                | (ackTimeout & 0x1f) << 3;
        BigEndian.writeInt(segment, at + CLASS_TO_TIMEOUT, rest);
    }
}
