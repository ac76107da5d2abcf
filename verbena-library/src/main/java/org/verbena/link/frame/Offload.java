package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;

/**
 * Does in software what an offload header leaves to be done: completes a checksum, or cuts a frame of TCP in segments.
 *
 * <p>{@link #begin} takes a frame with its header; {@link #next} then writes the frames that go out, without header, until it returns 0.
 */
public final class Offload {
    private static final int FLAGS_OFFSET = 13;
    private static final int FIN = 0x01;
    private static final int PSH = 0x08;
    private static final int CWR = 0x80;

    private final OffloadReader header = new OffloadReader();
    private MemorySegment memory = MemorySegment.NULL;
    private long frame;
    private int frameBytes;
    private OffloadKind kind = OffloadKind.MALFORMED;
    private int done;
    private int segment;

    /** Nothing to do. */
    public Offload() {}

    /**
     * Takes a frame. Its bytes stay as they are.
     *
     * @param offset of the offload header; the frame follows
     * @param length bytes of both
     * @return what the frame needs; {@link #next} gives no frame for a malformed one
     */
    public OffloadKind begin(MemorySegment from, long offset, int length) {
        kind = header.read(from, offset, length);
        memory = from;
        frame = offset + FramePort.OFFLOAD_HEADER_BYTES;
        frameBytes = length - FramePort.OFFLOAD_HEADER_BYTES;
        restart();
        return kind;
    }

    /** Has {@link #next} give the same frames again. */
    public void restart() {
        done = 0;
        segment = 0;
    }

    /** Forgets the frame: there is no more to give. */
    void drop() {
        kind = OffloadKind.MALFORMED;
    }

    /** Leaves out the frame that {@link #next} would write. */
    void skip() {
        if (kind == OffloadKind.SEGMENTS) {
            done += payloadBytes();
            segment++;
        } else {
            done = frameBytes;
        }
    }

    /** The header of the frame that was taken. */
    public OffloadReader header() {
        return header;
    }

    /** Bytes of the frame that {@link #next} writes; 0 if there is no more. */
    public int nextBytes() {
        return switch (kind) {
            case COMPLETE, CHECKSUM -> done == 0 ? frameBytes : 0;
            case SEGMENTS -> isFinished() ? 0 : header.headersBytes() + payloadBytes();
            case MALFORMED -> 0;
        };
    }

    private boolean isFinished() {
        return segment > 0 && done >= frameBytes - header.headersBytes();
    }

    private int payloadBytes() {
        return Math.min(header.segmentBytes(), frameBytes - header.headersBytes() - done);
    }

    /**
     * Writes the next frame.
     *
     * @param into has {@link #nextBytes} bytes of room at the offset; not the memory of the frame that was taken
     * @return bytes written; 0 if there is no more
     */
    public int next(MemorySegment into, long offset) {
        int bytes = nextBytes();
        if (bytes == 0) {
            return 0;
        }
        if (kind == OffloadKind.SEGMENTS) {
            writeSegment(into, offset);
            return bytes;
        }
        MemorySegment.copy(memory, frame, into, offset, bytes);
        done = bytes;
        if (kind == OffloadKind.CHECKSUM) {
            complete(into, offset, bytes);
        }
        return bytes;
    }

    /** Completes the checksum of a frame: its field has the sum of the pseudo header already. */
    private void complete(MemorySegment into, long at, int bytes) {
        int start = header.checksumStart();
        long sum = InternetChecksum.add(0, into, at + start, bytes - start);
        FrameBytes.putShort(into, at + start + header.checksumOffset(), InternetChecksum.ofTransport(sum));
    }

    private void writeSegment(MemorySegment into, long at) {
        int headersBytes = header.headersBytes();
        int payloadBytes = payloadBytes();
        MemorySegment.copy(memory, frame, into, at, headersBytes);
        MemorySegment.copy(memory, frame + headersBytes + done, into, at + headersBytes, payloadBytes);
        long packet = at + header.ethernet().bytes();
        long tcp = at + header.checksumStart();
        int transportBytes = headersBytes - header.checksumStart() + payloadBytes;
        long pseudo = header.tcp4()
                ? writeIp4(into, packet, (int) (tcp - packet), transportBytes)
                : writeIp6(into, packet, (int) (tcp - packet), transportBytes);
        writeTcp(into, tcp, payloadBytes);
        FrameBytes.putShort(into, tcp + OffloadReader.TCP_CHECKSUM_OFFSET, 0);
        long sum = InternetChecksum.add(pseudo, into, tcp, transportBytes);
        FrameBytes.putShort(into, tcp + OffloadReader.TCP_CHECKSUM_OFFSET, InternetChecksum.ofTransport(sum));
        done += payloadBytes;
        segment++;
    }

    private void writeTcp(MemorySegment into, long tcp, int payloadBytes) {
        FrameBytes.putInt(into, tcp + 4, FrameBytes.intAt(into, tcp + 4) + done);
        int flags = FrameBytes.byteAt(into, tcp + FLAGS_OFFSET);
        if (segment > 0) {
            flags &= ~CWR;
        }
        if (done + payloadBytes < frameBytes - header.headersBytes()) {
            flags &= ~(FIN | PSH);
        }
        FrameBytes.putByte(into, tcp + FLAGS_OFFSET, flags);
    }

    /** Finishes the IPv4 header of a segment. The result is the sum of the pseudo header. */
    private long writeIp4(MemorySegment into, long packet, int headerBytes, int transportBytes) {
        FrameBytes.putShort(into, packet + 2, headerBytes + transportBytes);
        FrameBytes.putShort(into, packet + 4, FrameBytes.shortAt(into, packet + 4) + segment);
        FrameBytes.putShort(into, packet + 10, 0);
        FrameBytes.putShort(into, packet + 10, InternetChecksum.of(InternetChecksum.add(0, into, packet, headerBytes)));
        return InternetChecksum.add(OffloadReader.PROTOCOL_TCP + transportBytes, into, packet + 12, 8);
    }

    /** Finishes the IPv6 header of a segment. The result is the sum of the pseudo header. */
    private static long writeIp6(MemorySegment into, long packet, int headerBytes, int transportBytes) {
        FrameBytes.putShort(into, packet + 4, headerBytes - OffloadReader.IP6_BYTES + transportBytes);
        return InternetChecksum.add(OffloadReader.PROTOCOL_TCP + transportBytes, into, packet + 8, 32);
    }
}
