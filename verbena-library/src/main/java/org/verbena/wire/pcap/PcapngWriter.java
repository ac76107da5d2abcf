package org.verbena.wire.pcap;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Writes a capture of Ethernet frames or of InfiniBand packets in the pcapng format: one section, one interface, times in nanoseconds, and of each
 * frame whether it was received or sent.
 *
 * <p>A frame is written in place: {@link #begin} says where in {@link #segment} its bytes go, {@link #end} completes it.
 * Frames collect in a buffer that goes to the channel when it is full, and at {@link #flush} and {@link #close}; nothing
 * is allocated per frame. A channel that does not take all bytes at once is written to again until it has.
 */
public final class PcapngWriter implements AutoCloseable {
    /** Direction of a frame, seen from the interface. */
    public enum Direction {
        UNKNOWN(0),
        INBOUND(1),
        OUTBOUND(2);

        private final int flags;

        Direction(int flags) {
            this.flags = flags;
        }
    }

    /** Kind of the frames of a capture. */
    public enum LinkType {
        ETHERNET(1),
        /**
         * InfiniBand packets from the local route header to the variant CRC, each behind an {@link Erf} header. Wireshark does not know the
         * link type 247, which has no such header.
         */
        INFINIBAND(197);

        private final int code;

        LinkType(int code) {
            this.code = code;
        }
    }

    /** The longest frame taken. */
    public static final int FRAME_MAX = 128 * 1024;

    private static final int TEXT_MAX = 4096;
    private static final int BUFFER_BYTES = 2 * FRAME_MAX;
    private static final int SECTION_HEADER = 0x0a0d_0d0a;
    private static final int INTERFACE = 1;
    private static final int ENHANCED_PACKET = 6;
    private static final int BYTE_ORDER_MAGIC = 0x1a2b_3c4d;
    private static final int VERSION = 1;
    private static final long LENGTH_UNKNOWN = -1;
    private static final int OPTION_END = 0;
    private static final int OPTION_NAME = 2;
    private static final int OPTION_APPLICATION = 4;
    private static final int OPTION_RESOLUTION = 9;
    private static final byte NANOSECONDS = 9;
    private static final int OPTION_FLAGS = 2;
    /** Type, length, interface, time in two halves, length captured, length on the wire. */
    private static final int FRAME_HEADER = 28;
    /** The option with the flags, the end of options, the length again. */
    private static final int FRAME_TRAILER = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final WritableByteChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final MemorySegment segment = MemorySegment.ofBuffer(buffer);
    /** Bytes of the buffer that are complete. */
    private int filled;
    /** Bytes of the frame that was begun and not ended. */
    private int begun;

    /**
     * A writer that has the capture's head in its buffer.
     *
     * @param channel where the capture goes; {@link #close} closes it
     * @param type kind of all its frames
     * @param application the program that captures, for the capture's head
     * @param name of the interface, for people
     */
    public PcapngWriter(WritableByteChannel channel, LinkType type, String application, String name) {
        this.channel = channel;
        writeSectionHeader(application);
        writeInterface(type, name);
    }

    /** A writer of Ethernet frames. */
    public PcapngWriter(WritableByteChannel channel, String application, String name) {
        this(channel, LinkType.ETHERNET, application, name);
    }

    /** The memory that frames are written into; the same always. */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Begins a frame; one that was begun and not ended is forgotten.
     *
     * @param length of the frame, at most {@link #FRAME_MAX}
     * @return the offset in {@link #segment} of the frame's first byte; good until {@link #end}
     * @throws IOException if the buffer was full and the channel failed
     */
    public long begin(int length) throws IOException {
        if (length < 0 || length > FRAME_MAX) {
            throw new IllegalArgumentException("frame of " + length + " bytes, at most " + FRAME_MAX);
        }
        if (filled + FRAME_HEADER + padded(length) + FRAME_TRAILER > BUFFER_BYTES) {
            flush();
        }
        begun = length;
        return (long) filled + FRAME_HEADER;
    }

    /**
     * Completes the frame begun last.
     *
     * @param timestampNs when it was seen, in nanoseconds since 1970
     */
    public void end(long timestampNs, Direction direction) {
        int blockAt = filled;
        int blockLength = FRAME_HEADER + padded(begun) + FRAME_TRAILER;
        putInt(ENHANCED_PACKET);
        putInt(blockLength);
        putInt(0);
        putInt((int) (timestampNs >>> 32));
        putInt((int) timestampNs);
        putInt(begun);
        putInt(begun);
        filled += begun;
        pad(begun);
        putShort(OPTION_FLAGS);
        putShort(4);
        putInt(direction.flags);
        putInt(OPTION_END);
        putInt(blockLength);
        assert filled == blockAt + blockLength;
        begun = 0;
    }

    /**
     * Writes a frame that lies somewhere else.
     *
     * @param frame of which all bytes are copied
     */
    public void write(long timestampNs, Direction direction, MemorySegment frame) throws IOException {
        int length = Math.toIntExact(frame.byteSize());
        long at = begin(length);
        MemorySegment.copy(frame, 0, segment, at, length);
        end(timestampNs, direction);
    }

    /** Hands all frames to the channel; not between {@link #begin} and {@link #end}. On failure those it did not take stay and are tried again. */
    public void flush() throws IOException {
        buffer.limit(filled).position(0);
        try {
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } finally {
            filled = buffer.compact().position();
            buffer.clear();
        }
    }

    /** Flushes and closes the channel, which is closed even if the flush fails. */
    @Override
    public void close() throws IOException {
        try (channel) {
            if (channel.isOpen()) {
                flush();
            }
        }
    }

    private void writeSectionHeader(String application) {
        int blockAt = beginBlock(SECTION_HEADER);
        putInt(BYTE_ORDER_MAGIC);
        putShort(VERSION);
        putShort(0);
        segment.set(LONG, filled, LENGTH_UNKNOWN);
        filled += Long.BYTES;
        putOption(OPTION_APPLICATION, application.getBytes(StandardCharsets.UTF_8));
        endBlock(blockAt);
    }

    private void writeInterface(LinkType type, String name) {
        int blockAt = beginBlock(INTERFACE);
        putShort(type.code);
        putShort(0);
        putInt(0);
        putOption(OPTION_NAME, name.getBytes(StandardCharsets.UTF_8));
        putOption(OPTION_RESOLUTION, new byte[] {NANOSECONDS});
        endBlock(blockAt);
    }

    private int beginBlock(int type) {
        int blockAt = filled;
        putInt(type);
        putInt(0);
        return blockAt;
    }

    private void endBlock(int blockAt) {
        putInt(OPTION_END);
        int length = filled + Integer.BYTES - blockAt;
        putInt(length);
        segment.set(INT, blockAt + Integer.BYTES, length);
    }

    private void putOption(int code, byte[] value) {
        if (value.length > TEXT_MAX) {
            throw new IllegalArgumentException("text of " + value.length + " bytes, at most " + TEXT_MAX);
        }
        putShort(code);
        putShort(value.length);
        MemorySegment.copy(value, 0, segment, ValueLayout.JAVA_BYTE, filled, value.length);
        filled += value.length;
        pad(value.length);
    }

    private void putInt(int value) {
        segment.set(INT, filled, value);
        filled += Integer.BYTES;
    }

    private void putShort(int value) {
        segment.set(SHORT, filled, (short) value);
        filled += Short.BYTES;
    }

    /** Zeros after {@code length} bytes up to a multiple of four. */
    private void pad(int length) {
        for (int count = padded(length) - length; count > 0; count--) {
            segment.set(ValueLayout.JAVA_BYTE, filled, (byte) 0);
            filled++;
        }
    }

    private static int padded(int length) {
        return (length + 3) & ~3;
    }
}
