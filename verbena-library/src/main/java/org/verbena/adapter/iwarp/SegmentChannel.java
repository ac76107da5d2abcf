package org.verbena.adapter.iwarp;

import java.lang.foreign.MemorySegment;

/**
 * Sends DDP segments, and keeps their boundaries. A segment is written in place: {@link #begin} gives its place in {@link #memory},
 * {@link #end} completes it, {@link #cancel} forgets it.
 */
public interface SegmentChannel {
    /** Bytes of the longest segment that can be begun now; 0 if the channel has to send others first. */
    int room();

    /** Bytes of the longest segment that can be begun when the channel is empty. */
    int segmentMax();

    /** The memory in which segments are written; the same until the next {@link #begin}. */
    MemorySegment memory();

    /**
     * Begins a segment of at most {@link #room} bytes.
     *
     * @return where its first byte belongs in {@link #memory}
     */
    long begin(int length);

    /** Completes the segment that was begun: it will be sent. */
    void end();

    /** Forgets the segment that was begun. */
    void cancel();
}
