package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/**
 * One pool in a BufferRecvPool message: an array of elements of one size.
 *
 * @param context what the pool is for, as the layer above says
 * @param address of the first element in the target's memory
 * @param key that grants the access
 * @param elements their number, unsigned
 * @param elementBytes size of each, unsigned
 * @param reference name of the pool on the connection
 */
public record BufferRecvPool(long context, long address, int key, int elements, int elementBytes, int reference) {
    /** Bytes of one pool on the wire. */
    public static final int LENGTH = 32;

    private static final int ADDRESS = 8;
    private static final int KEY = 16;
    private static final int ELEMENTS = 20;
    private static final int ELEMENT_BYTES = 24;
    private static final int REFERENCE = 28;

    /** Bytes of a message with this many pools. */
    public static int messageLength(int pools) {
        return MessageHeader.LENGTH + pools * LENGTH;
    }

    /** Number of pools in a message of this length. */
    public static int pools(int messageLength) {
        return (messageLength - MessageHeader.LENGTH) / LENGTH;
    }

    /** Reads pool {@code index} of the message at {@code at}. */
    public static BufferRecvPool read(MemorySegment segment, long at, int index) {
        long part = part(at, index);
        return new BufferRecvPool(
                BigEndian.readLong(segment, part),
                BigEndian.readLong(segment, part + ADDRESS),
                BigEndian.readInt(segment, part + KEY),
                BigEndian.readInt(segment, part + ELEMENTS),
                BigEndian.readInt(segment, part + ELEMENT_BYTES),
                BigEndian.readInt(segment, part + REFERENCE));
    }

    /** Writes it as pool {@code index} of the message at {@code at}. */
    public void write(MemorySegment segment, long at, int index) {
        long part = part(at, index);
        BigEndian.writeLong(segment, part, context);
        BigEndian.writeLong(segment, part + ADDRESS, address);
        BigEndian.writeInt(segment, part + KEY, key);
        BigEndian.writeInt(segment, part + ELEMENTS, elements);
        BigEndian.writeInt(segment, part + ELEMENT_BYTES, elementBytes);
        BigEndian.writeInt(segment, part + REFERENCE, reference);
    }

    /**
     * Whether an initiator can use a pool of this shape: it has elements, they have bytes, neither number is over its limit, and the last byte has an
     * address. If not, the pool is refused as {@link Refusal#BAD_SHAPE}.
     *
     * @param elementsMax elements at most, positive
     * @param elementBytesMax bytes of an element at most, positive
     */
    public boolean hasShape(int elementsMax, int elementBytesMax) {
        return elements > 0
                && elements <= elementsMax
                && elementBytes > 0
                && elementBytes <= elementBytesMax
                && Long.compareUnsigned(address + (bytes() - 1), address) >= 0;
    }

    /** Bytes of all elements. Exact if both numbers are positive. */
    public long bytes() {
        return (long) elements * elementBytes;
    }

    private static long part(long at, int index) {
        return at + MessageHeader.LENGTH + (long) index * LENGTH;
    }
}
