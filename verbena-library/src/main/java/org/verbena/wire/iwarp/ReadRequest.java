package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Request for a read (RFC 5040, 4.4). The responder answers with read responses into the memory of the requester that the sink names.
 *
 * @param sinkStag key of the requester's memory
 * @param sinkOffset in it
 * @param length bytes to read, unsigned
 * @param sourceStag key of the responder's memory
 * @param sourceOffset in it
 */
public record ReadRequest(int sinkStag, long sinkOffset, int length, int sourceStag, long sourceOffset) {
    /** Bytes on the wire. */
    public static final int LENGTH = 28;

    private static final int SINK_OFFSET = 4;
    private static final int SIZE = 12;
    private static final int SOURCE_STAG = 16;
    private static final int SOURCE_OFFSET = 20;

    /** Reads the header at {@code at}. */
    public static ReadRequest read(MemorySegment segment, long at) {
        return new ReadRequest(
                sinkStag(segment, at),
                sinkOffset(segment, at),
                length(segment, at),
                sourceStag(segment, at),
                sourceOffset(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        writeSink(segment, at, sinkStag, sinkOffset);
        writeSource(segment, at, sourceStag, sourceOffset, length);
    }

    /** Writes where the data go, without an object. */
    public static void writeSink(MemorySegment segment, long at, int stag, long offset) {
        BigEndian.writeInt(segment, at, stag);
        BigEndian.writeLong(segment, at + SINK_OFFSET, offset);
    }

    /** Writes where the data come from, without an object. */
    public static void writeSource(MemorySegment segment, long at, int stag, long offset, int length) {
        BigEndian.writeInt(segment, at + SIZE, length);
        BigEndian.writeInt(segment, at + SOURCE_STAG, stag);
        BigEndian.writeLong(segment, at + SOURCE_OFFSET, offset);
    }

    /** Key of the requester's memory. */
    public static int sinkStag(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at);
    }

    /** Where the data go in the requester's memory. */
    public static long sinkOffset(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + SINK_OFFSET);
    }

    /** Bytes to read, unsigned. */
    public static int length(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SIZE);
    }

    /** Key of the responder's memory. */
    public static int sourceStag(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SOURCE_STAG);
    }

    /** Where the data come from in the responder's memory. */
    public static long sourceOffset(MemorySegment segment, long at) {
        return BigEndian.readLong(segment, at + SOURCE_OFFSET);
    }
}
