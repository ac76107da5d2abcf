package org.verbena.interleave;

import java.lang.foreign.MemorySegment;

/** Bytes that the code under test is about to copy. Reused: true until it returns. */
public final class Copy {
    private MemorySegment source = MemorySegment.NULL;
    private MemorySegment target = MemorySegment.NULL;
    private long sourceOffset;
    private long targetOffset;
    private long bytes;

    Copy() {}

    void set(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long count) {
        source = from;
        sourceOffset = fromOffset;
        target = to;
        targetOffset = toOffset;
        bytes = count;
    }

    public long bytes() {
        return bytes;
    }

    /** Copies all of it. */
    public void run() {
        run(0, bytes);
    }

    /** Copies part of it. */
    public void run(long from, long count) {
        MemorySegment.copy(source, sourceOffset + from, target, targetOffset + from, count);
    }
}
