package org.verbena.memory.machine;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The free frames of machine memory. Frames come in extents of {@value #EXTENT_FRAMES}; an extent is kept whole
 * as long as possible, single frames are taken from extents that are broken already. Not thread-safe: the owner locks.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the owner's lock, read without it
final class FrameAllocator {
    static final int EXTENT_FRAMES = 16;

    /** No such frame. */
    static final int NONE = -1;

    private static final int WHOLE = (1 << EXTENT_FRAMES) - 1;

    private final int[] freeFrames;
    private final BitSet whole;
    private final BitSet broken;
    /** Read without the lock where a number that may be old is enough. */
    private volatile int free;

    FrameAllocator(int extents) {
        freeFrames = new int[extents];
        whole = new BitSet(extents);
        broken = new BitSet(extents);
        for (int extent = 0; extent < extents; extent++) {
            freeFrames[extent] = WHOLE;
        }
        whole.set(0, extents);
        free = extents * EXTENT_FRAMES;
    }

    int free() {
        return free;
    }

    /** Takes a whole extent; returns its first frame, or {@link #NONE}. */
    int takeExtent() {
        return takeExtents(1);
    }

    /** Takes neighbouring whole extents; returns the first frame, or {@link #NONE}. */
    int takeExtents(int count) {
        int from = whole.nextSetBit(0);
        while (from >= 0) {
            int end = whole.nextClearBit(from);
            if (end - from >= count) {
                for (int extent = from; extent < from + count; extent++) {
                    take(extent, WHOLE);
                }
                return from * EXTENT_FRAMES;
            }
            from = whole.nextSetBit(end);
        }
        return NONE;
    }

    /** Takes neighbouring frames within one extent, fewer than it has; returns the first, or {@link #NONE}. */
    int takeRun(int frames) {
        for (int extent = broken.nextSetBit(0); extent >= 0; extent = broken.nextSetBit(extent + 1)) {
            int first = runIn(freeFrames[extent], frames);
            if (first >= 0) {
                return takeFrom(extent, first, frames);
            }
        }
        int extent = whole.nextSetBit(0);
        return extent < 0 ? NONE : takeFrom(extent, 0, frames);
    }

    /** Takes frames, whole extents first; an empty list if fewer are free. */
    List<FrameRun> takeAnywhere(int wanted) {
        List<FrameRun> runs = new ArrayList<>();
        if (wanted <= free) {
            int left = wanted;
            while (left > 0) {
                FrameRun run = takeUpTo(Math.min(left, EXTENT_FRAMES));
                runs.add(run);
                left -= run.frames();
            }
        }
        return runs;
    }

    /** Takes a run that is as long as possible. At least one frame is free. */
    private FrameRun takeUpTo(int most) {
        if (most == EXTENT_FRAMES) {
            int first = takeExtent();
            if (first != NONE) {
                return new FrameRun(first, most);
            }
        }
        int count = Math.min(most, EXTENT_FRAMES - 1);
        int first = takeRun(count);
        while (first == NONE) {
            first = takeRun(--count);
        }
        return new FrameRun(first, count);
    }

    /** Takes neighbouring frames; an empty list if there are none. */
    List<FrameRun> takeContiguous(int wanted) {
        int extents = (wanted + EXTENT_FRAMES - 1) / EXTENT_FRAMES;
        int first = wanted <= free ? takeExtents(extents) : NONE;
        if (first == NONE) {
            return List.of();
        }
        giveBack(first + wanted, extents * EXTENT_FRAMES - wanted);
        return List.of(new FrameRun(first, wanted));
    }

    void giveBack(int firstFrame, int frames) {
        for (int frame = firstFrame; frame < firstFrame + frames; frame++) {
            int extent = frame / EXTENT_FRAMES;
            int bit = 1 << (frame % EXTENT_FRAMES);
            assert (freeFrames[extent] & bit) == 0 : "frame given back twice: " + frame;
            freeFrames[extent] |= bit;
            free++;
            file(extent);
        }
    }

    private int takeFrom(int extent, int first, int frames) {
        take(extent, ((1 << frames) - 1) << first);
        return extent * EXTENT_FRAMES + first;
    }

    private void take(int extent, int mask) {
        assert (freeFrames[extent] & mask) == mask : "frame taken twice in extent " + extent;
        freeFrames[extent] &= ~mask;
        free -= Integer.bitCount(mask);
        file(extent);
    }

    private void file(int extent) {
        whole.set(extent, freeFrames[extent] == WHOLE);
        broken.set(extent, freeFrames[extent] != WHOLE && freeFrames[extent] != 0);
    }

    private static int runIn(int freeMask, int frames) {
        int wanted = (1 << frames) - 1;
        for (int first = 0; first + frames <= EXTENT_FRAMES; first++) {
            if (((freeMask >>> first) & wanted) == wanted) {
                return first;
            }
        }
        return NONE;
    }
}
