package org.verbena.link.frame;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Bounded queue of frames, each behind an offload header: one producer, one consumer, no lock. Each entry is a word with the number of bytes, and the bytes.
 * An entry never crosses the end of the ring; {@link #REST_UNUSED} marks the rest there.
 */
final class FrameRing {
    private static final VarHandle CURSORS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int WORD = 8;
    private static final long REST_UNUSED = -1;
    private static final int HEADER = FramePort.OFFLOAD_HEADER_BYTES;

    // In cache lines (and prefetched neighbours) of their own.
    private static final int TAIL = 16;
    private static final int HEAD = 48;

    private final MemorySegment bytes;
    private final int capacity;
    private final long[] cursors = new long[80];

    // The producer's.
    private long tail;
    private long headSeen;

    // The consumer's.
    private long head;
    private long tailSeen;

    /** @param capacity bytes, a power of two */
    FrameRing(int capacity) {
        assert Integer.bitCount(capacity) == 1 : capacity;
        this.capacity = capacity;
        this.bytes = Arena.ofAuto().allocate(capacity, WORD);
    }

    MemorySegment bytes() {
        return bytes;
    }

    /**
     * Appends a frame; false if there is no room for it. The producer.
     *
     * @param headed whether a header is in front of the frame; it gets the one of a complete frame otherwise
     */
    boolean offer(MemorySegment from, long offset, int length, boolean headed) {
        int stored = headed ? length : HEADER + length;
        int needed = WORD + (stored + WORD - 1 & -WORD);
        int place = (int) (tail & (capacity - 1));
        long start = place + needed <= capacity ? tail : tail + (capacity - place);
        if (start + needed - headSeen > capacity) {
            headSeen = (long) CURSORS.getAcquire(cursors, HEAD);
            if (start + needed - headSeen > capacity) {
                return false;
            }
        }
        if (start != tail) {
            bytes.set(JAVA_LONG, place, REST_UNUSED);
        }
        long at = start & (capacity - 1);
        bytes.set(JAVA_LONG, at, stored);
        if (!headed) {
            OffloadHeader.clear(bytes, at + WORD);
        }
        MemorySegment.copy(from, offset, bytes, at + WORD + stored - length, length);
        tail = start + needed;
        CURSORS.setRelease(cursors, TAIL, tail);
        return true;
    }

    /** Whether no frame is there. The consumer. */
    boolean isEmpty() {
        if (head == tailSeen) {
            tailSeen = (long) CURSORS.getAcquire(cursors, TAIL);
        }
        return head == tailSeen;
    }

    /** The place of the first frame's header; the ring is not empty. The consumer. */
    long at() {
        if (bytes.get(JAVA_LONG, head & (capacity - 1)) == REST_UNUSED) {
            head += capacity - (head & (capacity - 1));
        }
        return (head & (capacity - 1)) + WORD;
    }

    /** The bytes of the frame at a place, with its header. The consumer. */
    int length(long at) {
        return (int) bytes.get(JAVA_LONG, at - WORD);
    }

    /** Gives back the room of the first frame, whose place was asked for. The consumer. */
    void release(int length) {
        head += WORD + (length + WORD - 1 & -WORD);
        CURSORS.setRelease(cursors, HEAD, head);
    }
}
