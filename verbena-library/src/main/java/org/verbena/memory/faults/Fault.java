package org.verbena.memory.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.Verdict;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.PageRequest;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionEntry;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.translation.PagedAccess;

/**
 * A page fault, from the access that met it until the pages are there: which ranges are wanted, who is told, and the lease
 * that keeps the pages from being evicted before they were used. One access, one fault; made by
 * {@link ProtectionTable#fault}.
 *
 * <p>Ranges are added and it is started by one thread; {@link #outcome}, {@link #poke} and {@link #release} may be called by
 * any.
 */
public final class Fault {
    /** Is told that a fault has ended. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called once, by any thread, unless {@link Fault#start} said that there is nothing to wait for or the fault was
         * released before; one released at the same moment may still be told of. Must not block.
         */
        void onEnd(Fault fault);
    }

    /** What will be done to the memory. */
    public enum Intent {
        /** It will be read. What remains of the message is brought in after what is wanted at once. */
        READ,
        /** It will be written, in part perhaps. What remains is brought in as well. */
        WRITE,
        /** All that remains will be written by one message: pages wholly within need not be brought in. */
        OVERWRITE,
        /** Like OVERWRITE, all of it at once: where the answer to a read will land. The lease may last as long as the answer takes. */
        LANDING
    }

    /** Pages of what remains of a message that are brought in ahead of need, at most: 4 MiB. */
    private static final int AHEAD_MAX = 1024;
    /** Pages for messages behind this one: 256 KiB. */
    private static final int FORESEEN_MAX = 64;

    private final ProtectionTable table;
    private final Listener listener;
    private final List<Want> wants = new ArrayList<>(2);
    private final List<Ahead> ahead = new ArrayList<>(1);
    private final AtomicInteger missing = new AtomicInteger();
    private final AtomicInteger phase = new AtomicInteger(NEW);
    private volatile Verdict refusal = Verdict.GRANTED;
    /** Pages of guests whose own drivers have not answered yet. */
    private final AtomicInteger unanswered = new AtomicInteger();
    /** Of those drivers; the other one is of all others. */
    private LeaseGrant askingGrant = NOTHING;

    private LeaseGrant grant = NOTHING;
    private boolean landing;
    private int foreseen;

    /** Before it is started. */
    private static final LeaseGrant NOTHING = new LeaseGrant(false);

    private static final int NEW = 0;
    private static final int STARTING = 1;
    private static final int WAITING = 2;
    private static final int ENDED = 3;
    private static final int RELEASED = 4;

    /** Pages to be brought in once those wanted are there. */
    private record Ahead(Stage stage, long first, long pages) {}

    public Fault(ProtectionTable table, Listener listener) {
        this.table = table;
        this.listener = listener;
    }

    /** One page that is wanted, and later pinned. */
    private final class Want implements PageRequest.Listener {
        private static final int AWAITED = 0;
        private static final int PINNED = 1;
        private static final int ROOM = 2;
        private static final int OVER = 3;

        private final Stage stage;
        private final long page;
        private final Access access;
        private final AtomicInteger state = new AtomicInteger(AWAITED);
        private final Answer answer = new Answer();
        private volatile Runnable room = () -> {};

        /** Of a driver who may never give one: the page is pinned at its stage, and nothing is kept at others yet. */
        private final class Answer implements PageRequest.Listener {
            private final AtomicInteger state = new AtomicInteger(AWAITED);

            @Override
            public void onPinned(Stage pinnedStage, long pinnedPage) {
                if (state.compareAndSet(AWAITED, PINNED)) {
                    onAnswer();
                } else {
                    stage.unpinHere(page);
                }
            }

            @Override
            public void onRefused(Stage refusingStage, long refusedPage, Refusal reason) {
                Want.this.onRefused(refusingStage, refusedPage, reason);
                onAnswer();
            }

            @Override
            public boolean isAbandoned() {
                return state.get() == OVER;
            }

            /** The pin is the caller's now; false if there is none. */
            boolean take() {
                return state.getAndSet(OVER) == PINNED;
            }
        }

        Want(Stage stage, long page, Access access) {
            this.stage = stage;
            this.page = page;
            this.access = access;
        }

        boolean is(Stage otherStage, long otherPage) {
            return stage == otherStage && page == otherPage;
        }

        boolean asksOthers() {
            return stage.driver().asksOthers();
        }

        void ask() {
            stage.acquireHere(page, access, answer);
        }

        void acquire() {
            if (!asksOthers()) {
                stage.acquire(page, access, this);
            } else if (answer.take()) {
                stage.acquireBelow(page, access, this);
            }
        }

        @Override
        public void onPinned(Stage pinnedStage, long pinnedPage) {
            if (state.compareAndSet(AWAITED, PINNED)) {
                onPage();
            } else {
                stage.unpin(page);
            }
        }

        @Override
        public void onRefused(Stage refusingStage, long refusedPage, Refusal reason) {
            refuse(
                    switch (reason) {
                        case LOST -> Verdict.PAGE_LOST;
                        case NO_SUCH_PAGE -> Verdict.NO_SUCH_ADDRESS;
                        case CLOSED -> Verdict.BACKING_CLOSED;
                    });
        }

        void refuse(Verdict why) {
            if (state.compareAndSet(AWAITED, OVER)) {
                refusal = why;
                onPage();
            }
        }

        @Override
        public void onFrameReserved(Stage roomyStage, long pageToBe, Runnable giveBack) {
            room = giveBack;
            if (state.compareAndSet(AWAITED, ROOM)) {
                onPage();
            } else {
                giveBack.run();
            }
        }

        @Override
        public boolean isAbandoned() {
            return state.get() == OVER;
        }

        void release() {
            int before = state.getAndSet(OVER);
            if (answer.take()) {
                stage.unpinHere(page);
            }
            if (before == PINNED) {
                stage.unpin(page);
            } else if (before == ROOM) {
                room.run();
            }
        }
    }

    /**
     * Adds a range. Nothing happens before {@link #start}.
     *
     * @param length bytes wanted now
     * @param remaining bytes the message has from the address on, at least the length
     * @return GRANTED, or why the access would be refused whatever is resident
     */
    public Verdict add(Accessor who, int key, long address, long length, long remaining, Intent intent) {
        ProtectionEntry entry = table.entry(key);
        Verdict verdict = table.judge(who, entry, key, address, length);
        PagedAccess paged = entry == null ? null : entry.paged();
        if (verdict != Verdict.GRANTED || length == 0 || entry == null || paged == null) {
            return verdict;
        }
        landing |= intent == Intent.LANDING;
        long offset = entry.offsetOf(address);
        long covered = Math.min(Math.max(length, remaining), entry.length - (address - entry.start));
        boolean overwrites = intent == Intent.OVERWRITE || intent == Intent.LANDING;
        long end = PagedAccess.page(offset + length - 1) + 1;
        for (long page = PagedAccess.page(offset); page < end; page++) {
            Access access =
                    intent == Intent.READ ? Access.READ : paged.accessOf(page, offset, overwrites ? covered : length);
            // What the access would overwrite must outlast a fault that is given up before.
            boolean early = access == Access.OVERWRITE && intent != Intent.LANDING;
            want(paged, page, early ? Access.TO_OVERWRITE : access);
        }
        long last = PagedAccess.page(offset + covered - 1);
        if (intent == Intent.OVERWRITE) {
            if (last >= end && paged.accessOf(last, offset, covered) != Access.OVERWRITE) {
                want(paged, last, Access.WRITE);
            }
        } else if (last >= end) {
            ahead.add(new Ahead(paged.stage(), end, Math.min(last + 1 - end, AHEAD_MAX)));
        }
        return Verdict.GRANTED;
    }

    /**
     * Adds bytes that will be needed soon, by the messages behind this one: brought in after what is wanted, not waited for,
     * not leased, and not many. What may not be accessed is left out, for whoever needs it to find.
     */
    public void foresee(Accessor who, int key, long address, long length) {
        ProtectionEntry entry = table.entry(key);
        PagedAccess paged = entry == null ? null : entry.paged();
        if (length == 0
                || foreseen == FORESEEN_MAX
                || entry == null
                || paged == null
                || !table.judge(who, entry, key, address, length).granted()) {
            return;
        }
        long offset = entry.offsetOf(address);
        long first = PagedAccess.page(offset);
        long pages = PagedAccess.page(offset + length - 1) + 1 - first;
        int few = (int) Math.min(pages, FORESEEN_MAX - foreseen);
        foreseen += few;
        ahead.add(new Ahead(paged.stage(), first, few));
    }

    private void want(PagedAccess paged, long page, Access access) {
        for (Want want : wants) {
            if (want.is(paged.stage(), page)) {
                return;
            }
        }
        wants.add(new Want(paged.stage(), page, access));
    }

    /**
     * Asks for the pages; true if it has ended already and nobody will be told: all are there, leased, or {@link #outcome}
     * says why not. More pages than half of the frames are refused, since they could never be there together.
     */
    public boolean start() {
        if (!phase.compareAndSet(NEW, STARTING)) {
            throw new IllegalStateException("a page fault is started once; this one is " + this);
        }
        missing.set(wants.size() + 1);
        LeaseGrant asking = new LeaseGrant(landing);
        LeaseGrant others = new LeaseGrant(landing);
        for (Want want : wants) {
            for (@Nullable Stage stage = want.stage; stage != null; stage = stage.below()) {
                Driver driver = stage.driver();
                (driver.asksOthers() ? asking : others).add(driver);
            }
        }
        askingGrant = asking;
        grant = others;
        if (asking.isTooMuch() || others.isTooMuch()) {
            wants.forEach(want -> want.refuse(Verdict.TOO_MANY_PAGES));
        } else if (asking.isEmpty()) {
            others.take(this::acquire);
        } else {
            asking.take(this::ask);
        }
        onPage();
        // Whoever comes second, the last page or this, finds the other one done.
        return !phase.compareAndSet(STARTING, WAITING);
    }

    /** Guests' own drivers come first: as long as one is silent, nothing that others need too is kept for its guest. */
    private void ask() {
        List<Want> asked = wants.stream().filter(Want::asksOthers).toList();
        unanswered.set(asked.size() + 1);
        asked.forEach(Want::ask);
        asked.stream().map(want -> want.stage.driver()).distinct().forEach(Driver::poke);
        onAnswer();
    }

    private void onAnswer() {
        if (unanswered.decrementAndGet() == 0) {
            grant.take(this::acquire);
        }
    }

    private void acquire() {
        wants.forEach(Want::acquire);
        ahead.forEach(pages -> pages.stage.driver().prefetch(pages.stage, pages.first, pages.pages));
        drivers().forEach(Driver::poke);
    }

    private List<Driver> drivers() {
        List<Driver> drivers = new ArrayList<>(2);
        wants.forEach(want -> addDrivers(want.stage, drivers));
        ahead.forEach(pages -> addDrivers(pages.stage, drivers));
        return drivers;
    }

    private static void addDrivers(Stage top, List<Driver> drivers) {
        for (@Nullable Stage stage = top; stage != null; stage = stage.below()) {
            if (!drivers.contains(stage.driver())) {
                drivers.add(stage.driver());
            }
        }
    }

    private void onPage() {
        if (missing.decrementAndGet() > 0) {
            return;
        }
        if (!phase.compareAndSet(STARTING, ENDED) && phase.compareAndSet(WAITING, ENDED)) {
            listener.onEnd(this);
        }
    }

    /** NOT_RESIDENT while it lasts; then GRANTED, or why the pages cannot be had. */
    public Verdict outcome() {
        return phase.get() < ENDED ? Verdict.NOT_RESIDENT : refusal;
    }

    /** Something may have changed, room in the store perhaps: what waits is tried again. */
    public void poke() {
        if (phase.get() == WAITING) {
            drivers().forEach(Driver::poke);
        }
    }

    /** Pages wanted, and leased once they are there. */
    public int pages() {
        return wants.size();
    }

    /** Ends the lease; a fault that still lasts is given up, and nobody told. Idempotent. */
    public void release() {
        if (phase.getAndSet(RELEASED) != RELEASED) {
            wants.forEach(Want::release);
            grant.giveBack();
            askingGrant.giveBack();
        }
    }

    @Override
    public String toString() {
        return "page fault on " + wants.size() + " pages: " + outcome().reason();
    }
}
