package org.verbena.adapter.pair;

import java.lang.foreign.MemorySegment;

/** The receive that a message is being placed into. */
public final class ReceiveWork {
    private final SegmentList segments;
    private boolean held;
    private long id;
    private int counted;

    /** For receives with this number of bytes of segments. */
    public ReceiveWork(int bytes) {
        segments = SegmentList.within(bytes);
    }

    void hold(long requestId, MemorySegment ring, long at, int count, int countedSegments) {
        id = requestId;
        counted = countedSegments;
        segments.load(ring, at, count);
        held = true;
    }

    /** Whether a receive has been taken and not yet completed. */
    public boolean held() {
        return held;
    }

    public long id() {
        return id;
    }

    public SegmentList segments() {
        return segments;
    }

    /** The receive has been completed, or is forgotten; its operations have ended. */
    public void drop(OperationCount operations) {
        held = false;
        if (counted != 0) {
            operations.end(segments, counted);
            counted = 0;
        }
    }
}
