package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;

/** Managed memory whose pages come and go. */
final class PagedMemory extends ManagedMemory {
    private final Hypervisor hypervisor;
    private final Pager pager;
    private final Stage stage;
    private final PagedAccess access;
    private final TranslationTable table;
    private final MemorySwap swap;

    PagedMemory(Hypervisor hypervisor, Pager pager, long length, boolean wired) {
        this.hypervisor = hypervisor;
        this.pager = pager;
        MemorySegment machine = hypervisor.machine().mapping();
        this.stage = pager.open((length + Stage.PAGE - 1) / Stage.PAGE, machine);
        this.access = new PagedAccess(machine, stage, length);
        this.table = TranslationTable.ofPaged(stage.table(), length);
        this.swap = new MemorySwap(hypervisor, pager, stage, wired);
    }

    MemorySwap swap() {
        return swap;
    }

    Stage stage() {
        return stage;
    }

    @Override
    public TranslationTable table() {
        return table;
    }

    @Override
    Backing backing() {
        return Backing.ofPaged(this, access);
    }

    @Override
    void copy(long offset, MemorySegment other, boolean in) {
        for (long done = 0; done < other.byteSize(); ) {
            long at = offset + done;
            int part = (int) Math.min(other.byteSize() - done, Stage.PAGE - (at & (Stage.PAGE - 1)));
            Verdict verdict = in
                    ? access.copyIn(at, other, done, part, other.byteSize() - done)
                    : access.copyOut(at, other, done, part);
            if (verdict == Verdict.GRANTED) {
                done += part;
            } else {
                bringIn(at, part, in);
            }
        }
    }

    /** Waits until the page of an offset is there. It may be gone again at once: the caller tries, and comes again. */
    private void bringIn(long offset, int part, boolean change) {
        try (ConsumerPin _ = new ConsumerPin(hypervisor, stage, offset, part, change ? Access.WRITE : Access.READ)) {
            // That was all: it is there, and likely to be for a while.
            Thread.onSpinWait();
        }
    }

    @Override
    @SuppressWarnings("restricted") // a slice of our own mapping, with the consumer's lifetime
    public MemorySegment pin(long offset, long length, Arena arena) {
        check(offset, length);
        hold();
        ConsumerPin pin = null;
        try {
            ConsumerPin pinned = new ConsumerPin(hypervisor, stage, offset, length, Access.WRITE);
            pin = pinned;
            requireOnePiece(offset, length);
            return MemorySegment.ofAddress(access.machine().address() + access.position(offset))
                    .reinterpret(length, arena, _ -> {
                        pinned.close();
                        release();
                    });
        } catch (IllegalStateException | WrongThreadException refused) {
            if (pin != null) {
                pin.close();
            }
            release();
            throw refused;
        }
    }

    @Override
    void heed(long offset, long length, Advice advice) {
        long first = PagedAccess.page(offset);
        long pages = PagedAccess.page(offset + length - 1) + 1 - first;
        switch (advice) {
            case WILL_NEED -> {
                stage.driver().prefetch(stage, first, pages);
                stage.driver().poke();
            }
            case PAGE_OUT -> pager.evict(stage, first, pages, (_, _) -> {});
        }
    }

    @Override
    public long contiguousFrom(long offset) {
        check(offset, 1);
        long page = PagedAccess.page(offset);
        if (!stage.isResident(page)) {
            return 0;
        }
        long start = access.position(offset);
        long bytes = Stage.PAGE - (offset & (Stage.PAGE - 1));
        while (bytes < length() - offset
                && stage.isResident(PagedAccess.page(offset + bytes))
                && access.position(offset + bytes) == start + bytes) {
            bytes += Stage.PAGE;
        }
        return Math.min(bytes, length() - offset);
    }

    @Override
    void free() {
        swap.close();
        pager.close(stage);
        hypervisor.release();
    }

    /** Pages in machine memory now, as counted page by page while they come and go. */
    long resident() {
        long resident = 0;
        for (long page = 0; page < stage.table().pages(); page++) {
            resident += PageWord.isResident(stage.table().word(page)) ? 1 : 0;
        }
        return resident;
    }
}
