package org.verbena.memory.hypervisor;

import org.verbena.memory.ManagedMemory;
import org.verbena.memory.machine.MachineFrames;

/**
 * The real memory that Verbena owns, in frames of 4 KiB. A hypervisor has one; one without a hypervisor gives out wired
 * memory only. Any thread.
 */
public final class MachineMemory implements AutoCloseable {
    /** Bytes of a frame. */
    public static final int FRAME = MachineFrames.FRAME;

    private final MachineFrames frames;

    /**
     * Takes memory from the operating system, without a hypervisor.
     *
     * @param bytes size; whole extents of 64 KiB are counted, at least one and below 2^31 frames
     * @throws IllegalArgumentException if it is too small or too large
     * @throws IllegalStateException if the operating system has not enough address space
     */
    public MachineMemory(long bytes) {
        this(new MachineFrames(bytes, bytes));
    }

    /** Of a hypervisor. */
    MachineMemory(MachineFrames frames) {
        this.frames = frames;
    }

    /** Frames in use or free. */
    public int frames() {
        return frames.frames();
    }

    /** The largest number of frames that {@link Hypervisor#resize} can set. */
    public int framesMax() {
        return frames.framesMax();
    }

    /** Frames of wired memory. */
    public int framesWired() {
        return frames.framesWired();
    }

    /** Frames that are free. */
    public int framesFree() {
        return frames.framesFree();
    }

    /** Frames that belong to managed memory. */
    public int framesUsed() {
        return frames() - framesFree();
    }

    /**
     * Allocates wired memory of zeros, in extents anywhere. A hypervisor's machine memory evicts pages for it, and the caller waits.
     *
     * @throws IllegalArgumentException if the size is not positive
     * @throws IllegalStateException if there are not enough frames; none is lost then
     */
    public ManagedMemory allocate(long bytes) {
        return frames.allocate(bytes, false);
    }

    /** Like {@link #allocate}, all of it in one piece. */
    public ManagedMemory allocateContiguous(long bytes) {
        return frames.allocate(bytes, true);
    }

    /**
     * Gives the memory back to the operating system. Idempotent.
     *
     * @throws IllegalStateException if managed memory is allocated, or it belongs to a hypervisor that is open
     */
    @Override
    public void close() {
        frames.close();
    }

    @Override
    public String toString() {
        return frames.toString();
    }
}
