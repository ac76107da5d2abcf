package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Memory in frames of Verbena's. Wired: its pages stay where they are. The consumer reads and writes it by copies, or
 * in place through {@link #pin}. Any thread.
 */
public final class ManagedMemory implements AutoCloseable {
    private final MachineMemory machine;
    private final List<MachineMemory.Run> runs;
    private final TranslationTable table;
    private final HoldCount holds = new HoldCount();

    ManagedMemory(MachineMemory machine, List<MachineMemory.Run> runs, long length) {
        this.machine = machine;
        this.runs = runs;
        this.table = table(machine, runs, length);
    }

    /** Pages of an extent each if all extents are whole (the last may be cut short), else of a frame each. */
    private static TranslationTable table(MachineMemory machine, List<MachineMemory.Run> runs, long length) {
        int frames = runs.stream().mapToInt(MachineMemory.Run::frames).sum();
        boolean extents = frames > FrameAllocator.EXTENT_FRAMES && areExtents(runs);
        PageSize size = extents ? PageSize.KIB_64 : PageSize.KIB_4;
        int step = extents ? FrameAllocator.EXTENT_FRAMES : 1;
        long[] pointers = pointers(machine, runs, step, frames);
        var placement = new TranslationTable.Placement(size, 0, length);
        return new TranslationTable(placement, page -> pointers[(int) page]);
    }

    private static boolean areExtents(List<MachineMemory.Run> runs) {
        return runs.stream().limit(runs.size() - 1L).allMatch(run -> run.frames() % FrameAllocator.EXTENT_FRAMES == 0);
    }

    private static long[] pointers(MachineMemory machine, List<MachineMemory.Run> runs, int step, int frames) {
        long[] pointers = new long[(frames + step - 1) / step];
        int page = 0;
        for (MachineMemory.Run run : runs) {
            for (int frame = 0; frame < run.frames(); frame += step) {
                pointers[page++] = machine.address(run.firstFrame() + frame);
            }
        }
        return pointers;
    }

    /** Bytes. */
    public long length() {
        return table.length();
    }

    /** Where its pages are. */
    public TranslationTable table() {
        return table;
    }

    /** Copies all of the source to an offset of this memory. */
    public void write(long offset, MemorySegment source) {
        check(offset, source.byteSize());
        holds.hold(this);
        try {
            copy(offset, source, true);
        } finally {
            holds.release();
        }
    }

    /** Fills all of the target from an offset of this memory. */
    public void read(long offset, MemorySegment target) {
        check(offset, target.byteSize());
        holds.hold(this);
        try {
            copy(offset, target, false);
        } finally {
            holds.release();
        }
    }

    private void copy(long offset, MemorySegment other, boolean in) {
        MemorySegment memory = machine.mapping();
        for (long done = 0; done < other.byteSize(); ) {
            long part = Math.min(other.byteSize() - done, table.untilPageEnd(offset + done));
            long at = table.machineAddress(offset + done) - memory.address();
            MemorySegment.copy(in ? other : memory, in ? done : at, in ? memory : other, in ? at : done, part);
            done += part;
        }
    }

    /**
     * The memory itself, for as long as the arena lives: after that every use of the segment is an exception, and until
     * then the memory cannot be closed. The arena decides which threads may use the segment.
     *
     * @throws IllegalStateException if the range is not in one piece: see {@link #contiguousFrom}
     */
    @SuppressWarnings("restricted") // a slice of our own mapping, with the consumer's lifetime
    public MemorySegment pin(long offset, long length, Arena arena) {
        check(offset, length);
        if (contiguousFrom(offset) < length) {
            throw new IllegalStateException("not in one piece: " + length + " bytes at " + offset + ", of which "
                    + contiguousFrom(offset) + " are");
        }
        holds.hold(this);
        try {
            return MemorySegment.ofAddress(table.machineAddress(offset))
                    .reinterpret(length, arena, _ -> holds.release());
        } catch (IllegalStateException | WrongThreadException refused) {
            holds.release();
            throw refused;
        }
    }

    /** How many bytes from an offset on are in one piece. */
    public long contiguousFrom(long offset) {
        check(offset, 1);
        long start = table.machineAddress(offset);
        long bytes = table.untilPageEnd(offset);
        while (bytes < length() - offset && table.machineAddress(offset + bytes) == start + bytes) {
            bytes += table.pageSize().bytes();
        }
        return Math.min(bytes, length() - offset);
    }

    private void check(long offset, long size) {
        if (offset < 0 || size < 0 || offset > length() - size || offset == length()) {
            throw new IndexOutOfBoundsException(
                    size + " bytes at offset " + offset + " are not within " + length() + " bytes");
        }
    }

    /** Registrations and pins that are open. */
    public int uses() {
        return holds.count();
    }

    /** Gives the frames back. Refused with an {@link IllegalStateException} while registered or pinned; idempotent. */
    @Override
    public void close() {
        if (holds.close(this)) {
            machine.giveBack(runs);
        }
    }

    MemorySegment machineSegment() {
        return machine.mapping();
    }

    void hold() {
        holds.hold(this);
    }

    void release() {
        holds.release();
    }

    @Override
    public String toString() {
        return "managed memory of " + length() + " bytes";
    }
}
