package org.verbena.adapter.iwarp.mpa;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Memory outside the heap for bytes of a stream, seen as a buffer and as a segment. The views are made once. */
public final class StreamBuffer {
    private final ByteBuffer bytes;
    private final MemorySegment memory;
    /** In a chain: the buffer behind it. */
    @Nullable
    StreamBuffer next;

    /** In a chain: where its bytes end. */
    int filled;

    /** Memory of this many bytes. */
    public StreamBuffer(int capacity) {
        bytes = ByteBuffer.allocateDirect(capacity);
        memory = MemorySegment.ofBuffer(bytes);
    }

    /** The bytes; position and limit have no meaning between calls. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** The same bytes. */
    public MemorySegment memory() {
        return memory;
    }

    public int capacity() {
        return bytes.capacity();
    }

    /** Moves bytes to the beginning. */
    void moveToFront(int at, int length) {
        MemorySegment.copy(memory, at, memory, 0, length);
    }
}
