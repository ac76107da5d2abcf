package org.verbena.verbs;

import java.lang.foreign.MemorySegment;

/** Counts the segments of a request as operations on their regions while the request is posted. */
@FunctionalInterface
interface OperationStart {
    /** Counts nothing: for a poster in another process than the engine. */
    OperationStart NONE = (_, _, _) -> 0;

    /**
     * Counts the operations of the segments at {@code at}.
     *
     * @return the segments counted, bit 0 for the first
     * @throws org.verbena.memory.QuiescingException if the region of one begins no operation now; none is counted then
     */
    int begin(MemorySegment ring, long at, int segments);
}
