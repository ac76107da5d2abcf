package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.FrameSupply;

/**
 * The real memory Verbena owns: one mapping cut in frames of 4 KiB, given out to {@link ManagedMemory} in extents of
 * 64 KiB where possible. Any thread.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock; others only look
public final class MachineMemory implements AutoCloseable {
    /** Bytes of a frame. */
    public static final int FRAME = 4096;

    static final int EXTENT = FRAME * FrameAllocator.EXTENT_FRAMES;

    /** Frames given back to the operating system in one call, while others wait. */
    private static final int DISCARD_AT_ONCE = 512;

    private final ReentrantLock lock = new ReentrantLock();
    private final HoldCount memories = new HoldCount();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment mapping;
    private final FrameAllocator allocator;
    private final int framesMax;
    private volatile @Nullable Claimant claimant;

    // Under the lock.
    /** Frames taken out of use; and of these, those whose real pages the operating system has not back yet. */
    private final BitSet balloon = new BitSet();

    private final BitSet filled = new BitSet();
    private int balloonTarget;
    private volatile int ballooned;
    private volatile int wired;
    /** Free frames that are kept for an allocation. */
    private volatile int reserved;

    /** Neighbouring frames. */
    record Run(int firstFrame, int frames) {}

    /** Decides on allocations where frames are shared with pages that come and go. */
    interface Claimant {
        /** Sees to it that so many frames are free, and takes them. */
        List<Run> claim(int frames, Supplier<List<Run>> take);

        /** Frames were given back. */
        void onGivenBack();
    }

    /** As many whole extents as {@code bytes} have room for, at least one and below 2^31 frames. */
    public MachineMemory(long bytes) {
        this(bytes, bytes);
    }

    /** Can be resized up to a size. */
    MachineMemory(long bytes, long bytesMax) {
        long extents = bytesMax / EXTENT;
        if (extents < 1 || extents > Integer.MAX_VALUE / FrameAllocator.EXTENT_FRAMES) {
            arena.close();
            throw new IllegalArgumentException(
                    "machine memory of " + bytesMax + " bytes: at least " + EXTENT + " and less than 8 TiB can be");
        }
        allocator = new FrameAllocator((int) extents);
        framesMax = allocator.free();
        mapping = AnonymousMapping.map(arena, extents * EXTENT);
        int _ = inflate(framesMax - framesOf(bytes));
        filled.clear(); // never touched
    }

    static int framesOf(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes / EXTENT * FrameAllocator.EXTENT_FRAMES);
    }

    /** Frames in use or free. */
    public int frames() {
        return framesMax - ballooned;
    }

    /** Frames there can be: see {@link Hypervisor#resize}. */
    public int framesMax() {
        return framesMax;
    }

    /** Frames of memory whose pages stay where they are. */
    public int framesWired() {
        return wired;
    }

    void claimant(Claimant decides) {
        claimant = decides;
        memories.hold(this);
    }

    /** Whoever decided does no more. */
    void dismissClaimant() {
        claimant = null;
        memories.release();
    }

    int uses() {
        return memories.count();
    }

    /** Frames that nobody has. */
    public int framesFree() {
        lock.lock();
        try {
            return allocator.free();
        } finally {
            lock.unlock();
        }
    }

    /** Frames that belong to managed memory. */
    public int framesUsed() {
        return frames() - framesFree();
    }

    /**
     * Memory of zeros that stays where it is, in extents anywhere.
     *
     * @throws IllegalStateException if there are not enough frames; none is lost then
     */
    public ManagedMemory allocate(long bytes) {
        return allocate(bytes, false);
    }

    /** Like {@link #allocate}, all of it in one piece. */
    public ManagedMemory allocateContiguous(long bytes) {
        return allocate(bytes, true);
    }

    private ManagedMemory allocate(long bytes, boolean contiguous) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        memories.hold(this);
        try {
            Claimant decides = claimant;
            List<Run> runs = decides == null
                    ? take(bytes, contiguous)
                    : decides.claim(framesFor(bytes), () -> take(bytes, contiguous));
            runs.forEach(run -> segment(run).fill((byte) 0));
            return new WiredMemory(this, runs, bytes);
        } catch (IllegalStateException exhausted) {
            memories.release();
            throw exhausted;
        }
    }

    private static int framesFor(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, (bytes + FRAME - 1) / FRAME);
    }

    private List<Run> take(long bytes, boolean contiguous) {
        lock.lock();
        try {
            int wanted = framesFor(bytes);
            if (wanted > allocator.free()) {
                throw exhausted(bytes);
            }
            List<Run> runs = contiguous ? takeContiguous(wanted) : takeAnywhere(wanted);
            if (runs.isEmpty()) {
                throw exhausted(bytes);
            }
            wired += wanted;
            return runs;
        } finally {
            lock.unlock();
        }
    }

    /** Whole extents, then frames of broken ones if need be, then the tail. Enough frames are free. */
    private List<Run> takeAnywhere(int wanted) {
        List<Run> runs = new ArrayList<>();
        int left = wanted;
        while (left > 0) {
            Run run = takeUpTo(Math.min(left, FrameAllocator.EXTENT_FRAMES));
            runs.add(run);
            left -= run.frames;
        }
        return runs;
    }

    private Run takeUpTo(int most) {
        if (most == FrameAllocator.EXTENT_FRAMES) {
            int first = allocator.takeExtent();
            if (first != FrameAllocator.NONE) {
                return new Run(first, most);
            }
        }
        int count = Math.min(most, FrameAllocator.EXTENT_FRAMES - 1);
        int first = allocator.takeRun(count);
        while (first == FrameAllocator.NONE) {
            first = allocator.takeRun(--count);
        }
        return new Run(first, count);
    }

    private List<Run> takeContiguous(int wanted) {
        int extents = (wanted + FrameAllocator.EXTENT_FRAMES - 1) / FrameAllocator.EXTENT_FRAMES;
        int first = allocator.takeExtents(extents);
        if (first == FrameAllocator.NONE) {
            return List.of();
        }
        int surplus = extents * FrameAllocator.EXTENT_FRAMES - wanted;
        allocator.giveBack(first + wanted, surplus);
        return List.of(new Run(first, wanted));
    }

    private IllegalStateException exhausted(long bytes) {
        return new IllegalStateException("machine memory exhausted: " + bytes + " bytes wanted, "
                + (long) allocator.free() * FRAME + " of " + (long) frames() * FRAME + " free");
    }

    void giveBack(List<Run> runs) {
        lock.lock();
        try {
            for (Run run : runs) {
                allocator.giveBack(run.firstFrame, run.frames);
                wired -= run.frames;
            }
            fillBalloon();
        } finally {
            lock.unlock();
        }
        memories.release();
        Claimant decides = claimant;
        if (decides != null) {
            decides.onGivenBack();
        }
    }

    /** Frames one at a time, for whoever pages. */
    FrameSupply supply() {
        return new FrameSupply() {
            @Override
            public int limit() {
                return framesMax;
            }

            // Who is driven by packets does not wait for an allocation to end.
            @Override
            public int take() {
                if (allocator.free() <= reserved || !lock.tryLock()) {
                    return Driver.NONE;
                }
                try {
                    return allocator.free() <= reserved ? Driver.NONE : allocator.takeRun(1);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void giveBack(int frame) {
                lock.lock();
                try {
                    allocator.giveBack(frame, 1);
                    fillBalloon();
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public int free() {
                return Math.max(0, allocator.free() - reserved);
            }
        };
    }

    // --- fewer frames, and more again

    /** So many free frames are for an allocation only. */
    void reserve(int count) {
        reserved = count;
    }

    /** Takes frames out of use until so many are: free ones now, others as they are given back. Gives what is missing. */
    int inflate(int target) {
        lock.lock();
        try {
            balloonTarget = target;
            fillBalloon();
            return target - ballooned;
        } finally {
            lock.unlock();
        }
    }

    private void fillBalloon() {
        while (ballooned < balloonTarget && allocator.free() > 0) {
            boolean whole = balloonTarget - ballooned >= FrameAllocator.EXTENT_FRAMES;
            int first = whole ? allocator.takeExtent() : FrameAllocator.NONE;
            int count = first == FrameAllocator.NONE ? 1 : FrameAllocator.EXTENT_FRAMES;
            first = first == FrameAllocator.NONE ? allocator.takeRun(1) : first;
            balloon.set(first, first + count);
            filled.set(first, first + count);
            ballooned += count;
        }
    }

    /** Puts frames back in use until so many are out of it. */
    void deflate(int target) {
        lock.lock();
        try {
            balloonTarget = target;
            while (ballooned > target) {
                int frame = balloon.nextSetBit(0);
                balloon.clear(frame);
                filled.clear(frame);
                allocator.giveBack(frame, 1);
                ballooned--;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives the real pages of frames out of use back to the operating system. */
    void discard() {
        for (int frame = 0; frame >= 0; ) {
            lock.lock();
            try {
                frame = filled.nextSetBit(frame);
                if (frame >= 0) {
                    int end = Math.min(filled.nextClearBit(frame), frame + DISCARD_AT_ONCE);
                    AnonymousMapping.discard(segment(new Run(frame, end - frame)));
                    filled.clear(frame, end);
                    frame = end;
                }
            } finally {
                lock.unlock();
            }
        }
    }

    MemorySegment mapping() {
        return mapping;
    }

    long address(int frame) {
        return mapping.address() + (long) frame * FRAME;
    }

    MemorySegment segment(Run run) {
        return mapping.asSlice((long) run.firstFrame * FRAME, (long) run.frames * FRAME);
    }

    /** Gives the mapping back. Refused with an {@link IllegalStateException} while memory is allocated; idempotent. */
    @Override
    public void close() {
        if (memories.close(this)) {
            arena.close();
        }
    }

    @Override
    public String toString() {
        return "machine memory of " + frames() + " frames";
    }
}
