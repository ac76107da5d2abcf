package org.verbena.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;

/** Managed memory whose pages come and go. */
final class PagedMemory extends ManagedMemory {
    private final Domain domain;
    private final Driver driver;
    private final Set<Region> regions = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean freed = new AtomicBoolean();
    private final Stage stage;
    private final PagedAccess access;
    private final TranslationTable table;

    PagedMemory(Domain domain, Driver driver, long length) {
        this.domain = domain;
        this.driver = driver;
        domain.hypervisor().hold();
        MemorySegment machine = domain.hypervisor().machine().mapping();
        this.stage = driver.open((length + Stage.PAGE - 1) / Stage.PAGE, machine);
        this.access = new PagedAccess(machine, stage, length);
        this.table = TranslationTable.ofPaged(stage.table(), length);
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
        try (ConsumerPin _ = new ConsumerPin(domain, stage, offset, part, change ? Access.WRITE : Access.READ)) {
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
            ConsumerPin pinned = new ConsumerPin(domain, stage, offset, length, Access.WRITE);
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
            case PAGE_OUT -> {
                if (driver instanceof Pager pager) { // a guest's own driver needs no advice
                    pager.evict(stage, first, pages, _ -> {});
                }
            }
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
    PageState pageState(long page) {
        return pageState(stage, page);
    }

    /** A page of a guest is no better off than the guest physical page it is in. */
    private static PageState pageState(Stage stage, long page) {
        long word = stage.table().word(page);
        return switch (PageWord.state(word)) {
            case ZERO, CLOSED -> PageState.ZERO;
            case ABSENT -> PageState.ABSENT;
            case LOADING -> PageState.LOADING;
            case POISONED -> PageState.LOST;
            case PRESENT, CLEANING -> {
                Stage below = stage.below();
                PageState own = PageWord.pins(word) > 0
                        ? PageState.PINNED
                        : PageWord.isDirty(word) ? PageState.DIRTY : PageState.PRESENT;
                PageState lower = below == null ? own : pageState(below, PageWord.frame(word));
                yield lower.isResident() ? own : lower;
            }
        };
    }

    @Override
    void free() {
        if (freed.compareAndSet(false, true)) {
            driver.close(stage);
            domain.forget(this);
            domain.hypervisor().release();
        }
    }

    // --- the end of its domain, whoever uses it

    @Override
    int domainId() {
        return domain.id();
    }

    @Override
    void onRegistered(Region region) {
        regions.add(region);
        if (isShut()) {
            region.revoke();
        }
    }

    @Override
    void onDeregistered(Region region) {
        regions.remove(region);
    }

    /** Entries first, then pages. */
    void revoke() {
        shut();
        regions.forEach(Region::revoke);
        free();
    }
}
