package org.verbena.adapter.iwarp.mpa;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of all streams of an engine. A stream has one only while bytes are in it, so that idle streams cost no buffer. The
 * number is bounded; a stream that finds none waits. Bytes to send take three quarters of the buffers at most: peers that do not read cannot
 * stop the input of other streams. Input that waits is put aside when buffers are short. The engine's thread.
 */
public final class StreamBuffers {
    private final int capacity;
    private final int max;
    private final ArrayDeque<StreamBuffer> free = new ArrayDeque<>();
    private int made;
    /** A stream found no buffer. */
    private boolean refused;
    /** A buffer came back after that. */
    private boolean relieved;

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

    /** A buffer for input that belongs to the caller until it is given back; null if all are taken. */
    public @Nullable StreamBuffer take() {
        StreamBuffer found = free.pollLast();
        if (found == null && made < max) {
            made++;
            return new StreamBuffer(capacity);
        }
        refused |= found == null;
        return found;
    }

    /** Whether a stream without bytes to send can take a buffer for some. */
    boolean hasForOutput() {
        boolean has = taken() < max - max / 4;
        refused |= !has;
        return has;
    }

    /** Whether so many buffers are free that a stream with bytes to send may take another, and one whose input waits may keep its own. */
    public boolean hasPlenty() {
        return taken() < max / 2;
    }

    /** Whether a buffer came back since a stream found none: then all streams that wait may ask again. Asking resets it. */
    public boolean takeRelief() {
        boolean relief = relieved;
        relieved = false;
        return relief;
    }

    /** Gives a buffer back. */
    public void give(StreamBuffer buffer) {
        free.addLast(buffer);
        relieved |= refused;
        refused = false;
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
