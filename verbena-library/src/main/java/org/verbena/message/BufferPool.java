package org.verbena.message;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.time.Durations;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.LocalSegment;

/**
 * A fixed number of registered native buffers of one size, cut from one region. The pool owns memory and region. Any thread
 * takes and gives; both allocate nothing. The buffer that was given last is taken first.
 */
public final class BufferPool implements AutoCloseable {
    private static final long ALIGNMENT = 64;

    private final Arena arena;
    private final Region region;
    private final int bufferSize;
    private final PooledBuffer[] all;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** The free ones: the first {@code available}. */
    private final PooledBuffer[] free;

    private int available;
    private boolean closed;

    private BufferPool(Arena arena, Region region, MemorySegment memory, int bufferSize, int count) {
        this.arena = arena;
        this.region = region;
        this.bufferSize = bufferSize;
        this.all = new PooledBuffer[count];
        this.free = new PooledBuffer[count];
        this.available = count;
        long stride = stride(bufferSize);
        for (int i = 0; i < count; i++) {
            MemorySegment part = memory.asSlice(i * stride, bufferSize);
            all[i] = new PooledBuffer(this, i, part, LocalSegment.of(region, i * stride, bufferSize));
            free[count - 1 - i] = all[i];
        }
    }

    /**
     * Makes a pool.
     *
     * @param domain of the queue pairs that use the buffers
     * @param bufferSize bytes of a buffer, at least 1
     * @param count buffers, at least 1
     * @param rights of the region; LOCAL_READ is implied
     * @throws IllegalArgumentException if a number is less than 1, the rights contradict each other, or the domain belongs to
     *     another adapter
     * @throws IllegalStateException if the domain is closed, or the adapter has all the regions it can have
     * @throws OutOfMemoryError if there is no such amount of native memory
     */
    public static BufferPool create(
            Adapter adapter, ProtectionDomain domain, int bufferSize, int count, Set<Right> rights) {
        requirePositive("bufferSize", bufferSize);
        requirePositive("count", count);
        Arena arena = Arena.ofShared();
        try {
            MemorySegment memory = arena.allocate(stride(bufferSize) * count, ALIGNMENT);
            Region region = adapter.register(domain, memory, rights);
            return new BufferPool(arena, region, memory, bufferSize, count);
        } catch (RuntimeException | Error refused) {
            arena.close();
            throw refused;
        }
    }

    private static void requirePositive(String name, int found) {
        if (found < 1) {
            throw new IllegalArgumentException(name + " must be at least 1; found " + found);
        }
    }

    private static long stride(int bufferSize) {
        return (bufferSize + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    /**
     * Takes a buffer, if one is free. Does not wait.
     *
     * @return null if all are taken
     * @throws IllegalStateException if the pool is closed
     */
    public @Nullable PooledBuffer tryTake() {
        lock.lock();
        try {
            requireOpen();
            return available == 0 ? null : pop();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes a buffer that must be free. Does not wait.
     *
     * @throws IllegalStateException if all are taken, or the pool is closed
     */
    public PooledBuffer take() {
        PooledBuffer buffer = tryTake();
        if (buffer == null) {
            throw new IllegalStateException(
                    "all " + all.length
                            + " buffers of the pool are taken: give some back, make the pool larger, or take with a time limit");
        }
        return buffer;
    }

    /**
     * Takes a buffer; waits for one if all are taken.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @return null when the time is over
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if the pool is closed, before or meanwhile
     */
    public @Nullable PooledBuffer take(Duration timeout) throws InterruptedException {
        long leftNs = Durations.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            requireOpen();
            while (available == 0) {
                if (leftNs <= 0) {
                    return null;
                }
                leftNs = changed.awaitNanos(leftNs);
                requireOpen();
            }
            return pop();
        } finally {
            lock.unlock();
        }
    }

    private PooledBuffer pop() {
        PooledBuffer buffer = free[--available];
        buffer.taken = true;
        return buffer;
    }

    /**
     * Gives a buffer back. After {@link #close} this does nothing.
     *
     * @throws IllegalArgumentException if the buffer belongs to another pool
     * @throws IllegalStateException if the buffer was given back already
     */
    public void give(PooledBuffer buffer) {
        if (buffer.pool() != this) {
            throw new IllegalArgumentException(buffer + " belongs to another pool");
        }
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (!buffer.taken) {
                throw new IllegalStateException(buffer + " was given back already");
            }
            buffer.taken = false;
            free[available++] = buffer;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the buffer pool is closed");
        }
    }

    /** Buffers that are free now. */
    public int available() {
        lock.lock();
        try {
            return available;
        } finally {
            lock.unlock();
        }
    }

    /** Buffers of the pool, free and taken. */
    public int count() {
        return all.length;
    }

    /** Bytes of a buffer. */
    public int bufferSize() {
        return bufferSize;
    }

    /** The region that the buffers are cut from. */
    public Region region() {
        return region;
    }

    /**
     * Deregisters and frees the memory, that of taken buffers included. Work requests that still name a buffer are refused by
     * the adapter; a waiting thread gets {@link IllegalStateException}. A second call does nothing.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        region.close();
        arena.close();
    }

    @Override
    public String toString() {
        return "buffer pool (" + available() + " of " + all.length + " free, " + bufferSize + " bytes each)";
    }
}
