package org.verbena.memory.swapping;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.Advice;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.PageState;
import org.verbena.memory.Pinned;
import org.verbena.memory.Region;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.PageWord;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.TableRegion;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.memory.translation.PagedAccess;
import org.verbena.memory.translation.TranslationTable;

/** Managed memory whose pages come and go. */
public final class PagedMemory extends FrameMemory {
    private final DomainPaging domain;
    private final Driver driver;
    private final Set<TableRegion> regions = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean freed = new AtomicBoolean();
    private final Stage stage;
    private final PagedAccess access;
    private final TranslationTable table;
    private final MemorySwap swap;
    private final boolean wired;

    PagedMemory(DomainPaging domain, Driver driver, long length, boolean wired) {
        this.domain = domain;
        this.driver = driver;
        MemorySegment machine = domain.host().machine().mapping();
        this.stage = open(domain.host(), driver, (length - 1) / Stage.PAGE + 1, machine);
        this.access = new PagedAccess(machine, stage, length);
        this.table = table(domain.host(), driver, stage, length);
        this.swap = new MemorySwap(domain, stage, wired);
        this.wired = wired;
    }

    /**
     * Opens the stage. The hypervisor is held while the stage is open; if it cannot be opened, the hypervisor is not held.
     */
    private static Stage open(HostPaging host, Driver driver, long pages, MemorySegment machine) {
        host.hold();
        try {
            return driver.open(pages, machine);
        } catch (Throwable refused) { // too many pages for the store's numbers, or for the heap
            host.release();
            throw refused;
        }
    }

    /** The translation table over a stage that was just opened. The stage is closed again if the table cannot be made. */
    private static TranslationTable table(HostPaging host, Driver driver, Stage stage, long length) {
        try {
            return TranslationTable.ofPaged(stage.table(), length);
        } catch (Throwable refused) { // more pages than a table holds
            driver.close(stage);
            host.release();
            throw refused;
        }
    }

    @Override
    public boolean mayFault() {
        return !wired;
    }

    /** The memory of a region if it is paged, else null. */
    public static @Nullable PagedMemory of(TableRegion region) {
        return region.backing().managed() instanceof PagedMemory paged ? paged : null;
    }

    /** The swapping of its regions. */
    public MemorySwap swap() {
        return swap;
    }

    /** The stage that translates its pages. */
    public Stage stage() {
        return stage;
    }

    @Override
    public TranslationTable table() {
        return table;
    }

    @Override
    public boolean isSwappable() {
        return true;
    }

    @Override
    public Backing backing() {
        return Backing.ofPaged(this, access);
    }

    @Override
    protected void copy(long offset, MemorySegment other, boolean in) {
        for (long done = 0; done < other.byteSize(); ) {
            done += copyPart(offset + done, other, done, in);
            access.tidy();
        }
    }

    /**
     * Copies within one page. A missing page is brought in, and copied while it is pinned. Returns the number of bytes
     * copied; 0: try again.
     */
    private int copyPart(long at, MemorySegment other, long done, boolean in) {
        int part = (int) Math.min(other.byteSize() - done, Stage.PAGE - (at & (Stage.PAGE - 1)));
        if (tryCopy(at, other, done, part, in)) {
            return part;
        }
        long remaining = other.byteSize() - done;
        try (ConsumerPin _ = ConsumerPin.passing(
                domain, stage, at, part, page -> in ? access.accessOf(page, at, remaining) : Access.READ)) {
            return tryCopy(at, other, done, part, in) ? part : 0;
        }
    }

    private boolean tryCopy(long at, MemorySegment other, long done, int part, boolean in) {
        Verdict verdict = in
                ? access.copyIn(at, other, done, part, other.byteSize() - done)
                : access.copyOut(at, other, done, part);
        return verdict == Verdict.GRANTED;
    }

    @Override
    protected Runnable pinPages(long offset, long length, Pinned.Mode mode) {
        LongFunction<Access> how = switch (mode) {
            case READ -> _ -> Access.READ;
            case WRITE -> _ -> Access.WRITE;
            case OVERWRITE -> page -> access.accessOf(page, offset, length);
        };
        return ConsumerPin.lasting(domain, stage, offset, length, how)::close;
    }

    @Override
    protected long pinnedAddress(long offset) {
        return access.machine().address() + access.position(offset);
    }

    @Override
    protected void heed(long offset, long length, Advice advice) {
        long first = PagedAccess.page(offset);
        long pages = PagedAccess.page(offset + length - 1) + 1 - first;
        switch (advice) {
            case WILL_NEED -> {
                stage.driver().announce(stage, first, pages);
                for (@Nullable Stage asked = stage; asked != null; asked = asked.below()) {
                    asked.driver().attend();
                }
            }
            case PAGE_OUT -> {
                if (driver instanceof Pager pager) { // a guest's own driver needs no advice
                    pager.evict(stage, first, pages, (_, _, _) -> {});
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
    public PageState pageState(long page) {
        return pageState(stage, page);
    }

    /** The state of a page. A page of a guest is resident only if its guest physical page is. */
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
    protected void free() {
        if (freed.compareAndSet(false, true)) {
            swap.close();
            driver.close(stage);
            domain.forget(this);
            domain.host().release();
        }
    }

    // --- the end of its domain, also while it is in use

    @Override
    public boolean belongsTo(MemoryDomain owner) {
        return domain.isOf(owner);
    }

    @Override
    public int domainId() {
        return domain.id();
    }

    @Override
    public void onRegistered(Region region) {
        TableRegion registered = TableRegion.of(region);
        regions.add(registered);
        swap.onRegistered(registered);
        if (isShut()) {
            registered.revoke();
        }
    }

    @Override
    public void onDeregistered(Region region) {
        TableRegion registered = TableRegion.of(region);
        regions.remove(registered);
        swap.onClosed(registered);
    }

    @Override
    protected void onTaken() {
        swap.onTaken();
    }

    @Override
    protected void onGivenBack() {
        swap.onGivenBack();
    }

    /** Ends the memory though it is in use: first the entries of its regions, then its pages. */
    public void revoke() {
        shut();
        regions.forEach(TableRegion::revoke);
        free();
    }
}
