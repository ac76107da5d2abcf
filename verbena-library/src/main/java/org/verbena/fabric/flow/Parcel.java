package org.verbena.fabric.flow;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Packet;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.wire.BigEndian;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ib.Vcrc;

/**
 * A packet of a fabric: its bytes from the local route header to the variant CRC, and its place in the fabric. As an event it is the packet's arrival
 * at a port. Used again and again; one queue holds it at a time.
 */
public final class Parcel extends Event {
    /** Where the header behind the route headers starts: there is room for both in front of it. */
    public static final int BODY = Lrh.LENGTH + Grh.LENGTH;

    /** Bytes of memory: route headers, the longest packet of any service, variant CRC, rounded up. */
    static final int ROOM = (BODY + Packet.LENGTH_MAX + Vcrc.LENGTH + 63) / 64 * 64;

    /** Bytes of memory of a short one: a management datagram or 256 bytes of payload fit. */
    static final int SHORT_ROOM = 448;

    /** Longest part behind the route headers that fits into a short one. */
    static final int SHORT_BODY = SHORT_ROOM - BODY - Vcrc.LENGTH;

    /** Bytes of a credit. */
    static final int BLOCK = 64;

    private static final int LENGTH_MASK = 0x7ff;
    /** Bit of the next header in a local route header: a transport of InfiniBand follows. */
    private static final int TRANSPORT = 2;

    /** Where a global route header has the second half of the target's GID. */
    private static final int TARGET_GUID = Lrh.LENGTH + 32;

    private final MemorySegment segment;
    private final ByteBuffer bytes;
    private final Packet packet;
    /** Whether it has {@link #SHORT_ROOM}. */
    final boolean isShort;

    /** First byte of the local route header: 0, or {@link Grh#LENGTH} if the packet has no global one. */
    int start;
    /** Bytes from the local route header to the invariant CRC, without the variant CRC. */
    int length;
    /** Credits that it needs. */
    int blocks;
    /** Its lane on the link that it is on, or came in by. */
    int lane;

    int serviceLevel;
    int targetLid;
    /** Whether a base transport header follows the route headers. */
    private boolean transport;
    /** Whether the bytes are no longer those that the variant CRC was computed for; decided by a check at the next port. */
    boolean touched;
    /** Whether the variant CRC must be computed in full before the packet leaves. */
    boolean stale;
    /** Whether it is on a directed route, with the headers of each hop of one: they stay, only the datagram changes. */
    boolean directed;
    /** Whether both CRCs are not yet computed, because nothing has seen the packet since it changed: {@link Management#complete}. */
    boolean unsummed;
    /** Whether an earlier switch found it damaged after its head had left: the packet ends with the mark for bad packets. */
    boolean bad;
    /** Whether the port that it arrives at has accounted for it: the packet waits for its tail. */
    boolean accounted;
    /** When its last byte arrives, or arrived. */
    long tailPs;
    /** State of the link when it was sent. */
    int epoch;
    /** The port that it arrives at, or that it came in by; null: from the node itself. */
    @Nullable
    PortFlow port;
    /** The original of a copy to several ports; its buffer is free when all copies have left. */
    @Nullable
    Parcel original;
    /** Copies of this original that have not left. */
    int copies;
    /** The user of management datagrams that is told if the packet is lost. */
    @Nullable
    MadFlow origin;
    /** The target that the origin sent it to. */
    int originLid;
    /** The port at which a packet arrives that never leaves its node; {@link #port} is null then. */
    @Nullable
    PortFlow local;

    /** The lane on which a link's parcel counts until it has left the port; −1: it counts on none. */
    int hostLane = -1;

    @Nullable
    Parcel next;

    Parcel(MemorySegment segment, ByteBuffer bytes) {
        this.segment = segment;
        this.bytes = bytes;
        this.isShort = segment.byteSize() == SHORT_ROOM;
        this.packet = new Packet().in(segment, bytes).identificationCertain(true);
    }

    /** The memory; the packet is at {@link #start()}. */
    public MemorySegment segment() {
        return segment;
    }

    /** The same memory. */
    public ByteBuffer bytes() {
        return bytes;
    }

    public int start() {
        return start;
    }

    public int length() {
        return length;
    }

    /** Sets where the packet is: with or without a global route header, and this many bytes from {@link #BODY} on. */
    public void shape(boolean global, int bodyLength) {
        start = global ? 0 : Grh.LENGTH;
        length = BODY - start + bodyLength;
    }

    /** A view for a link; its offset is {@link #BODY}. */
    public Packet packet() {
        return packet;
    }

