package org.verbena.verbs;

import java.lang.foreign.MemorySegment;

/** Counts the segments of a request as operations on their regions while the request is posted. */
interface OperationStart {
    /** Counts nothing: for a poster in another process than the engine. */
    OperationStart NONE = new OperationStart() {
        @Override
        public int begin(MemorySegment ring, long at, int segments, int already) {
            return already;
        }

        @Override
        public void end(MemorySegment ring, long at, int segments, int counted) {}
    };

    /**
     * Counts the operations of the segments at {@code at}.
     *
     * @param already segments that are counted, bit 0 for the first
     * @return the segments counted, those included
     * @throws org.verbena.memory.QuiescingException if the region of one begins no operation now; no more than {@code already} are counted then
     */
    int begin(MemorySegment ring, long at, int segments, int already);

    /** Counts segments out, because the request is not posted. */
    void end(MemorySegment ring, long at, int segments, int counted);
}
