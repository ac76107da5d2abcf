package org.verbena.memory;

import java.lang.foreign.MemorySegment;

/**
 * Memory in frames of machine memory. Pages of wired memory stay in their frames. Pages of paged memory come and go, so that there
 * may be far more of it than of machine memory. The consumer reads and writes it by copies, or in place through
 * {@link #pin}; a page that is not in machine memory is brought in while the caller waits. Any thread.
 */
public interface ManagedMemory extends AutoCloseable {
    /** Bytes. */
    long length();

    /**
     * Copies all of the source to an offset of this memory.
     *
     * @throws PageTimeoutException if a page does not come in time; the bytes before it may be copied already
     * @throws IndexOutOfBoundsException if not all of the range is within the memory
     * @throws IllegalStateException if a page is lost, or the memory is closed
     */
    void write(long offset, MemorySegment source);

    /**
     * Fills all of the target from an offset of this memory.
     *
     * @throws PageTimeoutException if a page does not come in time
     * @throws IndexOutOfBoundsException if not all of the range is within the memory
     * @throws IllegalStateException if a page is lost, or the memory is closed
     */
    void read(long offset, MemorySegment target);

    /**
     * Pins a range for this thread, and waits for the pages that have to be brought in; an interrupt does not end the wait and is
     * kept. The memory cannot be closed before the pin.
     *
     * @throws PageTimeoutException if none of the missing pages comes in time
     * @throws IndexOutOfBoundsException if not all of the range is within the memory
     * @throws IllegalArgumentException if the length is 0
     * @throws IllegalStateException if too many pages would be pinned, a page is lost, or the memory is closed
     */
    Pinned pin(long offset, long length, Pinned.Mode mode);

    /**
     * Like {@link #pin}, for all threads. Closing such a pin stops all threads of the virtual machine for a moment: for ranges that
     * stay pinned long, not for single accesses.
     */
    Pinned pinShared(long offset, long length, Pinned.Mode mode);

    /** Says how a range will be used. Never waits; does nothing to wired memory. */
    void advise(long offset, long length, Advice advice);

    /** Number of bytes from an offset on that are in one piece; of paged memory, at this moment. */
    long contiguousFrom(long offset);

    /** The state of every page now. Takes a time in proportion to the number of pages. */
    Residency residency();

    /** Bytes of the tables that say where its pages are. */
    long metadataBytes();

    /** Registrations, pins and copies that are open. */
    int uses();

    /**
     * Gives the frames back. Idempotent.
     *
     * @throws IllegalStateException if it is registered or pinned; nothing changes then
     */
    @Override
    void close();
}
