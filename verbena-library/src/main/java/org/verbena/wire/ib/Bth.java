package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Base transport header: the first of every packet (specification 9.2).
 *
 * <p>The static methods read one field of a header in place; {@code at} is the offset of its first byte.
 *
 * @param opcode code of the {@link Opcode}; any 8 bits
 * @param solicited the receiver wants an event for this message
 * @param migrated state of path migration
 * @param padCount bytes of padding between payload and invariant CRC, 0 … 3
 * @param version of the header, 4 bits; 0 is the only one
 * @param pkey partition key
 * @param fecn forward explicit congestion notification
 * @param becn backward explicit congestion notification
 * @param destinationQueuePair number of the queue pair the packet is for, 24 bits
 * @param ackRequest the requester wants an acknowledgement
 * @param psn packet sequence number
 */
public record Bth(
        int opcode,
        boolean solicited,
        boolean migrated,
        int padCount,
        int version,
        int pkey,
        boolean fecn,
        boolean becn,
        int destinationQueuePair,
        boolean ackRequest,
        int psn) {
    /** Bytes on the wire. */
    public static final int LENGTH = 12;

    /** The largest queue pair number, which addresses a multicast group. */
    public static final int QUEUE_PAIR_MASK = 0xff_ffff;

    private static final int FLAGS = 1;
    private static final int PKEY = 2;
    private static final int QUEUE_PAIR = 4;
    private static final int SEQUENCE = 8;

    private static final int SOLICITED = 1 << 23;
    private static final int MIGRATED = 1 << 22;
    private static final int PAD_SHIFT = 20;
    private static final int VERSION_SHIFT = 16;
    private static final int FECN = 1 << 31;
    private static final int BECN = 1 << 30;
    private static final int ACK_REQUEST = 1 << 31;

    /** Reads the header at {@code at}. */
    public static Bth read(MemorySegment segment, long at) {
        int first = BigEndian.readInt(segment, at);
        int second = BigEndian.readInt(segment, at + QUEUE_PAIR);
        int third = BigEndian.readInt(segment, at + SEQUENCE);
        return new Bth(
                first >>> 24,
                (first & SOLICITED) != 0,
                (first & MIGRATED) != 0,
                (first >>> PAD_SHIFT) & 3,
                (first >>> VERSION_SHIFT) & 0xf,
                first & 0xffff,
                (second & FECN) != 0,
                (second & BECN) != 0,
                second & QUEUE_PAIR_MASK,
                (third & ACK_REQUEST) != 0,
                third & Psn.MASK);
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        int first = opcode << 24
                | (solicited ? SOLICITED : 0)
                | (migrated ? MIGRATED : 0)
                | (padCount & 3) << PAD_SHIFT
                | (version & 0xf) << VERSION_SHIFT
                | (pkey & 0xffff);
        BigEndian.writeInt(segment, at, first);
        int second = (fecn ? FECN : 0) | (becn ? BECN : 0) | (destinationQueuePair & QUEUE_PAIR_MASK);
        BigEndian.writeInt(segment, at + QUEUE_PAIR, second);
        writeSequence(segment, at, psn, ackRequest);
    }

    /** Writes all but the last word of a header of version 0 without marks, without an object. */
    public static void write(
            MemorySegment segment,
            long at,
            Opcode opcode,
            boolean solicited,
            int padCount,
            int pkey,
            int destinationQueuePair) {
        int first = opcode.code() << 24 | (solicited ? SOLICITED : 0) | (padCount & 3) << PAD_SHIFT | (pkey & 0xffff);
        BigEndian.writeInt(segment, at, first);
        BigEndian.writeInt(segment, at + QUEUE_PAIR, destinationQueuePair & QUEUE_PAIR_MASK);
    }

    /** The opcode's code, 0 … 255. */
    public static int opcode(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at);
    }

    /** Whether the receiver wants an event. */
    public static boolean solicited(MemorySegment segment, long at) {
        return (BigEndian.readByte(segment, at + FLAGS) & (SOLICITED >>> VERSION_SHIFT)) != 0;
    }

    /** State of path migration. */
    public static boolean migrated(MemorySegment segment, long at) {
        return (BigEndian.readByte(segment, at + FLAGS) & (MIGRATED >>> VERSION_SHIFT)) != 0;
    }

    /** Bytes of padding, 0 … 3. */
    public static int padCount(MemorySegment segment, long at) {
        return (BigEndian.readByte(segment, at + FLAGS) >>> (PAD_SHIFT - VERSION_SHIFT)) & 3;
    }

    /** Version of the header, 0 … 15. */
    public static int version(MemorySegment segment, long at) {
        return BigEndian.readByte(segment, at + FLAGS) & 0xf;
    }

    /** Partition key. */
    public static int pkey(MemorySegment segment, long at) {
        return BigEndian.readShort(segment, at + PKEY);
    }

    /** Whether the packet met congestion. */
    public static boolean fecn(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + QUEUE_PAIR) < 0;
    }

    /** Whether packets the other way met congestion. */
    public static boolean becn(MemorySegment segment, long at) {
        return (BigEndian.readInt(segment, at + QUEUE_PAIR) & BECN) != 0;
    }

    /** Sets the mark that says that packets the other way met congestion. */
    public static void setBackwardMark(MemorySegment segment, long at) {
        BigEndian.writeInt(segment, at + QUEUE_PAIR, BigEndian.readInt(segment, at + QUEUE_PAIR) | BECN);
    }

    /** Number of the queue pair the packet is for. */
    public static int destinationQueuePair(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + QUEUE_PAIR) & QUEUE_PAIR_MASK;
    }

    /** Whether the requester wants an acknowledgement. */
    public static boolean ackRequest(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SEQUENCE) < 0;
    }

    /** Packet sequence number. */
    public static int psn(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SEQUENCE) & Psn.MASK;
    }

    /** Writes the last word of a header in place: sequence number and request for acknowledgement. */
    public static void writeSequence(MemorySegment segment, long at, int psn, boolean ackRequest) {
        BigEndian.writeInt(segment, at + SEQUENCE, (ackRequest ? ACK_REQUEST : 0) | (psn & Psn.MASK));
    }
}
