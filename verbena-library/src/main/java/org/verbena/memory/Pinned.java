package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of managed memory that stays where it is until this is closed, for the thread that pinned it or, if it was pinned so, for
 * all. Its segments end with it: a use after {@link #close} or by another thread is an exception.
 *
 * <p>Peers may read and write the memory meanwhile, as they may any registered memory.
 */
public final class Pinned implements AutoCloseable {
    /** What will be done to the range. */
    public enum Mode {
        /** It is read; its segments are read-only. */
        READ,
        /** It is read and written. */
        WRITE,
        /** All of it is written before it is read: what it held need not be brought in, and may be zeros. */
        OVERWRITE
    }

    private final Arena arena;
    private final Mode mode;
    private final long length;
    private final List<MemorySegment> pieces;
    private final Runnable release;
    private @Nullable MemorySegment copy;
    private boolean closed;

    /**
     * Of pages that are pinned.
     *
     * @param lifetime of the segments; closed by this
     * @param release lets the pages go
     */
    Pinned(ManagedMemory memory, long offset, long length, Mode mode, Arena lifetime, Runnable release) {
        this.arena = lifetime;
        this.mode = mode;
        this.length = length;
        this.release = release;
        this.pieces = List.copyOf(slices(memory, offset));
    }

    private List<MemorySegment> slices(ManagedMemory memory, long offset) {
        List<MemorySegment> slices = new ArrayList<>();
        long start = memory.pinnedAddress(offset);
        long bytes = 0;
        for (long done = 0; done < length; ) {
            long address = memory.pinnedAddress(offset + done);
            if (address != start + bytes) {
                slices.add(slice(start, bytes));
                start = address;
                bytes = 0;
            }
            long part = Math.min(length - done, memory.table().untilPageEnd(offset + done));
            bytes += part;
            done += part;
        }
        slices.add(slice(start, bytes));
        return slices;
    }

    @SuppressWarnings("restricted") // a slice of our own mapping, with the lifetime of this
    private MemorySegment slice(long address, long bytes) {
        MemorySegment slice = MemorySegment.ofAddress(address).reinterpret(bytes, arena, null);
        return mode == Mode.READ ? slice.asReadOnly() : slice;
    }

    /** Bytes. */
    public long length() {
        return length;
    }

    /** Whether the range is in one piece, so that {@link #segment} is the memory itself. */
    public boolean isInPlace() {
        return pieces.size() == 1;
    }

    /**
     * The memory itself, piece by piece, in order.
     *
     * @throws IllegalStateException if a copy was asked for before: it is written back over all pieces
     */
    public List<MemorySegment> pieces() {
        if (copy != null) {
            throw new IllegalStateException("the range was copied to be in one piece: its pieces are not for use");
        }
        return pieces;
    }

    /**
     * The range in one segment: the memory itself if it is in one piece, else a copy made now. Unless the mode is READ the copy is
     * written back, all of it, when this is closed: what peers wrote there meanwhile is lost. Who can't have that uses
     * {@link #pieces}.
     */
    public MemorySegment segment() {
        if (isInPlace()) {
            return pieces.getFirst();
        }
        MemorySegment made = copy;
        if (made == null) {
            made = arena.allocate(length, Long.BYTES);
            if (mode != Mode.OVERWRITE) {
                copyAll(made, false);
            }
            copy = made;
        }
        return mode == Mode.READ ? made.asReadOnly() : made;
    }

    private void copyAll(MemorySegment one, boolean back) {
        long at = 0;
        for (MemorySegment piece : pieces) {
            MemorySegment part = one.asSlice(at, piece.byteSize());
            (back ? piece : part).copyFrom(back ? part : piece);
            at += piece.byteSize();
        }
    }

    /**
     * Writes a copy back and lets the pages go. Idempotent.
     *
     * @throws WrongThreadException if another thread has pinned it; nothing is changed then
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        MemorySegment made = copy;
        if (made != null && mode != Mode.READ) {
            copyAll(made, true);
        }
        arena.close();
        closed = true;
        release.run();
    }

    @Override
    public String toString() {
        return length + " bytes pinned in " + pieces.size() + " pieces" + (closed ? ", closed" : "");
    }
}
