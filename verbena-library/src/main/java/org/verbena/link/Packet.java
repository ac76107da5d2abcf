package org.verbena.link;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * One packet in memory of its link, with its source and target: BTH to invariant CRC, or the bytes of a raw packet.
 *
 * <p>A link has a few of these objects and points them at one packet after the other; no other class keeps a reference. The bytes are at
 * {@code offset() … offset() + length()} of both {@link #segment()} and {@link #bytes()}, which are the same memory.
 */
public final class Packet {
    /** Bytes of both route headers of InfiniBand, which may stand before a packet. */
    public static final int ROUTE_MAX = 8 + 40;

    /** Longest packet any service sends: 4096 bytes of payload with every header that may stand before and after them. */
    public static final int LENGTH_MAX = 4096 + 64;

    private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

    private MemorySegment segment = MemorySegment.NULL;
    private ByteBuffer bytes = NO_BYTES;
    private int offset;
    private int length;
    private int routeLength;
    private long sourceHigh;
    private long sourceLow;
    private long targetHigh;
    private long targetLow;
    private int sourcePort;
    private int targetPort;
    private int identification;
    private int trafficClass;
    private int hopLimit = LinkFlow.HOP_LIMIT;
    private boolean raw;
    private boolean identificationCertain;

    /** For the link: a view of nothing yet. */
    public Packet() {}

    /** The memory the packet is in; only {@link #length()} bytes from {@link #offset()} on are the packet's. */
    public MemorySegment segment() {
        return segment;
    }

    /** The same memory as a direct buffer with the same origin. Every reader may move its position and limit. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Where the BTH starts. */
    public int offset() {
        return offset;
    }

    /** Bytes from BTH to invariant CRC. */
    public int length() {
        return length;
    }

    public long sourceHigh() {
        return sourceHigh;
    }

    public long sourceLow() {
        return sourceLow;
    }

    public long targetHigh() {
        return targetHigh;
    }

    public long targetLow() {
        return targetLow;
    }

    public int sourcePort() {
        return sourcePort;
    }

    public int targetPort() {
        return targetPort;
    }

    /** Traffic class or type of service, with the ECN bits the network may have set; 0 if unknown. */
    public int trafficClass() {
        return trafficClass;
    }

    /** Hop limit or time to live that was left, {@link LinkFlow#HOP_LIMIT} if unknown. */
    public int hopLimit() {
        return hopLimit;
    }

    /** Whether this is a raw packet: bytes of any kind, without BTH and invariant CRC. */
    public boolean raw() {
        return raw;
    }

    // --- of links with Framing.ROCE_V2 only

    /** Whether source and target are IPv6 addresses. */
    public boolean ipv6() {
        return !Endpoint.isMapped(targetHigh, targetLow);
    }

    /**
     * The IPv4 identification that the packet leaves with, which its invariant CRC covers. For a received packet it is the best guess: the
     * index within the datagrams that arrived as one, else 0.
     */
    public int identification() {
        return identification;
    }

    /** Whether {@link #identification()} of a received packet is the true one, not a guess. */
    public boolean identificationCertain() {
        return identificationCertain;
    }

    // --- of links with Framing.INFINIBAND only

    /** Bytes of the route headers directly before {@link #offset()}: of the local one, or of both; 0 with another framing. */
    public int routeLength() {
        return routeLength;
    }

    // --- for the link

    /** For the link: becomes a copy of another packet, its bytes and route headers from 0 on in this one's memory. */
    public Packet copy(Packet other) {
        int route = other.routeLength;
        MemorySegment.copy(other.segment, other.offset - route, segment, 0, route + other.length);
        return at(route, other.length, other.identification)
                .behind(route)
                .from(other.sourceHigh, other.sourceLow, other.sourcePort)
                .to(other.targetHigh, other.targetLow, other.targetPort)
                .marked(other.trafficClass, other.hopLimit)
                .raw(other.raw)
                .identificationCertain(other.identificationCertain);
    }

    /** For the link: where packets are from now on. */
    public Packet in(MemorySegment segment, ByteBuffer bytes) {
        this.segment = segment;
        this.bytes = bytes;
        return this;
    }

    /** For the link: which bytes are the packet, and the identification it has. */
    public Packet at(int offset, int length, int identification) {
        this.offset = offset;
        this.length = length;
        this.identification = identification;
        return this;
    }

    /** For the link: the bytes of the route headers before the packet. */
    public Packet behind(int headers) {
        routeLength = headers;
        return this;
    }

    /** For the link: where the packet comes from. */
    public Packet from(long high, long low, int port) {
        sourceHigh = high;
        sourceLow = low;
        sourcePort = port;
        return this;
    }

    /** For the link: where the packet goes to. */
    public Packet to(long high, long low, int port) {
        targetHigh = high;
        targetLow = low;
        targetPort = port;
        return this;
    }

    /** For the link: whether it sees the identifications of the packets it delivers. */
    public Packet identificationCertain(boolean certain) {
        this.identificationCertain = certain;
        return this;
    }

    /** For the link: traffic class or type of service, and hop limit or time to live. */
    public Packet marked(int trafficClass, int hopLimit) {
        this.trafficClass = trafficClass;
        this.hopLimit = hopLimit;
        return this;
    }

    /** For the link: whether the packet is a raw one. */
    public Packet raw(boolean raw) {
        this.raw = raw;
        return this;
    }
}
