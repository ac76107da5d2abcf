package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Region;
import org.verbena.memory.registration.Buffers;

/**
 * A piece of the consumer's memory: part of a registered {@link Region}, any native buffer, or memory on the heap that is {@linkplain #copied copied}. A buffer needs no
 * registration: the {@linkplain org.verbena.memory.RegistrationTable registration table} of the queue pair finds its key at each post, and registers it if it is new.
 *
 * <p>The memory belongs to the adapter from the post until the completion: bytes that the consumer writes meanwhile may be sent or not, bytes that it reads
 * may be received or not. The arena of a buffer stays open until the completion; if not, the request completes in error and touches nothing.
 *
 * @param address of the first byte: under the region's key, or of the buffer
 * @param length bytes, 0 … 2<sup>31</sup>
 * @param key of the region; 0 for a buffer
 * @param buffer native memory, or memory on the heap that is copied; null for part of a region
 */
public record LocalSegment(
        long address, long length, int key, @Nullable MemorySegment buffer) {
    /**
     * Checks the length.
     *
     * @throws IllegalArgumentException if it is out of range, or address and length are not those of the buffer
     */
    public LocalSegment {
        if (length < 0 || length > 1L << 31) {
            throw new IllegalArgumentException("a segment has 0 … 2^31 bytes; found " + length);
        }
        if (buffer != null && (address != buffer.address() || length != buffer.byteSize() || key != 0)) {
            throw new IllegalArgumentException("address and length of the buffer, and key 0, expected; found address 0x"
                    + Long.toHexString(address) + ", length " + length + ", key " + key);
        }
    }

    /**
     * Part of a region, by its key.
     *
     * @throws IllegalArgumentException if the length is out of range
     */
    public LocalSegment(long address, long length, int key) {
        this(address, length, key, null);
    }

    /**
     * All of a region.
     *
     * @throws IllegalArgumentException if the region has more than 2<sup>31</sup> bytes
     * @throws IllegalStateException if the region is closed
     */
    public static LocalSegment of(Region region) {
        return of(region, 0, region.length());
    }

    /**
     * Part of a region. Whether it lies inside the region is checked when it is used: all segments of a request before its first byte leaves or lands.
     *
     * @throws IllegalArgumentException if the length is out of range
     * @throws IllegalStateException if the region is closed
     */
    public static LocalSegment of(Region region, long offset, long length) {
        return new LocalSegment(region.address() + offset, length, region.key());
    }

    /**
     * All of a native buffer; a slice of it is a buffer too. A read-only one can be sent from, and not received into.
     *
     * @throws IllegalArgumentException if it is on the heap, has more than 2<sup>31</sup> bytes, or belongs to an arena that is confined to one thread
     * @throws IllegalStateException if its arena is closed
     */
    public static LocalSegment of(MemorySegment buffer) {
        Buffers.requireUsable(buffer);
        return new LocalSegment(buffer.address(), buffer.byteSize(), 0, buffer);
    }

    /**
     * The bytes of a direct buffer from its position to its limit. The position stays; later changes of it have no effect.
     *
     * @throws IllegalArgumentException if it is not direct
     * @throws IllegalStateException if it belongs to an arena that is closed
     */
    public static LocalSegment of(ByteBuffer buffer) {
        return of(MemorySegment.ofBuffer(buffer));
    }

    /**
     * Memory on the heap, which an adapter cannot use where it is: it is copied into a buffer of the adapter at each post. That of a receive, read or atomic is copied back before
     * the consumer can see the completion, as a whole: bytes that the adapter has not written keep the values that they had at the post. Native memory is faster.
     *
     * <p>A post returns false while the 16 MiB of these buffers are in use; receives, reads and atomics have 16 MiB for themselves.
     *
     * @param heap at most 16 MiB; one that is read-only can be sent from only
     * @throws IllegalArgumentException if it is not on the heap: {@link #of(MemorySegment)} takes native memory, {@link Payload#copied(MemorySegment)} that of a confined arena
     */
    public static LocalSegment copied(MemorySegment heap) {
        if (heap.isNative()) {
            throw new IllegalArgumentException(
                    "memory on the heap expected; found native memory of " + heap.byteSize()
                            + " bytes, which needs no copy: LocalSegment.of takes it, unless its arena is confined to one thread");
        }
        return new LocalSegment(heap.address(), heap.byteSize(), 0, heap);
    }

    /** An array, which is copied: see {@link #copied(MemorySegment)}. */
    public static LocalSegment copied(byte[] array) {
        return copied(MemorySegment.ofArray(array));
    }
}