    /** The bytes are complete: reads the fields that switches need, and computes the variant CRC. */
    void seal() {
        readFields();
        directed = false;
        leaveFromNode();
        writeVcrc();
    }

    /** The headers are those of a directed route: reads the fields that switches need. Both CRCs are left for later. */
    void sealDirected() {
        readFields();
        directed = true;
        leaveFromNode();
        unsummed = true;
    }

    private void readFields() {
        int first = BigEndian.readShort(segment, start);
        lane = first >>> 12;
        serviceLevel = first >>> 4 & 0xf;
        transport = (first & TRANSPORT) != 0;
        targetLid = BigEndian.readShort(segment, start + 2);
        blocks = (length + Vcrc.LENGTH + BLOCK - 1) / BLOCK;
    }

    /** The node that it is at sends it as a packet of its own. */
    private void leaveFromNode() {
        touched = false;
        stale = false;
        unsummed = false;
        bad = false;
        accounted = false;
        port = null;
        original = null;
        local = null;
    }

    /** The next hop of a directed route: the node that it is at has changed the datagram, and nothing else. */
    void leaveDirected() {
        leaveFromNode();
        unsummed = true;
    }

    void writeVcrc() {
        Vcrc.write(segment, (long) start + length, Vcrc.compute(segment, start, length));
        stale = false;
    }

    /** Puts the packet on a lane: the local route header and the variant CRC follow. */
    void moveTo(int other) {
        if (other != lane) {
            int difference = (other ^ lane) << 4;
            BigEndian.writeByte(segment, start, BigEndian.readByte(segment, start) ^ difference);
            if (!stale) {
                long at = (long) start + length;
                Vcrc.write(segment, at, Vcrc.read(segment, at) ^ LaneChange.of(difference, length));
            }
            lane = other;
        }
        if (stale) {
            writeVcrc();
        }
    }

    /** Whether the variant CRC is right. A packet that no fault has touched is not computed again: its CRC was kept right. */
    boolean isIntact() {
        if (!touched) {
            assert unsummed || isIntactInFull() : "variant CRC of an untouched packet is wrong";
            return true;
        }
        return isIntactInFull();
    }

    private boolean isIntactInFull() {
        return Vcrc.read(segment, (long) start + length) == Vcrc.compute(segment, start, length);
    }

    /** A fault has touched the bytes: reads the fields again that switches need. */
    void readAgain() {
        int second = BigEndian.readByte(segment, start + 1);
        serviceLevel = second >>> 4;
        transport = (second & TRANSPORT) != 0;
        targetLid = BigEndian.readShort(segment, start + 2);
    }

    /** Whether the local route header has the packet's length. */
    boolean hasItsLength() {
        return (BigEndian.readShort(segment, start + 4) & LENGTH_MASK) == length >>> 2;
    }

    /** Whether a base transport header is at {@link #BODY}: the packet is not raw. */
    boolean hasTransport() {
        return transport;
    }

    /** Its partition key, if it {@linkplain #hasTransport() has} one. */
    int pkey() {
        return BigEndian.readShort(segment, BODY + 2);
    }

    /** Whether it goes to a group. */
    boolean isMulticast() {
        return targetLid >= LidRange.MULTICAST_FIRST && targetLid < LidRange.PERMISSIVE;
    }

    /** Whether it has a global route header that names another port: it is not for the port with its local identifier. */
    boolean hasOtherGuid(ManagedPort port) {
        return transport && start == 0 && !isMulticast() && !port.hasGuid(BigEndian.readLong(segment, TARGET_GUID));
    }

    /** Becomes a copy of another parcel's packet. */
    void copyOf(Parcel other) {
        MemorySegment.copy(other.segment, other.start, segment, other.start, other.length + Vcrc.LENGTH);
        start = other.start;
        length = other.length;
        blocks = other.blocks;
        lane = other.lane;
        serviceLevel = other.serviceLevel;
        targetLid = other.targetLid;
        transport = other.transport;
        touched = other.touched;
        stale = other.stale;
        directed = other.directed;
        unsummed = other.unsummed;
        bad = other.bad;
        tailPs = other.tailPs;
        accounted = false;
        port = null;
        original = null;
        origin = null;
        local = null;
    }

    /** Frees the buffer that it occupies in its node. */
    void freeBuffer() {
        PortFlow in = port;
        if (in != null && accounted) {
            accounted = false;
            in.free(lane, blocks);
        }
    }

    @Override
    void happen() {
        PortFlow at = port;
        if (at != null) {
            at.onArrival(this);
        } else if (local != null) {
            local.node.onLocal(local, this);
        }
    }
}
