package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Header of a segment for a buffer that the receiver chooses (RFC 5041, 4.3): a send, a request or a terminate message. The data, or a
 * header of RDMAP, follow.
 *
 * @param invalidated key that a send with invalidate names; 0 in other messages
 * @param queue number of the receiver's queue, see {@link RdmapOpcode#queue}
 * @param msn sequence number of the message in the queue, from 1
 * @param offset of the segment's first byte in the message, unsigned
 */
public record UntaggedHeader(DdpControl control, int invalidated, int queue, int msn, int offset) {
    /** Bytes on the wire. */
    public static final int LENGTH = 18;

    /** Sequence number of the first message of a queue. */
    public static final int FIRST_MSN = 1;

    private static final int INVALIDATED = DdpControl.LENGTH;
    private static final int QUEUE = 6;
    private static final int SEQUENCE = 10;
    private static final int OFFSET = 14;

    /** Reads the header at {@code at}. */
    public static UntaggedHeader read(MemorySegment segment, long at) {
        return new UntaggedHeader(
                DdpControl.read(segment, at),
                invalidated(segment, at),
                queue(segment, at),
                msn(segment, at),
                offset(segment, at));
    }

    /** Writes the header at {@code at}. */
    public void write(MemorySegment segment, long at) {
        control.write(segment, at);
        write(segment, at, invalidated, queue, msn, offset);
    }

    /** Writes a header at {@code at} from its fields, without an object. */
    public static void write(
            MemorySegment segment, long at, RdmapOpcode opcode, boolean last, int invalidated, int msn, int offset) {
        DdpControl.write(segment, at, opcode, last);
        write(segment, at, invalidated, opcode.queue(), msn, offset);
    }

    private static void write(MemorySegment segment, long at, int invalidated, int queue, int msn, int offset) {
        BigEndian.writeInt(segment, at + INVALIDATED, invalidated);
        BigEndian.writeInt(segment, at + QUEUE, queue);
        BigEndian.writeInt(segment, at + SEQUENCE, msn);
        BigEndian.writeInt(segment, at + OFFSET, offset);
    }

    /** Key that a send with invalidate names. */
    public static int invalidated(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + INVALIDATED);
    }

    /** Number of the receiver's queue. */
    public static int queue(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + QUEUE);
    }

    /** Sequence number of the message. */
    public static int msn(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SEQUENCE);
    }

    /** Where the first byte of the segment belongs in the message. */
    public static int offset(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + OFFSET);
    }
}
