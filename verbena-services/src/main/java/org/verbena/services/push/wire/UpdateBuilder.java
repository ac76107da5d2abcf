package org.verbena.services.push.wire;

import java.lang.foreign.MemorySegment;

/**
 * Collects elements in a BufferRecvPoolUpdate message, in memory of the caller, without an allocation. Elements of one pool that are added one after
 * another share a part; each change of the pool begins a new part, so a pool can have several. The order within a pool is that of the calls. One
 * thread uses it.
 */
public final class UpdateBuilder {
    private static final MemorySegment NONE = MemorySegment.NULL;

    private MemorySegment segment = NONE;
    private long at;
    private long end;
    private long next;
    private long part;
    private int elements;

    /** A builder without memory: full until {@link #begin}. */
    public UpdateBuilder() {}

    /**
     * Begins a message, and forgets the one before. Its header is written at once.
     *
     * @param memory takes the message; the caller's
     * @param offset of its first byte
     * @param room bytes for it
     * @throws IllegalArgumentException if there is no room for one element
     */
    public void begin(MemorySegment memory, long offset, int room, int version, long context) {
        int least = MessageHeader.LENGTH + BufferRecvPoolUpdate.PART_HEADER + BufferRecvPoolUpdate.ELEMENT;
        if (room < least) {
            throw new IllegalArgumentException("room for " + least + " bytes expected; found " + room);
        }
        MessageHeader.write(memory, offset, MessageFunction.BUFFER_RECV_POOL_UPDATE, version, context);
        segment = memory;
        at = offset;
        end = offset + room;
        next = offset + MessageHeader.LENGTH;
        part = 0;
        elements = 0;
    }

    /**
     * Adds an element.
     *
     * @return false if there is no room for it; then nothing has changed
     */
    public boolean add(int reference, int element) {
        boolean same = elements > 0 && BufferRecvPoolUpdate.reference(segment, part) == reference;
        long index = same ? next : next + BufferRecvPoolUpdate.PART_HEADER;
        if (index + BufferRecvPoolUpdate.ELEMENT > end) {
            return false;
        }
        int count = 1;
        if (same) {
            count += BufferRecvPoolUpdate.count(segment, part);
        } else {
            part = next;
            BigEndian.writeInt(segment, part, reference);
        }
        BigEndian.writeInt(segment, part + BufferRecvPoolUpdate.COUNT, count);
        BigEndian.writeInt(segment, index, element);
        next = index + BufferRecvPoolUpdate.ELEMENT;
        elements++;
        return true;
    }

    /** Whether {@link #add} can refuse: there is no room for an element of another pool. An element of the same pool may still fit. */
    public boolean isFull() {
        return next + BufferRecvPoolUpdate.PART_HEADER + BufferRecvPoolUpdate.ELEMENT > end;
    }

    /** Elements in the message. A message with none must not be sent: it would be refused. */
    public int elements() {
        return elements;
    }

    /** Bytes of the message. */
    public int length() {
        return (int) (next - at);
    }
}
