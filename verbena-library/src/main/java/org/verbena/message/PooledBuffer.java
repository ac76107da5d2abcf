package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.verbena.verbs.LocalSegment;

/**
 * A registered buffer of a {@link BufferPool}, native and of fixed size. It belongs to the caller from {@link
 * BufferPool#take} until {@link #close}, which gives it back. A buffer that a posted work request names is given back after
 * the completion of the request. The object of a buffer is always the same.
 */
public final class PooledBuffer implements AutoCloseable {
    private final BufferPool pool;
    private final int number;
    private final MemorySegment segment;
    private final LocalSegment local;
    /** Whether it is out of the pool. Guarded by the pool's lock. */
    boolean taken;

    PooledBuffer(BufferPool pool, int number, MemorySegment segment, LocalSegment local) {
        this.pool = pool;
        this.number = number;
        this.segment = segment;
        this.local = local;
    }

    /** Its number in the pool, from 0 on. */
    public int number() {
        return number;
    }

    /** Its memory, all of it. After the pool's close every access throws {@link IllegalStateException}. */
    public MemorySegment segment() {
        return segment;
    }

    /** A new view of its memory, all of it, big-endian. */
    public ByteBuffer buffer() {
        return segment.asByteBuffer();
    }

    /** All of it, for a work request. */
    public LocalSegment local() {
        return local;
    }

    /**
     * Its first bytes, for a work request.
     *
     * @throws IllegalArgumentException if the buffer is shorter, or the length negative
     */
    public LocalSegment local(long length) {
        if (length < 0 || length > local.length()) {
            throw new IllegalArgumentException(
                    "a buffer of the pool has " + local.length() + " bytes; asked for " + length);
        }
        return new LocalSegment(local.address(), length, local.key());
    }

    BufferPool pool() {
        return pool;
    }

    /**
     * Gives it back to its pool. After the pool's close this does nothing.
     *
     * @throws IllegalStateException if it was given back already
     */
    @Override
    public void close() {
        pool.give(this);
    }

    @Override
    public String toString() {
        return "buffer " + number + " (" + local.length() + " bytes)";
    }
}
