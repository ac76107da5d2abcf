package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/** A BufferRDMAIndicate message: the elements that the initiator has filled, in the order of the transfers. */
public final class BufferRdmaIndicate {
    /** Bytes of a transfer. */
    public static final int PART = 12;

    private static final int ELEMENT = 4;
    private static final int SIZE = 8;

    private BufferRdmaIndicate() {}

    /** Bytes of a message with this many transfers. */
    public static int messageLength(int transfers) {
        return MessageHeader.LENGTH + transfers * PART;
    }

    /** Number of transfers in a message of this length. */
    public static int transfers(int messageLength) {
        return (messageLength - MessageHeader.LENGTH) / PART;
    }

    /** Writes the header of a message at {@code at}. */
    public static void write(MemorySegment segment, long at, int version, long context) {
        MessageHeader.write(segment, at, MessageFunction.BUFFER_RDMA_INDICATE, version, context);
    }

    /** Writes transfer {@code index} of the message at {@code at}. */
    public static void writeTransfer(MemorySegment segment, long at, int index, int pool, int element, int size) {
        long part = part(at, index);
        BigEndian.writeInt(segment, part, pool);
        BigEndian.writeInt(segment, part + ELEMENT, element);
        BigEndian.writeInt(segment, part + SIZE, size);
    }

    /** Pool reference of transfer {@code index} of the message at {@code at}. */
    public static int pool(MemorySegment segment, long at, int index) {
        return BigEndian.readInt(segment, part(at, index));
    }

    /** Element of transfer {@code index}, unsigned. */
    public static int element(MemorySegment segment, long at, int index) {
        return BigEndian.readInt(segment, part(at, index) + ELEMENT);
    }

    /** Bytes of transfer {@code index}, unsigned. */
    public static int size(MemorySegment segment, long at, int index) {
        return BigEndian.readInt(segment, part(at, index) + SIZE);
    }

    private static long part(long at, int index) {
        return at + MessageHeader.LENGTH + (long) index * PART;
    }
}
