package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/**
 * A BufferRecvPoolGet message: the initiator asks for one more pool.
 *
 * @param elementBytes size of each element, unsigned
 * @param elements their number, unsigned
 */
public record BufferRecvPoolGet(int elementBytes, int elements) {
    /** Bytes of a message. */
    public static final int MESSAGE_LENGTH = MessageHeader.LENGTH + 8;

    private static final int ELEMENT_BYTES = MessageHeader.LENGTH;
    private static final int ELEMENTS = ELEMENT_BYTES + 4;

    /** Reads the body of the message at {@code at}. */
    public static BufferRecvPoolGet read(MemorySegment segment, long at) {
        return new BufferRecvPoolGet(
                BigEndian.readInt(segment, at + ELEMENT_BYTES), BigEndian.readInt(segment, at + ELEMENTS));
    }

    /** Writes the whole message at {@code at}. */
    public void write(MemorySegment segment, long at, int version, long context) {
        MessageHeader.write(segment, at, MessageFunction.BUFFER_RECV_POOL_GET, version, context);
        BigEndian.writeInt(segment, at + ELEMENT_BYTES, elementBytes);
        BigEndian.writeInt(segment, at + ELEMENTS, elements);
    }

    /** Whether a pool can have this shape: both numbers are positive and not over their limits. If not, the message is {@link Refusal#BAD_SHAPE}. */
    public boolean hasShape(int elementsMax, int elementBytesMax) {
        return elements > 0 && elements <= elementsMax && elementBytes > 0 && elementBytes <= elementBytesMax;
    }
}
