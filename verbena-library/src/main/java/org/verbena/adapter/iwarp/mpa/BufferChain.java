package org.verbena.adapter.iwarp.mpa;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that wait to be sent, in one buffer of the engine or in several, so that the system takes many of them at once. Without bytes it has no
 * buffer.
 */
final class BufferChain {
    private final StreamBuffers buffers;
    private @Nullable StreamBuffer first;
    private @Nullable StreamBuffer last;
    private int length;
    /** Where the bytes of the first buffer begin. */
    private int head;

    private int pending;

    BufferChain(StreamBuffers buffers) {
        this.buffers = buffers;
    }

    /** Whether {@link #provide} finds room for this many bytes. */
    boolean hasRoom(int count) {
        StreamBuffer at = last;
        if (at == null) {
            return buffers.hasForOutput();
        }
        return at.capacity() - at.filled >= count || (length < UnitWriter.BUFFERS_MAX && buffers.hasPlenty());
    }

    /** The buffer with room for this many bytes, behind those that are {@link StreamBuffer#filled}. */
    StreamBuffer provide(int count) {
        StreamBuffer at = last;
        if (at != null && at.capacity() - at.filled >= count) {
            return at;
        }
        StreamBuffer taken = buffers.take();
        assert taken != null : "no room was there";
        taken.filled = 0;
        if (at == null) {
            first = taken;
        } else {
            at.next = taken;
        }
        last = taken;
        length++;
        return taken;
    }

    /** The buffer that {@link #provide} gave last. */
    StreamBuffer last() {
        StreamBuffer at = last;
        assert at != null : "no buffer";
        return at;
    }

    /** This many bytes are to be sent, behind the others of the last buffer. */
    void add(int count) {
        last().filled += count;
        pending += count;
    }

    /** Bytes to send. */
    int pending() {
        return pending;
    }

    /** Puts the bytes to send into the array, a buffer each; how many buffers. */
    int list(ByteBuffer[] into) {
        int count = 0;
        int from = head;
        for (StreamBuffer at = first; at != null && at.filled > from; at = at.next) {
            into[count++] = at.bytes().limit(at.filled).position(from);
            from = 0;
        }
        return count;
    }

    /** The first bytes are sent. */
    void remove(int count) {
        assert count <= pending : "more bytes sent than there were";
        pending -= count;
        if (pending == 0) {
            clear();
            return;
        }
        head += count;
        for (StreamBuffer at = first; at != null && head >= at.filled; at = first) {
            head -= at.filled;
            first = at.next;
            giveBack(at);
        }
    }

    /** Forgets all bytes. */
    void clear() {
        pending = 0;
        head = 0;
        last = null;
        for (StreamBuffer at = first; at != null; at = first) {
            first = at.next;
            giveBack(at);
        }
    }

    private void giveBack(StreamBuffer buffer) {
        buffer.next = null;
        length--;
        buffers.give(buffer);
    }
}
