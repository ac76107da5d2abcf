package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory in frames of Verbena's. Wired: its pages stay where they are. Paged: they come and go, and there may be far more of it than
 * of machine memory. The consumer reads and writes it by copies, or in place through {@link #pin}; what is not in machine
 * memory is brought in, and the caller waits. Any thread.
 */
public abstract sealed class ManagedMemory implements AutoCloseable permits WiredMemory, PagedMemory {
    private final HoldCount holds = new HoldCount();

    ManagedMemory() {}

    /** Bytes. */
    public final long length() {
        return table().length();
    }

    /** Where its pages are. */
    public abstract TranslationTable table();

    /**
     * Copies all of the source to an offset of this memory.
     *
     * @throws PageTimeoutException if for too long a page did not come; what lies before it may be copied already
     * @throws IllegalStateException if a page is lost, or the memory is closed
     */
    public final void write(long offset, MemorySegment source) {
        copyHeld(offset, source, true);
    }

    /**
     * Fills all of the target from an offset of this memory.
     *
     * @throws PageTimeoutException if for too long a page did not come
     * @throws IllegalStateException if a page is lost, or the memory is closed
     */
    public final void read(long offset, MemorySegment target) {
        copyHeld(offset, target, false);
    }

    private void copyHeld(long offset, MemorySegment other, boolean in) {
        check(offset, other.byteSize());
        hold();
        try {
            copy(offset, other, in);
        } finally {
            release();
        }
    }

    abstract void copy(long offset, MemorySegment other, boolean in);

    /**
     * Pins a range for this thread, waiting for what has to be brought in; an interrupt does not end the wait and is kept. Until
     * it is closed the memory cannot be.
     *
     * @throws PageTimeoutException if for too long none of the pages came
     * @throws IllegalStateException if too much would be pinned, a page is lost, or the memory is closed
     */
    public final Pinned pin(long offset, long length, Pinned.Mode mode) {
        return pin(offset, length, mode, Arena.ofConfined());
    }

    /**
     * Like {@link #pin}, for all threads. Closing such a pin stops them all for a moment: for what stays pinned long, not for every
     * access.
     */
    public final Pinned pinShared(long offset, long length, Pinned.Mode mode) {
        return pin(offset, length, mode, Arena.ofShared());
    }

    private Pinned pin(long offset, long length, Pinned.Mode mode, Arena lifetime) {
        check(offset, length);
        if (length == 0) {
            throw new IllegalArgumentException("0 bytes at offset " + offset + " found, at least 1 to pin expected");
        }
        hold();
        Runnable unpin = null;
        try {
            Runnable pinned = pinPages(offset, length, mode);
            unpin = pinned;
            return new Pinned(this, offset, length, mode, lifetime, () -> {
                pinned.run();
                release();
            });
        } catch (Throwable refused) {
            if (unpin != null) {
                unpin.run();
            }
            release();
            throw refused;
        }
    }

    /** Gives what unpins them. */
    abstract Runnable pinPages(long offset, long length, Pinned.Mode mode);

    /** Where a byte of a pinned page is. */
    abstract long pinnedAddress(long offset);

    /** Says what will become of a range. Never waits; wired memory has no need of it. */
    public final void advise(long offset, long length, Advice advice) {
        check(offset, length);
        if (length == 0) {
            return;
        }
        hold();
        try {
            heed(offset, length, advice);
        } finally {
            release();
        }
    }

    abstract void heed(long offset, long length, Advice advice);

    /** How many bytes from an offset on are in one piece; of paged memory, at this moment. */
    public abstract long contiguousFrom(long offset);

    /** Where its pages are now. Takes a while for large memory: each page is looked at. */
    public final Residency residency() {
        return new Residency(this);
    }

    abstract PageState pageState(long page);

    final void check(long offset, long size) {
        if (offset < 0 || size < 0 || offset > length() - size || offset == length()) {
            throw new IndexOutOfBoundsException(
                    size + " bytes at offset " + offset + " are not within " + length() + " bytes");
        }
    }

    /** Bytes kept about where its pages are. */
    public final long metadataBytes() {
        return table().metadataBytes();
    }

    /** Registrations and pins that are open. */
    public final int uses() {
        return holds.count();
    }

    /** Gives the frames back. Refused with an {@link IllegalStateException} while registered or pinned; idempotent. */
    @Override
    public final void close() {
        if (holds.close(this)) {
            free();
        }
    }

    abstract void free();

    abstract Backing backing();

    /** The domain whose memory it is. */
    int domainId() {
        return Domain.HOST;
    }

    /** A region on it is in the protection table. */
    void onRegistered(Region region) {}

    /** A region on it is no more. */
    void onDeregistered(Region region) {}

    /** Nobody gets hold of it any more. */
    final void shut() {
        holds.shut();
    }

    final boolean isShut() {
        return holds.isShut();
    }

    final void hold() {
        holds.hold(this);
    }

    final void release() {
        holds.release();
    }

    @Override
    public String toString() {
        return "managed memory of " + length() + " bytes";
    }
}
