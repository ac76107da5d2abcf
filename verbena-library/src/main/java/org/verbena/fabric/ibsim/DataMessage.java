package org.verbena.fabric.ibsim;

import java.lang.foreign.MemorySegment;
import org.verbena.wire.BigEndian;
import org.verbena.wire.mad.Mad;

/** A message of a data port: a management datagram with its addresses in front, big-endian. */
final class DataMessage {
    static final int MAD = 32;
    static final int LENGTH = MAD + Mad.LENGTH;

    /** Status of a message that came back: the datagram is lost. The number is that of ETIMEDOUT. */
    static final int TIMED_OUT = 110;

    private static final int TARGET_LID = 0;
    private static final int SOURCE_LID = 4;
    private static final int TARGET_QUEUE_PAIR = 8;
    private static final int SOURCE_QUEUE_PAIR = 12;
    private static final int STATUS = 16;
    private static final int MAD_LENGTH = 24;

    private DataMessage() {}

    static int targetLid(MemorySegment message) {
        return BigEndian.readShort(message, TARGET_LID);
    }

    static int sourceLid(MemorySegment message) {
        return BigEndian.readShort(message, SOURCE_LID);
    }

    static int status(MemorySegment message) {
        return BigEndian.readInt(message, STATUS);
    }

    static int targetQueuePair(MemorySegment message) {
        return BigEndian.readInt(message, TARGET_QUEUE_PAIR);
    }

    static int sourceQueuePair(MemorySegment message) {
        return BigEndian.readInt(message, SOURCE_QUEUE_PAIR);
    }

    static void write(
            MemorySegment message,
            MemorySegment mad,
            int sourceLid,
            int targetLid,
            int sourceQueuePair,
            int targetQueuePair,
            int status) {
        // The identifiers have two bytes; the two behind are 0.
        BigEndian.writeInt(message, TARGET_LID, targetLid << 16);
        BigEndian.writeInt(message, SOURCE_LID, sourceLid << 16);
        BigEndian.writeInt(message, TARGET_QUEUE_PAIR, targetQueuePair);
        BigEndian.writeInt(message, SOURCE_QUEUE_PAIR, sourceQueuePair);
        BigEndian.writeLong(message, STATUS, (long) status << 32);
        BigEndian.writeLong(message, MAD_LENGTH, Mad.LENGTH);
        MemorySegment.copy(mad, 0, message, MAD, Mad.LENGTH);
    }
}
