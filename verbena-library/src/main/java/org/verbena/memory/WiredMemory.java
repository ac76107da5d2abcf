package org.verbena.memory;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** Managed memory whose pages stay where they are. */
final class WiredMemory extends ManagedMemory {
    private final MachineMemory machine;
    private final List<MachineMemory.Run> runs;
    private final TranslationTable table;

    WiredMemory(MachineMemory machine, List<MachineMemory.Run> runs, long length) {
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

    @Override
    public TranslationTable table() {
        return table;
    }

    @Override
    PageState pageState(long page) {
        return PageState.PINNED;
    }

    @Override
    void copy(long offset, MemorySegment other, boolean in) {
        MemorySegment memory = machine.mapping();
        for (long done = 0; done < other.byteSize(); ) {
            long part = Math.min(other.byteSize() - done, table.untilPageEnd(offset + done));
            long at = table.machineAddress(offset + done) - memory.address();
            MemorySegment.copy(in ? other : memory, in ? done : at, in ? memory : other, in ? at : done, part);
            done += part;
        }
    }

    @Override
    Runnable pinPages(long offset, long length, Pinned.Mode mode) {
        return () -> {};
    }

    @Override
    long pinnedAddress(long offset) {
        return table.machineAddress(offset);
    }

    @Override
    void heed(long offset, long length, Advice advice) {
        // Its pages stay, whatever is said.
    }

    @Override
    public long contiguousFrom(long offset) {
        check(offset, 1);
        long start = table.machineAddress(offset);
        long bytes = table.untilPageEnd(offset);
        while (bytes < length() - offset && table.machineAddress(offset + bytes) == start + bytes) {
            bytes += table.pageSize().bytes();
        }
        return Math.min(bytes, length() - offset);
    }

    @Override
    void free() {
        machine.giveBack(runs);
    }

    @Override
    Backing backing() {
        return Backing.ofWired(this);
    }

    MemorySegment machineSegment() {
        return machine.mapping();
    }
}
