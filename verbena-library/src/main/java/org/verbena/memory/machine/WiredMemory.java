package org.verbena.memory.machine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.verbena.memory.Advice;
import org.verbena.memory.PageSize;
import org.verbena.memory.PageState;
import org.verbena.memory.Pinned;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.memory.translation.TranslationTable;

/** Managed memory whose pages stay in their frames. */
public final class WiredMemory extends FrameMemory {
    private final MachineFrames machine;
    private final List<FrameRun> runs;
    private final TranslationTable table;

    WiredMemory(MachineFrames machine, List<FrameRun> runs, long length) {
        this.machine = machine;
        this.runs = runs;
        this.table = table(machine, runs, length);
    }

    /**
     * The table of the memory. Its pages are extents if all extents are whole (the last may be cut short), else frames.
     */
    private static TranslationTable table(MachineFrames machine, List<FrameRun> runs, long length) {
        int frames = runs.stream().mapToInt(FrameRun::frames).sum();
        boolean extents = frames > FrameAllocator.EXTENT_FRAMES && areExtents(runs);
        PageSize size = extents ? PageSize.KIB_64 : PageSize.KIB_4;
        int step = extents ? FrameAllocator.EXTENT_FRAMES : 1;
        long[] pointers = pointers(machine, runs, step, frames);
        var placement = new TranslationTable.Placement(size, 0, length);
        return new TranslationTable(placement, page -> pointers[(int) page]);
    }

    private static boolean areExtents(List<FrameRun> runs) {
        return runs.stream().limit(runs.size() - 1L).allMatch(run -> run.frames() % FrameAllocator.EXTENT_FRAMES == 0);
    }

    private static long[] pointers(MachineFrames machine, List<FrameRun> runs, int step, int frames) {
        long[] pointers = new long[(frames + step - 1) / step];
        int page = 0;
        for (FrameRun run : runs) {
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
    public PageState pageState(long page) {
        return PageState.PINNED;
    }

    @Override
    protected void copy(long offset, MemorySegment other, boolean in) {
        MemorySegment memory = machine.mapping();
        for (long done = 0; done < other.byteSize(); ) {
            long part = Math.min(other.byteSize() - done, table.untilPageEnd(offset + done));
            long at = table.machineAddress(offset + done) - memory.address();
            MemorySegment.copy(in ? other : memory, in ? done : at, in ? memory : other, in ? at : done, part);
            done += part;
        }
    }

    @Override
    protected Runnable pinPages(long offset, long length, Pinned.Mode mode) {
        return () -> {};
    }

    @Override
    protected long pinnedAddress(long offset) {
        return table.machineAddress(offset);
    }

    @Override
    protected void heed(long offset, long length, Advice advice) {
        // Its pages stay.
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
    protected void free() {
        machine.giveBack(runs);
    }

    @Override
    public Backing backing() {
        return Backing.ofWired(this, machine.mapping());
    }
}
