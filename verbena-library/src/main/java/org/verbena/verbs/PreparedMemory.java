package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.protection.MemoryRange;

/**
 * Memory that a {@link WorkRequest.Register} puts behind a key: a range of memory, the address of its first byte under the key, and the rights on it.
 * Checked when it is made. Immutable: one object can be registered any number of times, under any key, by any queue pair.
 *
 * <p>The object holds no memory. Managed memory cannot be closed from the post of a request with it until the request has failed, or until its key
 * is invalidated, closed or registered anew. Foreign memory can be closed at any time; the request then completes in error, and accesses are refused.
 */
public final class PreparedMemory {
    private final MemoryRange range;

    private PreparedMemory(MemoryRange range) {
        this.range = range;
    }

    /**
     * All of a native segment of the consumer, under its own addresses. A slice of a segment is a segment.
     *
     * @param rights LOCAL_READ is implied
     * @throws IllegalArgumentException if the segment is not native, not alive, not accessible by every thread, or empty; or if the rights contradict
     *     each other or a read-only segment
     */
    public static PreparedMemory of(MemorySegment foreign, Set<Right> rights) {
        return of(foreign, foreign.address(), rights);
    }

    /**
     * All of a native segment of the consumer, under other addresses.
     *
     * @param address of its first byte under the key
     * @throws IllegalArgumentException as for {@link #of(MemorySegment, Set)}; or if the range wraps around the end of the address space
     */
    public static PreparedMemory of(MemorySegment foreign, long address, Set<Right> rights) {
        return new PreparedMemory(MemoryRange.of(foreign, address, rights));
    }

    /**
     * Part of managed memory.
     *
     * @param offset of its first byte in the memory
     * @param length bytes, at least 1
     * @param address of its first byte under the key
     * @param rights LOCAL_READ is implied
     * @throws IndexOutOfBoundsException if the part is not within the memory
     * @throws IllegalArgumentException if the rights contradict each other, or the range wraps around the end of the address space
     */
    public static PreparedMemory of(ManagedMemory managed, long offset, long length, long address, Set<Right> rights) {
        return new PreparedMemory(MemoryRange.of(managed, offset, length, address, rights));
    }

    /** The address of its first byte under the key. */
    public long address() {
        return range.address();
    }

    /** Bytes. */
    public long length() {
        return range.length();
    }

    /** Pages of 4 KiB that it touches: the room that its key needs, see {@link Adapter#reserve(org.verbena.memory.ProtectionDomain, int)}. */
    public long pages() {
        return range.pages();
    }

    /** The descriptor of this memory under a key, to be told to a peer: with its length, and its remote rights. */
    public RemoteMemory remote(int key) {
        return new RemoteMemory(range.address(), key, range.length(), Right.ofMask(range.rights()));
    }

    MemoryRange range() {
        return range;
    }

    @Override
    public String toString() {
        return "prepared memory of " + range;
    }
}
