package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.FrameSupply;

/**
 * The real memory Verbena owns: one mapping cut in frames of 4 KiB, given out to {@link ManagedMemory} in extents of
 * 64 KiB where possible. Any thread.
 */
public final class MachineMemory implements AutoCloseable {
    /** Bytes of a frame. */
    public static final int FRAME = 4096;

    static final int EXTENT = FRAME * FrameAllocator.EXTENT_FRAMES;

    private final ReentrantLock lock = new ReentrantLock();
    private final HoldCount memories = new HoldCount();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment mapping;
    private final FrameAllocator allocator;
    private final int frames;

    /** Neighbouring frames. */
    record Run(int firstFrame, int frames) {}

    /** As many whole extents as {@code bytes} have room for, at least one and below 2^31 frames. */
    public MachineMemory(long bytes) {
        long extents = bytes / EXTENT;
        if (extents < 1 || extents > Integer.MAX_VALUE / FrameAllocator.EXTENT_FRAMES) {
            arena.close();
            throw new IllegalArgumentException(
                    "machine memory of " + bytes + " bytes: at least " + EXTENT + " and less than 8 TiB can be");
        }
        allocator = new FrameAllocator((int) extents);
        frames = allocator.free();
        mapping = AnonymousMapping.map(arena, extents * EXTENT);
    }

    /** Frames in all. */
    public int frames() {
        return frames;
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
        return frames - framesFree();
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
            List<Run> runs = take(bytes, contiguous);
            runs.forEach(run -> segment(run).fill((byte) 0));
            return new WiredMemory(this, runs, bytes);
        } catch (IllegalStateException exhausted) {
            memories.release();
            throw exhausted;
        }
    }

    private List<Run> take(long bytes, boolean contiguous) {
        lock.lock();
        try {
            long wanted = (bytes + FRAME - 1) / FRAME;
            if (wanted > allocator.free()) {
                throw exhausted(bytes);
            }
            List<Run> runs = contiguous ? takeContiguous((int) wanted) : takeAnywhere((int) wanted);
            if (runs.isEmpty()) {
                throw exhausted(bytes);
            }
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
                + (long) allocator.free() * FRAME + " of " + (long) frames * FRAME + " free");
    }

    void giveBack(List<Run> runs) {
        lock.lock();
        try {
            runs.forEach(run -> allocator.giveBack(run.firstFrame, run.frames));
        } finally {
            lock.unlock();
        }
        memories.release();
    }

    /** Frames one at a time, for whoever pages. */
    FrameSupply supply() {
        return new FrameSupply() {
            @Override
            public int limit() {
                return frames;
            }

            // Who is driven by packets does not wait for an allocation to end.
            @Override
            public int take() {
                if (allocator.free() == 0 || !lock.tryLock()) {
                    return Driver.NONE;
                }
                try {
                    return allocator.free() == 0 ? Driver.NONE : allocator.takeRun(1);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void giveBack(int frame) {
                lock.lock();
                try {
                    allocator.giveBack(frame, 1);
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public int free() {
                return allocator.free();
            }
        };
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
        return "machine memory of " + frames + " frames";
    }
}
