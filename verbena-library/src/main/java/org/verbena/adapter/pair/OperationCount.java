package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.LocalSegments;

/**
 * Counts work requests as operations on the regions of their segments: in when they are posted, out when they are retired.
 * Only regions that may be swapped out and buffers of a registration table are counted, and the slot remembers which, a bit for each segment. Any thread.
 */
public final class OperationCount {
    private final ProtectionTable memory;
    private final @Nullable ProtectionDomain domain;

    /**
     * For one queue.
     *
     * @param domain of its queue pair; null if several may take from it
     */
    public OperationCount(ProtectionTable memory, @Nullable ProtectionDomain domain) {
        this.memory = memory;
        this.domain = domain;
    }

    /**
     * Counts the segments at {@code at} of a ring in.
     *
     * @param already which are counted already, by the registration table
     * @return which are counted now
     * @throws org.verbena.memory.QuiescingException if the region of one begins no operation now; no more than {@code already} are counted then
     */
    public int begin(MemorySegment ring, long at, int segments, int already) {
        return memory.countsOperations() ? already | count(ring, at, segments, already) : already;
    }

    private int count(MemorySegment ring, long at, int segments, int already) {
        int counted = 0;
        try {
            for (int i = 0; i < segments; i++) {
                if ((already & 1 << i) == 0 && memory.beginOperation(domain, key(ring, at, i))) {
                    counted |= 1 << i;
                }
            }
            return counted;
        } catch (IllegalStateException refused) {
            end(ring, at, segments, counted);
            throw refused;
        }
    }

    /** Counts segments at {@code at} of a ring out. Bits of {@code counted} beyond the slot's room are forged and ignored. */
    public void end(MemorySegment ring, long at, int segmentsMax, int counted) {
        int known = Math.min(segmentsMax, Integer.SIZE);
        for (int left = counted; left != 0; left &= left - 1) {
            int segment = Integer.numberOfTrailingZeros(left);
            if (segment >= known) {
                return;
            }
            memory.endOperation(domain, key(ring, at, segment));
        }
    }

    /** Counts segments of a list that was taken from a ring out. */
    void end(SegmentList segments, int counted) {
        for (int left = counted; left != 0; left &= left - 1) {
            int segment = Integer.numberOfTrailingZeros(left);
            if (segment >= segments.count()) {
                return;
            }
            memory.endOperation(domain, segments.key(segment));
        }
    }

    private static int key(MemorySegment ring, long at, int segment) {
        return LocalSegments.key(ring, at + (long) segment * LocalSegments.LENGTH);
    }
}
