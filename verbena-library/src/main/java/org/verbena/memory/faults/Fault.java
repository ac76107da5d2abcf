package org.verbena.memory.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.verbena.FaultedAccess;
import org.verbena.Verdict;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionEntry;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.translation.PagedAccess;

/**
 * A page fault: one access that found pages missing. It has the ranges that the access needs and the listener that is told of the
 * end. After the end it keeps the pages leased until it is released, so that they are not evicted before the access is repeated.
 *
 * <p>One thread adds ranges and starts the fault; any thread may call {@link #outcome}, {@link #poke} and {@link #release}.
 */
public final class Fault {
    /** Is told of the end of a fault. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called once, on any thread. Not called if {@link Fault#start} returned true or the fault was released before; a fault that
         * is released at the same moment may still be told of. Must not block.
         */
        void onEnd(Fault fault);
    }

    /** The use of the memory. */
    public enum Intent {
        /** The range is read. The rest of the message is prefetched. */
        READ,
        /** The range is written, perhaps in part. The rest of the message is prefetched. */
        WRITE,
        /** Like WRITE, by a send of the peer. */
        RECEIVE,
        /** Like WRITE, by an atomic operation of the peer. */
        ATOMIC,
        /** One message writes all of the rest: pages wholly within it need not be brought in. */
        OVERWRITE,
        /** Like OVERWRITE, for the landing of a read: all pages are pinned. The lease lasts until the response is there. */
        LANDING
    }

    /** Pages of the rest of a message that are prefetched, at most: 4 MiB. */
    private static final int AHEAD_MAX = 1024;
    /** Pages of later messages that are prefetched, at most: 256 KiB. */
    private static final int FORESEEN_MAX = 64;

    private final ProtectionTable table;
    private final Listener listener;
    private final List<FaultPage> pages = new ArrayList<>(2);
    private final List<Ahead> ahead = new ArrayList<>(1);
    /** Number of pages without an answer, and one more until the fault is started. */
    private final AtomicInteger awaited = new AtomicInteger();

    private final AtomicInteger phase = new AtomicInteger(NEW);
    private volatile Verdict refusal = Verdict.GRANTED;
    /** Number of pages that guests' own drivers have not answered yet. */
    private final AtomicInteger unanswered = new AtomicInteger();
    /** Pages of guests' own drivers. */
    private Lease guestLease = NOTHING;
    /** Pages of all other drivers. */
    private Lease lease = NOTHING;

    private boolean landing;
    private int foreseen;
    /** Null if nothing is missing, or no listener wants to know. */
    private @Nullable FaultNews news;

    /** The leases of a fault that is not started. */
    private static final Lease NOTHING = new Lease(false);

    private static final int NEW = 0;
    private static final int STARTING = 1;
    private static final int WAITING = 2;
    private static final int ENDED = 3;
    private static final int RELEASED = 4;

    /** Pages to be prefetched. */
    private record Ahead(Stage stage, long first, long pages) {}

    /** @param listener is told of the end */
    public Fault(ProtectionTable table, Listener listener) {
        this.table = table;
        this.listener = listener;
    }

    /**
     * Adds a range that the access needs. Nothing is brought in before {@link #start}.
     *
     * @param length bytes that the access needs now
     * @param remaining bytes of the message from the address on, at least {@code length}
     * @return GRANTED, or the reason why the access is refused even if all pages are resident
     */
    public Verdict add(Accessor accessor, int key, long address, long length, long remaining, Intent intent) {
        ProtectionEntry entry = table.entry(key);
        Verdict verdict = table.judge(accessor, entry, key, address, length);
        PagedAccess paged = entry == null ? null : entry.paged();
        if (verdict != Verdict.GRANTED || length == 0 || entry == null || paged == null) {
            return verdict;
        }
        landing |= intent == Intent.LANDING;
        long offset = entry.offsetOf(address);
        long covered = Math.min(Math.max(length, remaining), entry.length - (address - entry.start));
        boolean overwrites = intent == Intent.OVERWRITE || intent == Intent.LANDING;
        long end = PagedAccess.page(offset + length - 1) + 1;
        FaultedAccess origin = origin(accessor, entry, paged.stage(), address, length, intent);
        for (long page = PagedAccess.page(offset); page < end; page++) {
            Access access =
                    intent == Intent.READ ? Access.READ : paged.accessOf(page, offset, overwrites ? covered : length);
            // A page that the access will overwrite keeps its content if the fault ends without the access.
            boolean early = access == Access.OVERWRITE && intent != Intent.LANDING;
            require(paged, page, early ? Access.TO_OVERWRITE : access, origin);
        }
        if (news == null && origin != null && FaultNews.isWanted(paged.stage())) {
            news = FaultNews.of(origin, paged.stage(), PagedAccess.page(offset), end);
        }
        long last = PagedAccess.page(offset + covered - 1);
        if (intent == Intent.OVERWRITE) {
            if (last >= end && paged.accessOf(last, offset, covered) != Access.OVERWRITE) {
                require(paged, last, Access.WRITE, origin);
            }
        } else if (last >= end) {
            ahead.add(new Ahead(paged.stage(), end, Math.min(last + 1 - end, AHEAD_MAX)));
        }
        return Verdict.GRANTED;
    }

    /**
     * Adds a range that later messages will need. Some of its pages are prefetched, and not leased. A range that may not be accessed
     * is ignored; the later message meets the error.
     */
    public void foresee(Accessor accessor, int key, long address, long length) {
        ProtectionEntry entry = table.entry(key);
        PagedAccess paged = entry == null ? null : entry.paged();
        if (length == 0
                || foreseen == FORESEEN_MAX
                || entry == null
                || paged == null
                || !table.judge(accessor, entry, key, address, length).granted()) {
            return;
        }
        long offset = entry.offsetOf(address);
        long first = PagedAccess.page(offset);
        long all = PagedAccess.page(offset + length - 1) + 1 - first;
        int few = (int) Math.min(all, FORESEEN_MAX - foreseen);
        foreseen += few;
        ahead.add(new Ahead(paged.stage(), first, few));
    }

    /** The access, for a guest's own driver or a listener; null if there is neither. */
    private static @Nullable FaultedAccess origin(
            Accessor accessor, ProtectionEntry entry, Stage stage, long address, long length, Intent intent) {
        if (!stage.driver().asksOthers() && !FaultNews.isWanted(stage)) {
            return null;
        }
        return new FaultedAccess(
                FaultNews.kindOf(accessor, intent),
                entry.memoryDomain(),
                entry.key(),
                address,
                length,
                accessor.queuePair());
    }

    private void require(PagedAccess paged, long page, Access access, @Nullable FaultedAccess origin) {
        for (FaultPage known : pages) {
            if (known.is(paged.stage(), page)) {
                return;
            }
        }
        pages.add(new FaultPage(this, paged.stage(), page, access, origin));
    }

    /**
     * Requests the pages. A fault with more pages than half of the frames is refused.
     *
     * @return true if the fault has ended already: {@link #outcome} is known, and the listener is not called
     */
    public boolean start() {
        if (!phase.compareAndSet(NEW, STARTING)) {
            throw new IllegalStateException("a page fault is started once; this one is " + this);
        }
        if (news != null) {
            news.begin(table.name(), pages.size());
        }
        awaited.set(pages.size() + 1);
        Lease guests = new Lease(landing);
        Lease others = new Lease(landing);
        for (FaultPage page : pages) {
            for (@Nullable Stage stage = page.stage(); stage != null; stage = stage.below()) {
                Driver driver = stage.driver();
                (driver.asksOthers() ? guests : others).add(driver);
            }
        }
        guestLease = guests;
        lease = others;
        if (guests.isTooMuch() || others.isTooMuch()) {
            pages.forEach(page -> page.refuse(Verdict.TOO_MANY_PAGES));
        } else if (guests.isEmpty()) {
            others.take(this::acquire);
        } else {
            guests.take(this::askGuests);
        }
        onPage();
        // The last page and this thread both change the phase; the second of them finds the other's change.
        return !phase.compareAndSet(STARTING, WAITING);
    }

    /** Asks the guests' own drivers first: a driver that never answers keeps nothing of the other drivers' budgets. */
    private void askGuests() {
        List<FaultPage> asked = pages.stream().filter(FaultPage::asksGuest).toList();
        unanswered.set(asked.size() + 1);
        asked.forEach(FaultPage::askGuest);
        asked.stream().map(FaultPage::driver).distinct().forEach(Driver::poke);
        onGuestAnswer();
    }

    /** A guest's own driver has answered for one page. */
    void onGuestAnswer() {
        if (unanswered.decrementAndGet() == 0) {
            lease.take(this::acquire);
        }
    }

    private void acquire() {
        pages.forEach(FaultPage::acquire);
        ahead.forEach(range -> range.stage.driver().prefetch(range.stage, range.first, range.pages));
        drivers().forEach(Driver::poke);
    }

    private List<Driver> drivers() {
        List<Driver> drivers = new ArrayList<>(2);
        pages.forEach(page -> addDrivers(page.stage(), drivers));
        ahead.forEach(range -> addDrivers(range.stage, drivers));
        return drivers;
    }

    private static void addDrivers(Stage top, List<Driver> drivers) {
        for (@Nullable Stage stage = top; stage != null; stage = stage.below()) {
            if (!drivers.contains(stage.driver())) {
                drivers.add(stage.driver());
            }
        }
    }

    /** A page cannot be had. */
    void onPageRefused(Verdict reason) {
        refusal = reason;
        onPage();
    }

    /** A page is pinned, has a reserved frame, or is refused. */
    void onPage() {
        if (awaited.decrementAndGet() > 0) {
            return;
        }
        if (!phase.compareAndSet(STARTING, ENDED) && phase.compareAndSet(WAITING, ENDED)) {
            listener.onEnd(this);
        }
    }

    /** NOT_RESIDENT until the fault ends; then GRANTED, or the reason why a page cannot be had. */
    public Verdict outcome() {
        return phase.get() < ENDED ? Verdict.NOT_RESIDENT : refusal;
    }

    /**
     * Tells listeners the end of the fault, once; does nothing if it was told before, or the fault was not started. The thread that
     * started the fault.
     *
     * @param outcome NOT_RESIDENT if the fault is given up
     * @param durationNs since the start
     */
    public void tellEnd(Verdict outcome, long durationNs) {
        if (news != null) {
            news.end(outcome, durationNs);
        }
    }

    /** Has the drivers retry what could not be done before, for instance because the store was full. */
    public void poke() {
        if (phase.get() == WAITING) {
            drivers().forEach(Driver::poke);
        }
    }

    /** Number of pages that are requested, and then leased. */
    public int pages() {
        return pages.size();
    }

    /** Ends the lease. A fault that has not ended is given up, and its listener is not called. Idempotent. */
    public void release() {
        if (phase.getAndSet(RELEASED) != RELEASED) {
            pages.forEach(FaultPage::release);
            lease.giveBack();
            guestLease.giveBack();
        }
    }

    @Override
    public String toString() {
        return "page fault on " + pages.size() + " pages: " + outcome().reason();
    }
}
