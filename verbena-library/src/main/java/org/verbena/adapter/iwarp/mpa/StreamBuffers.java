package org.verbena.adapter.iwarp.mpa;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of all streams of an engine. A stream has one only while bytes are in it, so that idle streams cost no buffer. The
 * number is bounded; a stream that finds none waits. The engine's thread.
 */
public final class StreamBuffers {
    private final int capacity;
    private final int max;
    private final ArrayDeque<StreamBuffer> free = new ArrayDeque<>();
    private int made;

    /**
     * No buffer yet.
     *
     * @param capacity bytes of each buffer
     * @param max number of buffers that are made at most
     */
    public StreamBuffers(int capacity, int max) {
        this.capacity = capacity;
        this.max = max;
    }

    /** A buffer that belongs to the caller until it is given back; null if all are taken. */
    public @Nullable StreamBuffer take() {
        StreamBuffer found = free.pollLast();
        if (found == null && made < max) {
            made++;
            return new StreamBuffer(capacity);
        }
        return found;
    }

    /** Whether a buffer can be taken. */
    public boolean hasFree() {
        return made < max || !free.isEmpty();
    }

    /** Gives a buffer back. */
    public void give(StreamBuffer buffer) {
        free.addLast(buffer);
    }

    /** Bytes of each buffer. */
    public int capacity() {
        return capacity;
    }

    /** Buffers that are taken now. */
    public int taken() {
        return made - free.size();
    }
}
