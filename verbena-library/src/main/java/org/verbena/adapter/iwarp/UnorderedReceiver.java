package org.verbena.adapter.iwarp;

import java.lang.foreign.MemorySegment;

/** Takes whole DDP segments that the layer below has verified, in any order. */
@FunctionalInterface
public interface UnorderedReceiver {
    /**
     * Offers a segment. After {@link Intake#LATER} other segments may be offered before it; the layer below offers it again, from memory or
     * because its sender sends it again.
     *
     * @param number of the segment: the sender counts its segments, from 0
     * @param memory that has the segment; it may be overwritten after the call
     * @param at its first byte
     * @param length bytes of header and data
     */
    Intake onSegment(long number, MemorySegment memory, long at, int length);
}
