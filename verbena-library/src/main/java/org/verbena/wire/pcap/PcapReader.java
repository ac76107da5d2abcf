package org.verbena.wire.pcap;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Reads a capture in the classic pcap format, of either byte order, with times in micro- or nanoseconds. Works as a
 * cursor: {@link #next} moves to a frame, the other methods describe it.
 */
public final class PcapReader {
    /** Link type of Ethernet frames. */
    public static final int ETHERNET = 1;

    private static final int MAGIC_MICROSECONDS = 0xa1b2_c3d4;
    private static final int MAGIC_NANOSECONDS = 0xa1b2_3c4d;
    private static final int FILE_HEADER = 24;
    private static final int FRAME_HEADER = 16;
    private static final int LINK_TYPE = 20;
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final MemorySegment file;
    private final ValueLayout.OfInt word;
    private final int fractionNs;
    private long frameAt;
    private int frameLength;
    private long nextAt = FILE_HEADER;

    /**
     * A reader before the first frame of a capture, which must stay as it is while it is read.
     *
     * @throws PcapFormatException if it does not begin as a capture does
     */
    public PcapReader(MemorySegment file) {
        if (file.byteSize() < FILE_HEADER) {
            throw new PcapFormatException(0, file.byteSize() + " bytes", "at least " + FILE_HEADER);
        }
        this.file = file;
        ValueLayout.OfInt big = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
        int magic = file.get(big, 0);
        int reversed = Integer.reverseBytes(magic);
        boolean swapped = reversed == MAGIC_MICROSECONDS || reversed == MAGIC_NANOSECONDS;
        this.word = swapped ? big.withOrder(ByteOrder.LITTLE_ENDIAN) : big;
        this.fractionNs = fractionNs(swapped ? reversed : magic);
    }

    private static int fractionNs(int magic) {
        return switch (magic) {
            case MAGIC_MICROSECONDS -> 1000;
            case MAGIC_NANOSECONDS -> 1;
            default ->
                throw new PcapFormatException(0, "0x" + Integer.toHexString(magic), "the magic number of classic pcap");
        };
    }

    /** Link type of the frames: {@link #ETHERNET}, or any other. */
    public int linkType() {
        return file.get(word, LINK_TYPE) & 0xffff;
    }

    /**
     * Moves to the next frame, the first at the first call.
     *
     * @return whether there is one
     * @throws PcapFormatException if the capture ends within a frame
     */
    public boolean next() {
        if (nextAt == file.byteSize()) {
            return false;
        }
        if (file.byteSize() - nextAt < FRAME_HEADER) {
            throw new PcapFormatException(nextAt, (file.byteSize() - nextAt) + " bytes", "a frame header of 16");
        }
        int length = file.get(word, nextAt + 8);
        long at = nextAt + FRAME_HEADER;
        if (length < 0 || length > file.byteSize() - at) {
            throw new PcapFormatException(
                    nextAt, "a frame of " + Integer.toUnsignedString(length) + " bytes", "at most what is left");
        }
        frameAt = at;
        frameLength = length;
        nextAt = at + length;
        return true;
    }

    /** When the frame was captured, in nanoseconds since 1970. */
    public long timestampNs() {
        long seconds = file.get(word, frameAt - FRAME_HEADER) & 0xffff_ffffL;
        long fraction = file.get(word, frameAt - FRAME_HEADER + 4) & 0xffff_ffffL;
        return seconds * NS_PER_SECOND + fraction * fractionNs;
    }

    /** How long the frame was on the wire; more than {@link #frame} holds if the capture cut it. */
    public int originalLength() {
        return file.get(word, frameAt - FRAME_HEADER + 12);
    }

    /** The bytes of the frame: a part of the capture, not a copy. */
    public MemorySegment frame() {
        return file.asSlice(frameAt, frameLength);
    }
}
