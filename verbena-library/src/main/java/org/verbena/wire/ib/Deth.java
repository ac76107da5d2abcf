package org.verbena.wire.ib;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * Datagram extended transport header (specification 9.3.2).
 *
 * @param qkey the receiving queue pair must have, or drop the packet
 * @param sourceQueuePair number of the queue pair that sent it, 24 bits
 */
public record Deth(int qkey, int sourceQueuePair) {
    /** Bytes on the wire. */
    public static final int LENGTH = 8;

    private static final int SOURCE = 4;

    /** Reads the header at {@code at}. */
    public static Deth read(MemorySegment segment, long at) {
        return new Deth(BigEndian.readInt(segment, at), BigEndian.readInt(segment, at + SOURCE) & Bth.QUEUE_PAIR_MASK);
    }

    /** Writes the header at {@code at}; reserved bits are zero. */
    public void write(MemorySegment segment, long at) {
        write(segment, at, qkey, sourceQueuePair);
    }

    /** Writes a header at {@code at} from its fields, without an object. */
    public static void write(MemorySegment segment, long at, int qkey, int sourceQueuePair) {
        BigEndian.writeInt(segment, at, qkey);
        BigEndian.writeInt(segment, at + SOURCE, sourceQueuePair & Bth.QUEUE_PAIR_MASK);
    }

    /** The key the receiving queue pair must have. */
    public static int qkey(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at);
    }

    /** Number of the queue pair that sent it. */
    public static int sourceQueuePair(MemorySegment segment, long at) {
        return BigEndian.readInt(segment, at + SOURCE) & Bth.QUEUE_PAIR_MASK;
    }
}
