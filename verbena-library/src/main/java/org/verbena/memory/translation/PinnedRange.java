package org.verbena.memory.translation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Pinned;

/** A pinned range of managed memory. */
final class PinnedRange implements Pinned {
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
     * @param lifetime arena of the segments; closed by this
     * @param release unpins the pages
     */
    PinnedRange(FrameMemory memory, long offset, long length, Mode mode, Arena lifetime, Runnable release) {
        this.arena = lifetime;
        this.mode = mode;
        this.length = length;
        this.release = release;
        this.pieces = List.copyOf(slices(memory, offset));
    }

    private List<MemorySegment> slices(FrameMemory memory, long offset) {
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

    @Override
    public long length() {
        return length;
    }

    @Override
    public boolean isInPlace() {
        return pieces.size() == 1;
    }

    @Override
    public List<MemorySegment> pieces() {
        if (copy != null) {
            throw new IllegalStateException("the range was copied to be in one piece: its pieces are not for use");
        }
        return pieces;
    }

    @Override
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
