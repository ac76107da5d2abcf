package org.verbena.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The current I/O of a region that may be swapped out: which side counts operations, and where the count is. Immutable; the {@code with}
 * methods give changed copies.
 *
 * @param mode which side counts
 * @param word 8 bytes of the consumer in which the count and the quiesce indicator are; null: the library has them. The page
 *     {@code docs/reference/current-io.md} has its layout
 */
public record CurrentIoOptions(
        CurrentIo.Mode mode, @Nullable MemorySegment word) {
    /** The library has count and indicator. */
    public static CurrentIoOptions of(CurrentIo.Mode mode) {
        return new CurrentIoOptions(mode, null);
    }

    /**
     * With count and quiesce indicator in memory of the consumer, which other processes may map. The word is for one region. The library accesses it until the
     * region is closed. The consumer keeps the memory as long. If its arena is closed before, no operation is counted any more, and the region is not swapped
     * out any more.
     *
     * @param consumers native memory of 8 bytes, at a multiple of 8, accessible by every thread, writable; its value is 0 when the region is registered. If it
     *     is mapped from a file, no process cuts the file
     */
    public CurrentIoOptions withWord(MemorySegment consumers) {
        return new CurrentIoOptions(mode, consumers);
    }
}
