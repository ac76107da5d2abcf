package org.verbena.link.frame;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** The bounds of frames, and of the memory that a caller gives for them. */
final class FrameBounds {
    /** Bytes of an Ethernet header, without a VLAN tag. */
    static final int ETHERNET_BYTES = 14;

    /** Bytes of a VLAN tag. */
    static final int TAG_BYTES = 4;

    private FrameBounds() {}

    /**
     * The address of a range of native memory.
     *
     * @throws IllegalArgumentException if the memory is on the heap
     * @throws IndexOutOfBoundsException if the range is not in the segment
     */
    static long address(MemorySegment segment, long offset, int length) {
        check(segment, offset, length);
        return segment.address() + offset;
    }

    /** The same checks alone. */
    static void check(MemorySegment segment, long offset, int length) {
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        if (!segment.isNative()) {
            throw new IllegalArgumentException("memory on the heap found, native memory for a frame expected");
        }
    }
}
