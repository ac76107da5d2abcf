package org.verbena.memory.registration;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.protection.StateWord;
import org.verbena.memory.protection.TableRegion;

/**
 * Registered buffers that stand for memory which the adapter cannot use where it is. Data is copied into a buffer when it is posted, and back, if the memory is a target,
 * before the completion. A buffer is in use as long as an operation is counted on its region. Any thread.
 */
public final class CopyPool {
    /** Bytes of all buffers. When all are in use, one more copy finds no room; a single copy of more bytes is refused. */
    public static final long BYTES_MAX = 16L << 20;

    private static final long BYTES_MIN = 4096;

    private final ProtectionTable memory;
    private final Set<Right> rights;
    private final ReentrantLock lock = new ReentrantLock();
    // Under the lock:
    private final List<CopyBuffer> buffers = new ArrayList<>();
    private long bytes;

    private CopyPool(ProtectionTable memory, Set<Right> rights) {
        this.memory = memory;
        this.rights = rights;
        memory.onDomainClosing(this::onDomainClosing);
    }

    /** An empty pool of buffers that the adapter sends from. */
    public static CopyPool ofSources(ProtectionTable memory) {
        return new CopyPool(memory, Set.of(Right.LOCAL_READ));
    }

    /**
     * An empty pool of buffers that the adapter receives into. It has its bytes for itself, so that receives that wait for messages do not keep others from sending.
     */
    public static CopyPool ofTargets(ProtectionTable memory) {
        return new CopyPool(memory, Set.of(Right.LOCAL_READ, Right.LOCAL_WRITE));
    }

    /** Data that was copied. */
    public interface Copy {
        /** Of its first byte. */
        long address();

        /** Of the buffer. */
        int key();
    }

    /** One buffer. */
    private static final class CopyBuffer implements Copy {
        final Arena arena;
        final MemorySegment memory;
        final TableRegion region;
        private final StateWord word;
        /** Set while the buffer stands for a target: by the thread that posts, then by the thread that ends the operation. */
        private @Nullable MemorySegment target;

        CopyBuffer(Arena arena, MemorySegment memory, TableRegion region) {
            this.arena = arena;
            this.memory = memory;
            this.region = region;
            this.word = region.currentIo().word();
            region.currentIo().beforeEnd(this::copyBack);
        }

        void begin(MemorySegment data, @Nullable MemorySegment goal) {
            MemorySegment.copy(data, 0, memory, 0, data.byteSize());
            target = goal;
            StateWord.Beginning begun = word.beginOperation();
            assert begun == StateWord.Beginning.BEGUN : begun;
        }

        private void copyBack() {
            MemorySegment goal = target;
            if (goal != null) {
                target = null;
                MemorySegment.copy(memory, 0, goal, 0, goal.byteSize());
            }
        }

        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public int key() {
            return region.key();
        }

        boolean isFree() {
            return word.operations() == 0;
        }
    }

    /**
     * Copies data into a buffer and counts an operation on it.
     *
     * @param data not empty; accessible by this thread
     * @return null if all buffers are in use
     * @throws IllegalArgumentException if the data has more than {@link #BYTES_MAX} bytes
     */
    public @Nullable Copy copy(ProtectionDomain domain, MemorySegment data) {
        return begin(domain, data, null);
    }

    /**
     * Takes a buffer for memory on the heap that the adapter writes to, and counts an operation on it. The thread that ends the operation copies all its bytes back; those
     * that the adapter has not written have the values that they have now.
     *
     * @param heap not empty, on the heap
     * @return null if all buffers are in use
     * @throws IllegalArgumentException if it is read-only, or has more than {@link #BYTES_MAX} bytes
     */
    public @Nullable Copy target(ProtectionDomain domain, MemorySegment heap) {
        if (heap.isReadOnly()) {
            throw Buffers.readOnly(heap);
        }
        return begin(domain, heap, heap);
    }

    private @Nullable Copy begin(ProtectionDomain domain, MemorySegment data, @Nullable MemorySegment goal) {
        long length = data.byteSize();
        if (length > BYTES_MAX) {
            throw new IllegalArgumentException("at most " + BYTES_MAX + " bytes are copied; found " + length
                    + ": use native memory, which is not copied");
        }
        lock.lock();
        try {
            CopyBuffer buffer = free(domain, length);
            if (buffer == null) {
                buffer = make(domain, length);
            }
            if (buffer == null) {
                return null;
            }
            buffer.begin(data, goal);
            return buffer;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable CopyBuffer free(ProtectionDomain domain, long length) {
        for (int i = 0; i < buffers.size(); i++) {
            CopyBuffer buffer = buffers.get(i);
            boolean fits =
                    buffer.memory.byteSize() >= length && buffer.memory.byteSize() / 4 <= Math.max(length, BYTES_MIN);
            if (fits && buffer.region.domain() == domain && buffer.isFree()) {
                return buffer;
            }
        }
        return null;
    }

    private @Nullable CopyBuffer make(ProtectionDomain domain, long length) {
        long size = Math.max(BYTES_MIN, Long.highestOneBit(2 * length - 1));
        for (int i = buffers.size() - 1; i >= 0 && bytes + size > BYTES_MAX; i--) {
            if (buffers.get(i).isFree()) {
                end(i);
            }
        }
        if (bytes + size > BYTES_MAX) {
            return null;
        }
        Arena arena = Arena.ofShared();
        try {
            MemorySegment segment = arena.allocate(size, BYTES_MIN);
            CopyBuffer buffer = new CopyBuffer(arena, segment, memory.registerCounted(domain, segment, rights));
            buffers.add(buffer);
            bytes += size;
            return buffer;
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private void end(int index) {
        CopyBuffer buffer = buffers.remove(index);
        bytes -= buffer.memory.byteSize();
        buffer.region.close();
        buffer.arena.close();
    }

    private void onDomainClosing(ProtectionDomain domain) {
        lock.lock();
        try {
            for (int i = buffers.size() - 1; i >= 0; i--) {
                if (buffers.get(i).region.domain() == domain && buffers.get(i).isFree()) {
                    end(i);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Frees all buffers. Called when no queue pair is open. */
    public void close() {
        lock.lock();
        try {
            while (!buffers.isEmpty()) {
                end(buffers.size() - 1);
            }
        } finally {
            lock.unlock();
        }
    }
}
