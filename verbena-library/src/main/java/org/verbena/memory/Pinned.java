package org.verbena.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A range of managed memory that stays in its frames until this is closed. It is for the thread that pinned it, or for all threads
 * if it came from {@link ManagedMemory#pinShared}. Its segments end with it: their use after {@link #close} or by another thread
 * throws an exception.
 *
 * <p>Peers may read and write the memory meanwhile, as they may any registered memory.
 */
public interface Pinned extends AutoCloseable {
    /** The use of the range. */
    enum Mode {
        /** It is read; its segments are read-only. */
        READ,
        /** It is read and written. */
        WRITE,
        /** All of it is written before it is read: its present content need not be brought in, and may read as zeros. */
        OVERWRITE
    }

    /** Bytes. */
    long length();

    /** Whether the range is in one piece, so that {@link #segment} is the memory itself. */
    boolean isInPlace();

    /**
     * The memory itself, piece by piece, in order.
     *
     * @throws IllegalStateException if {@link #segment} has made a copy: the copy is written back over all pieces
     */
    List<MemorySegment> pieces();

    /**
     * The range in one segment: the memory itself if it is in one piece, else a copy made now. Unless the mode is READ, all of the
     * copy is written back when this is closed; bytes that peers wrote there meanwhile are lost. {@link #pieces} avoids that.
     */
    MemorySegment segment();

    /**
     * Writes a copy back and unpins the pages. Idempotent.
     *
     * @throws WrongThreadException if another thread has pinned it; nothing changes then
     */
    @Override
    void close();
}
