package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;

/** Reads an {@link OffloadHeader} and judges whether it fits its frame. One object reads one header after the other. One thread. */
public final class OffloadReader {
    /** Segments of a frame at most; a frame that asks for more is malformed. */
    public static final int SEGMENTS_MAX = 1024;

    static final int TCP_BYTES_MIN = 20;
    static final int TCP_CHECKSUM_OFFSET = 16;
    static final int IP4_BYTES_MIN = 20;
    static final int IP6_BYTES = 40;
    static final int PROTOCOL_TCP = 6;

    private static final int TYPE_IP4 = 0x0800;
    private static final int TYPE_IP6 = 0x86dd;
    private static final int IP6_HOP_BY_HOP = 0;
    private static final int IP6_DESTINATION = 60;
    private static final int IP6_EXTENSIONS_MAX = 8;

    private final EthernetHeader ethernet = new EthernetHeader();
    private int segmentBytes;
    private int checksumStart;
    private int checksumOffset;
    private boolean tcp4;
    private int headersBytes;

    /** Nothing read yet. */
    public OffloadReader() {}

    /**
     * Reads a header and judges it against its frame. Changes nothing.
     *
     * @param offset of the header; the frame follows
     * @param length bytes of both
     */
    public OffloadKind read(MemorySegment memory, long offset, int length) {
        int frameBytes = length - FramePort.OFFLOAD_HEADER_BYTES;
        long frame = offset + FramePort.OFFLOAD_HEADER_BYTES;
        if (length < FramePort.OFFLOAD_HEADER_BYTES || !ethernet.read(memory, frame, frameBytes)) {
            return OffloadKind.MALFORMED;
        }
        int flags = FrameBytes.byteAt(memory, offset + OffloadHeader.FLAGS);
        int kind = FrameBytes.byteAt(memory, offset + OffloadHeader.SEGMENTATION);
        segmentBytes = OffloadHeader.field(memory, offset + OffloadHeader.SEGMENT_BYTES);
        checksumStart = OffloadHeader.field(memory, offset + OffloadHeader.CHECKSUM_START);
        checksumOffset = OffloadHeader.field(memory, offset + OffloadHeader.CHECKSUM_OFFSET);
        headersBytes = 0;
        boolean needsChecksum = (flags & OffloadHeader.NEEDS_CHECKSUM) != 0;
        if ((flags & ~(OffloadHeader.NEEDS_CHECKSUM | OffloadHeader.CHECKSUM_IS_VALID)) != 0
                || (needsChecksum && !checksumFits(frameBytes))) {
            return OffloadKind.MALFORMED;
        }
        if (kind == OffloadHeader.WHOLE) {
            return needsChecksum ? OffloadKind.CHECKSUM : OffloadKind.COMPLETE;
        }
        return needsChecksum && segmentsFit(memory, frame, frameBytes, kind & ~OffloadHeader.CONGESTION)
                ? OffloadKind.SEGMENTS
                : OffloadKind.MALFORMED;
    }

    /** The checksum lies behind the Ethernet header: a switch has judged the addresses there. */
    private boolean checksumFits(int frameBytes) {
        return checksumStart >= ethernet.bytes() && checksumStart + checksumOffset + 2 <= frameBytes;
    }

    private boolean segmentsFit(MemorySegment memory, long frame, int frameBytes, int kind) {
        tcp4 = kind == OffloadHeader.TCP_4;
        long packet = frame + ethernet.bytes();
        int packetBytes = frameBytes - ethernet.bytes();
        int ipBytes;
        if (tcp4) {
            ipBytes = ethernet.type() == TYPE_IP4 ? ip4Bytes(memory, packet, packetBytes) : 0;
        } else if (kind == OffloadHeader.TCP_6) {
            ipBytes = ethernet.type() == TYPE_IP6 ? ip6Bytes(memory, packet, packetBytes) : 0;
        } else {
            return false;
        }
        return ipBytes != 0 && tcpFits(memory, frame, frameBytes, ethernet.bytes() + ipBytes);
    }

    /** Bytes of the IPv4 header in front of TCP; 0 if this is none. */
    private static int ip4Bytes(MemorySegment memory, long packet, int packetBytes) {
        if (packetBytes < IP4_BYTES_MIN) {
            return 0;
        }
        int first = FrameBytes.byteAt(memory, packet);
        int bytes = (first & 15) * 4;
        boolean whole = first >>> 4 == 4
                && bytes >= IP4_BYTES_MIN
                && bytes <= packetBytes
                && FrameBytes.shortAt(memory, packet + 2) == packetBytes
                && (FrameBytes.shortAt(memory, packet + 6) & 0x3fff) == 0; // no fragment
        return whole && FrameBytes.byteAt(memory, packet + 9) == PROTOCOL_TCP ? bytes : 0;
    }

    /** Bytes of the IPv6 header and its extensions in front of TCP; 0 if this is none. */
    private static int ip6Bytes(MemorySegment memory, long packet, int packetBytes) {
        if (packetBytes < IP6_BYTES
                || FrameBytes.byteAt(memory, packet) >>> 4 != 6
                || FrameBytes.shortAt(memory, packet + 4) != packetBytes - IP6_BYTES) {
            return 0;
        }
        int next = FrameBytes.byteAt(memory, packet + 6);
        int bytes = IP6_BYTES;
        for (int i = 0; i < IP6_EXTENSIONS_MAX && next != PROTOCOL_TCP; i++) {
            // A routing header would change the address in the checksum.
            if ((next != IP6_HOP_BY_HOP && next != IP6_DESTINATION) || packetBytes < bytes + 8) {
                return 0;
            }
            next = FrameBytes.byteAt(memory, packet + bytes);
            bytes += 8 + 8 * FrameBytes.byteAt(memory, packet + bytes + 1);
        }
        return next == PROTOCOL_TCP ? bytes : 0;
    }

    private boolean tcpFits(MemorySegment memory, long frame, int frameBytes, int tcpStart) {
        if (checksumStart != tcpStart
                || checksumOffset != TCP_CHECKSUM_OFFSET
                || frameBytes < tcpStart + TCP_BYTES_MIN) {
            return false;
        }
        int tcpBytes = FrameBytes.byteAt(memory, frame + tcpStart + 12) >>> 4 << 2;
        headersBytes = tcpStart + tcpBytes;
        return tcpBytes >= TCP_BYTES_MIN
                && headersBytes <= frameBytes
                && segmentBytes > 0
                && frameBytes - headersBytes <= (long) SEGMENTS_MAX * segmentBytes;
    }

    /** The Ethernet header of the frame. */
    public EthernetHeader ethernet() {
        return ethernet;
    }

    /** Bytes of the longest frame that has to cross a wire: that of a segment, or the whole frame. */
    public int wireBytes(OffloadKind kind, int length) {
        int frameBytes = length - FramePort.OFFLOAD_HEADER_BYTES;
        return kind == OffloadKind.SEGMENTS ? Math.min(frameBytes, headersBytes + segmentBytes) : frameBytes;
    }

    /** Bytes of payload in each segment but the last. */
    int segmentBytes() {
        return segmentBytes;
    }

    /** First byte of the frame that the checksum covers. */
    int checksumStart() {
        return checksumStart;
    }

    /** Where the checksum is, from {@link #checksumStart} on. */
    int checksumOffset() {
        return checksumOffset;
    }

    /** Whether segments are of TCP over IPv4; otherwise they are over IPv6. */
    boolean tcp4() {
        return tcp4;
    }

    /** Bytes of all headers of a frame that has segments. */
    int headersBytes() {
        return headersBytes;
    }
}
