package org.verbena.memory.machine;

import java.util.BitSet;

/** Frames taken out of use, so that machine memory is smaller than its mapping. Not thread-safe: the owner locks. */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the owner's lock, read without it
final class Balloon {
    /** Frames whose real pages are discarded in one call, while other threads wait for the owner's lock. */
    private static final int DISCARD_AT_ONCE = 512;

    private final FrameAllocator allocator;
    private final BitSet frames = new BitSet();
    /** Those of the frames whose real pages the operating system has not got back yet. */
    private final BitSet filled = new BitSet();

    private int target;
    private volatile int size;

    /** Empty. Frames come from this allocator and go back to it. */
    Balloon(FrameAllocator allocator) {
        this.allocator = allocator;
    }

    /** Frames out of use. Read by any thread. */
    int size() {
        return size;
    }

    /** Sets the target: free frames go out of use now, others by {@link #fill}. Returns the number still missing. */
    int inflate(int frames) {
        target = frames;
        fill();
        return frames - size;
    }

    /** Takes free frames out of use, up to the target. Called after frames have been given back. */
    void fill() {
        while (size < target && allocator.free() > 0) {
            boolean whole = target - size >= FrameAllocator.EXTENT_FRAMES;
            int first = whole ? allocator.takeExtent() : FrameAllocator.NONE;
            int count = first == FrameAllocator.NONE ? 1 : FrameAllocator.EXTENT_FRAMES;
            first = first == FrameAllocator.NONE ? allocator.takeRun(1) : first;
            frames.set(first, first + count);
            filled.set(first, first + count);
            size += count;
        }
    }

    /** Sets a smaller target and puts the surplus frames back into use. */
    void deflate(int frames) {
        target = frames;
        while (size > frames) {
            int frame = this.frames.nextSetBit(0);
            this.frames.clear(frame);
            filled.clear(frame);
            allocator.giveBack(frame, 1);
            size--;
        }
    }

    /** Notes that the frames out of use have no real pages, because they were never touched. */
    void neverTouched() {
        filled.clear();
    }

    /** Frames from a number on whose real pages can be discarded in one call; they count as discarded now. None: no frames. */
    FrameRun takeFilled(int from) {
        int first = filled.nextSetBit(from);
        if (first < 0) {
            return new FrameRun(from, 0);
        }
        int end = Math.min(filled.nextClearBit(first), first + DISCARD_AT_ONCE);
        filled.clear(first, end);
        return new FrameRun(first, end - first);
    }
}
