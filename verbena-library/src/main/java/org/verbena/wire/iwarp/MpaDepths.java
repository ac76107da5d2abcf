package org.verbena.wire.iwarp;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;

/**
 * The two words before the consumer's private data in a frame of revision 2 (RFC 6581, 9): how many read requests either side
 * takes and makes, and the message by which the initiator tells a responder of the peer-to-peer model that it is ready to receive.
 *
 * @param peerToPeer control flag A: the responder may send first, after the initiator's ready-to-receive message
 * @param sendReady control flag B: a send of length 0 is such a message
 * @param ird read requests that the sender of the frame takes at once, 14 bits
 * @param writeReady control flag C: a write of length 0 is such a message
 * @param readReady control flag D: a read of length 0 is such a message
 * @param ord read requests that the sender of the frame makes at once, 14 bits
 */
public record MpaDepths(
        boolean peerToPeer, boolean sendReady, int ird, boolean writeReady, boolean readReady, int ord) {
    /** Bytes on the wire. */
    public static final int LENGTH = 4;

    /** The largest number of read requests. */
    public static final int DEPTH_MAX = 0x3ffe;

    /** The sender does not negotiate this number. */
    public static final int NOT_NEGOTIATED = 0x3fff;

    private static final int MASK = 0x3fff;
    private static final int ORD = 2;
    private static final int FIRST = 0x8000;
    private static final int SECOND = 0x4000;

    /** Reads the words at {@code at}. */
    public static MpaDepths read(MemorySegment segment, long at) {
        int ird = BigEndian.readShort(segment, at);
        int ord = BigEndian.readShort(segment, at + ORD);
        return new MpaDepths(
                (ird & FIRST) != 0,
                (ird & SECOND) != 0,
                ird & MASK,
                (ord & FIRST) != 0,
                (ord & SECOND) != 0,
                ord & MASK);
    }

    /** Writes the words at {@code at}. */
    public void write(MemorySegment segment, long at) {
        BigEndian.writeShort(segment, at, (peerToPeer ? FIRST : 0) | (sendReady ? SECOND : 0) | (ird & MASK));
        BigEndian.writeShort(segment, at + ORD, (writeReady ? FIRST : 0) | (readReady ? SECOND : 0) | (ord & MASK));
    }
}
