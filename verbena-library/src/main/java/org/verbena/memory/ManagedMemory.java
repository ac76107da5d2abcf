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

    /** Copies all of the source to an offset of this memory. */
    public final void write(long offset, MemorySegment source) {
        copyHeld(offset, source, true);
    }

    /** Fills all of the target from an offset of this memory. */
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
     * The memory itself, for as long as the arena lives: after that every use of the segment is an exception, and until
     * then the memory cannot be closed. The arena decides which threads may use the segment.
     *
     * @throws IllegalStateException if the range is not in one piece: see {@link #contiguousFrom}
     */
    public abstract MemorySegment pin(long offset, long length, Arena arena);

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

    final void requireOnePiece(long offset, long length) {
        if (contiguousFrom(offset) < length) {
            throw new IllegalStateException("not in one piece: " + length + " bytes at " + offset + ", of which "
                    + contiguousFrom(offset) + " are");
        }
    }

    final void check(long offset, long size) {
        if (offset < 0 || size < 0 || offset > length() - size || offset == length()) {
            throw new IndexOutOfBoundsException(
                    size + " bytes at offset " + offset + " are not within " + length() + " bytes");
        }
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
