package org.verbena.adapter.iwarp;

import java.lang.foreign.MemorySegment;

/** Takes whole DDP segments that the layer below has verified, in the order in which they were sent. */
@FunctionalInterface
public interface SegmentReceiver {
    /**
     * Offers a segment.
     *
     * @param memory that has the segment; it may be overwritten after the call unless the answer is {@link Intake#LATER}
     * @param at its first byte
     * @param length bytes of header and data
     */
    Intake onSegment(MemorySegment memory, long at, int length);
}
