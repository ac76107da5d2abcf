package org.verbena.memory.machine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.FrameSupply;
import org.verbena.pool.HoldCount;

/**
 * The frames of machine memory: one mapping cut in frames of 4 KiB, given out in extents of 64 KiB where possible. Any thread.
 */
@SuppressWarnings("NonAtomicVolatileUpdate") // written under the lock, read without it
public final class MachineFrames implements AutoCloseable {
    /** Bytes of a frame. */
    public static final int FRAME = 4096;

    private static final int EXTENT = FRAME * FrameAllocator.EXTENT_FRAMES;

    private final ReentrantLock lock = new ReentrantLock();
    private final HoldCount memories = new HoldCount();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment mapping;
    private final FrameAllocator allocator;
    private final Balloon balloon;
    private final int framesMax;
    private volatile @Nullable FrameClaimant claimant;
    private volatile int wired;
    /** Free frames that only an allocation of wired memory may take. */
    private volatile int reserved;

    /**
     * Maps machine memory.
     *
     * @param bytes size at first; whole extents are counted
     * @param bytesMax size that it can be resized to: at least one extent and below 2^31 frames
     */
    public MachineFrames(long bytes, long bytesMax) {
        long extents = bytesMax / EXTENT;
        if (extents < 1 || extents > Integer.MAX_VALUE / FrameAllocator.EXTENT_FRAMES) {
            arena.close();
            throw new IllegalArgumentException(
                    "machine memory of " + bytesMax + " bytes: at least " + EXTENT + " and less than 8 TiB can be");
        }
        allocator = new FrameAllocator((int) extents);
        framesMax = allocator.free();
        mapping = AnonymousMapping.map(arena, extents * EXTENT);
        balloon = new Balloon(allocator);
        int _ = balloon.inflate(framesMax - framesOf(bytes));
        balloon.neverTouched();
    }

    /** Number of frames in the whole extents of a size. */
    public static int framesOf(long bytes) {
        return (int) Math.min(Integer.MAX_VALUE, bytes / EXTENT * FrameAllocator.EXTENT_FRAMES);
    }

    /** Frames in use or free. */
    public int frames() {
        return framesMax - balloon.size();
    }

    /** Frames of the mapping, those out of use included. */
    public int framesMax() {
        return framesMax;
    }

    /** Frames of wired memory. */
    public int framesWired() {
        return wired;
    }

    /** Frames that are free. */
    public int framesFree() {
        lock.lock();
        try {
            return allocator.free();
        } finally {
            lock.unlock();
        }
    }

    /** Sets the claimant that decides on allocations. It holds the frames until {@link #dismissClaimant}. */
    public void claimant(FrameClaimant decides) {
        claimant = decides;
        memories.hold(this);
    }

    /** Removes the claimant. */
    public void dismissClaimant() {
        claimant = null;
        memories.release();
    }

    /** Wired memories that are open, and the claimant. */
    public int uses() {
        return memories.count();
    }

    /**
     * Allocates wired memory of zeros.
     *
     * @param contiguous whether it must be in one piece
     * @throws IllegalStateException if there are not enough frames; none is lost then
     */
    public WiredMemory allocate(long bytes, boolean contiguous) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        memories.hold(this);
        try {
            FrameClaimant decides = claimant;
            List<FrameRun> runs = decides == null
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
        return (int) Math.min(Integer.MAX_VALUE, (bytes - 1) / FRAME + 1);
    }

    private List<FrameRun> take(long bytes, boolean contiguous) {
        lock.lock();
        try {
            int wanted = framesFor(bytes);
            List<FrameRun> runs = contiguous ? allocator.takeContiguous(wanted) : allocator.takeAnywhere(wanted);
            if (runs.isEmpty()) {
                throw new IllegalStateException("machine memory exhausted: " + bytes + " bytes wanted, "
                        + (long) allocator.free() * FRAME + " of " + (long) frames() * FRAME + " free");
            }
            wired += wanted;
            return runs;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the frames of a wired memory back. */
    void giveBack(List<FrameRun> runs) {
        lock.lock();
        try {
            for (FrameRun run : runs) {
                allocator.giveBack(run.firstFrame(), run.frames());
                wired -= run.frames();
            }
            balloon.fill();
        } finally {
            lock.unlock();
        }
        memories.release();
        FrameClaimant decides = claimant;
        if (decides != null) {
            decides.onGivenBack();
        }
    }

    /** Frames one at a time, for a pager. */
    public FrameSupply supply() {
        return new FrameSupply() {
            @Override
            public int limit() {
                return framesMax;
            }

            // An engine thread does not wait for an allocation to end.
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
                    balloon.fill();
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

    /** Keeps a number of free frames for an allocation of wired memory. */
    public void reserve(int frames) {
        reserved = frames;
    }

    /** Sets the number of frames out of use: free frames now, others when they are given back. Returns the number still missing. */
    public int inflate(int target) {
        lock.lock();
        try {
            return balloon.inflate(target);
        } finally {
            lock.unlock();
        }
    }

    /** Sets a smaller number of frames out of use. */
    public void deflate(int target) {
        lock.lock();
        try {
            balloon.deflate(target);
        } finally {
            lock.unlock();
        }
    }

    /** Gives the real pages of frames out of use back to the operating system. */
    public void discard() {
        int next = 0;
        FrameRun run;
        do {
            lock.lock();
            try {
                run = balloon.takeFilled(next);
                if (run.frames() > 0) {
                    AnonymousMapping.discard(segment(run));
                }
            } finally {
                lock.unlock();
            }
            next = run.firstFrame() + run.frames();
        } while (run.frames() > 0);
    }

    /** All frames, in order. */
    public MemorySegment mapping() {
        return mapping;
    }

    /** The address of a frame. */
    long address(int frame) {
        return mapping.address() + (long) frame * FRAME;
    }

    private MemorySegment segment(FrameRun run) {
        return mapping.asSlice((long) run.firstFrame() * FRAME, (long) run.frames() * FRAME);
    }

    /**
     * Unmaps the memory. Idempotent.
     *
     * @throws IllegalStateException if wired memory is open or there is a claimant
     */
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
