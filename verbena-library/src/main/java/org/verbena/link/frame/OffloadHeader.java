package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The header in front of each frame of a port with offloads: the {@code virtio_net_hdr} of Linux, {@value FramePort#OFFLOAD_HEADER_BYTES} bytes, its
 * 16-bit fields in the byte order of the machine. A header of zeros is that of a complete frame. Any thread.
 */
public final class OffloadHeader {
    /** Offset of the flags, 1 byte. */
    public static final int FLAGS = 0;

    /** Offset of the kind of segmentation, 1 byte. */
    public static final int SEGMENTATION = 1;

    /** Offset of the length of all headers from the Ethernet header on, 16 bits; a hint. */
    public static final int HEADERS_BYTES = 2;

    /** Offset of the bytes of payload in each segment but the last, 16 bits. */
    public static final int SEGMENT_BYTES = 4;

    /** Offset of the place in the frame where the checksum begins, 16 bits. */
    public static final int CHECKSUM_START = 6;

    /** Offset of the place of the checksum, counted from where it begins, 16 bits. */
    public static final int CHECKSUM_OFFSET = 8;

    /** Flag: the checksum of the frame has yet to be computed. */
    public static final int NEEDS_CHECKSUM = 1;

    /** Flag: the checksum of the frame has been checked. */
    public static final int CHECKSUM_IS_VALID = 2;

    /** Kind of segmentation: none. */
    public static final int WHOLE = 0;

    /** Kind of segmentation: TCP over IPv4. */
    public static final int TCP_4 = 1;

    /** Kind of segmentation: TCP over IPv6. */
    public static final int TCP_6 = 4;

    /** Added to the kind of segmentation: the TCP header has its congestion bit set. */
    public static final int CONGESTION = 0x80;

    private static final int CHECKSUM_BYTES = 2;

    private OffloadHeader() {}

    /** Whether the frame behind this header is complete: its checksum is there, and it need not be cut. */
    public static boolean isComplete(MemorySegment segment, long at) {
        return (segment.get(JAVA_BYTE, at + FLAGS) & NEEDS_CHECKSUM) == 0 && isWhole(segment, at);
    }

    /** Whether the frame behind this header need not be cut. */
    public static boolean isWhole(MemorySegment segment, long at) {
        return segment.get(JAVA_BYTE, at + SEGMENTATION) == WHOLE;
    }

    /** Whether the header fits the frame behind it: what it names lies in the frame, and is a kind that a port gives. */
    public static boolean fits(MemorySegment segment, long at, int frameBytes) {
        int start = field(segment, at + CHECKSUM_START);
        boolean partial = (segment.get(JAVA_BYTE, at + FLAGS) & NEEDS_CHECKSUM) != 0;
        if (partial && start + field(segment, at + CHECKSUM_OFFSET) + CHECKSUM_BYTES > frameBytes) {
            return false;
        }
        return switch (segment.get(JAVA_BYTE, at + SEGMENTATION) & ~CONGESTION & 0xff) {
            case WHOLE -> true;
            case TCP_4, TCP_6 -> partial && field(segment, at + SEGMENT_BYTES) > 0;
            default -> false;
        };
    }

    /** Writes the header of a complete frame. */
    public static void clear(MemorySegment segment, long at) {
        segment.set(JAVA_LONG_UNALIGNED, at, 0);
        segment.set(JAVA_SHORT_UNALIGNED, at + Long.BYTES, (short) 0);
    }

    /** A field of 16 bits: its offset is one of the constants. */
    public static int field(MemorySegment segment, long at) {
        return Short.toUnsignedInt(segment.get(JAVA_SHORT_UNALIGNED, at));
    }
}
