package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.PageStore;

/**
 * One stage of translation: the pages of one memory, in frames of the stage below or, at the last stage, of machine memory.
 * An access pins a page through all stages and gets its position in machine memory, which stays true until it unpins.
 */
public final class Stage {
    /** Bytes of a page. */
    public static final int PAGE = PageStore.PAGE;

    /** Instead of a position: the page is not there now. */
    public static final long NOT_RESIDENT = -1;

    /** Instead of a position: the page is lost. */
    public static final long LOST = -2;

    private static final int ZERO = PageWord.State.ZERO.ordinal();
    private static final int ABSENT = PageWord.State.ABSENT.ordinal();
    private static final int PRESENT = PageWord.State.PRESENT.ordinal();
    private static final int CLEANING = PageWord.State.CLEANING.ordinal();
    private static final int POISONED = PageWord.State.POISONED.ordinal();

    private final PageTable table;
    private final Driver driver;
    private final MemorySegment machine;
    private final @Nullable Stage below;
    private final long firstSlot;
    private final AtomicLong faults = new AtomicLong();
    private volatile int number = -1;
    private volatile boolean closed;

    /**
     * A stage of pages never touched.
     *
     * @param machine all of machine memory
     * @param below where the frames are; null: in machine memory
     * @param firstSlot the place of its first page in its driver's store
     */
    public Stage(long pages, Driver driver, MemorySegment machine, @Nullable Stage below, long firstSlot) {
        this.table = new PageTable(pages);
        this.driver = driver;
        this.machine = machine;
        this.below = below;
        this.firstSlot = firstSlot;
    }

    public PageTable table() {
        return table;
    }

    public Driver driver() {
        return driver;
    }

    public @Nullable Stage below() {
        return below;
    }

    long slot(long page) {
        return firstSlot + page;
    }

    long firstSlot() {
        return firstSlot;
    }

    /** What its pager knows it by. */
    int number() {
        return number;
    }

    void number(int given) {
        number = given;
    }

    MemorySegment machine() {
        return machine;
    }

    /** Pages of this stage asked for that were not there. */
    public long faults() {
        return faults.get();
    }

    void countFault() {
        faults.getAndIncrement();
    }

    boolean isClosed() {
        return closed;
    }

    /** From now on no page gets a frame. */
    void close() {
        closed = true;
    }

    // --- pinning

    /**
     * Pins a page through all stages.
     *
     * @return its position in machine memory, {@link #NOT_RESIDENT} or {@link #LOST}; only in the first case is it pinned
     */
    public long pin(long page, Access access) {
        for (; ; ) {
            long word = table.word(page);
            int code = PageWord.code(word);
            if (code == PRESENT || code == CLEANING) {
                if ((word & PageWord.PINS) == PageWord.PINS) {
                    return NOT_RESIDENT;
                }
                if (table.change(page, word, pinned(word, access))) {
                    return pinBelow(page, PageWord.frame(word), access);
                }
            } else if (code == ZERO || (access == Access.OVERWRITE && (code == ABSENT || code == POISONED))) {
                long position = fill(page, word, access);
                if (position != AGAIN) {
                    return position;
                }
            } else {
                return code == POISONED && access != Access.TO_OVERWRITE ? LOST : NOT_RESIDENT;
            }
        }
    }

    private static final long AGAIN = -3;

    static long pinned(long word, Access access) {
        return (word + PageWord.PIN) | PageWord.REFERENCED | (access.changes() ? PageWord.DIRTY : 0);
    }

    private long pinBelow(long page, int frame, Access access) {
        if (below == null) {
            return (long) frame * PAGE;
        }
        long position = below.pin(frame, access);
        if (position < 0) {
            letGo(page);
        }
        return position;
    }

    /** Gives a page that needs nothing brought in a frame of zeros, pinned. */
    private long fill(long page, long word, Access access) {
        int frame = closed ? Driver.NONE : driver.takeFrame();
        long position = NOT_RESIDENT;
        if (frame != Driver.NONE) {
            position = below == null ? (long) frame * PAGE : below.pin(frame, Access.OVERWRITE);
            if (position < 0) {
                driver.giveFrame(frame);
            }
        }
        if (position < 0 && access == Access.OVERWRITE && !closed) {
            frame = driver.takeReservedFrame(this, page);
            position = frame == Driver.NONE ? position : below == null ? (long) frame * PAGE : below.position(frame);
        }
        if (position < 0) {
            return position;
        }
        machine.asSlice(position, PAGE).fill((byte) 0);
        long flags = PageWord.REFERENCED
                | (access.changes() ? PageWord.DIRTY : 0)
                | (access.changes() ? word & PageWord.STORED : 0);
        if (table.change(page, word, PageWord.present(word, frame, 1, flags))) {
            driver.onInstalled(this, page, frame);
            return position;
        }
        if (below != null) {
            below.unpin(frame);
        }
        driver.giveFrame(frame);
        return AGAIN;
    }

    /**
     * What a page holds that nobody uses any more is of no use. Before anybody else may use it. True if its driver was left an
     * event.
     */
    boolean discard(long page) {
        for (; ; ) {
            long word = table.word(page);
            int code = PageWord.code(word);
            boolean present = code == PRESENT && (word & PageWord.PINS) == 0;
            if (!present && code != ABSENT && code != POISONED) {
                return false;
            }
            long worthless = present
                    ? word & ~(PageWord.DIRTY | PageWord.STORED | PageWord.REFERENCED)
                    : PageWord.gone(word & ~PageWord.STORED, PageWord.State.ZERO);
            if (table.change(page, word, worthless)) {
                if (present && driver instanceof Pager pager) {
                    pager.onDiscarded(this, page);
                    return true;
                }
                return false;
            }
        }
    }

    /** Where a page is that the caller has pinned. */
    public long position(long page) {
        int frame = PageWord.frame(table.word(page));
        return below == null ? (long) frame * PAGE : below.position(frame);
    }

    /** Lets go of a page pinned before. */
    public void unpin(long page) {
        if (below != null) {
            below.unpin(PageWord.frame(table.word(page)));
        }
        letGo(page);
    }

    /** At this stage. A page of a stage that is closed goes with its last pin, and nobody else may come by to see to it. */
    private void letGo(long page) {
        table.unpin(page);
        if (closed) {
            driver.poke();
        }
    }

    // --- waiting

    /** Pins a page through all stages for the listener, bringing in what is missing; see {@link Access#TO_OVERWRITE} as well. */
    public void acquire(long page, Access access, PageRequest.Listener listener) {
        long position = pin(page, access);
        if (position >= 0) {
            listener.onPinned(this, page);
        } else if (below == null) {
            driver.bringIn(new PageRequest(this, page, access, listener));
        } else {
            driver.bringIn(new PageRequest(this, page, access, new Descent(page, access, listener)));
        }
    }

    /** Pins a page at this stage only for the listener, bringing it in if need be; let go of by {@link #unpinHere}. */
    public void acquireHere(long page, Access access, PageRequest.Listener listener) {
        long word = table.word(page);
        boolean here = PageWord.isResident(word) && PageWord.pins(word) < PageWord.PINS_MAX;
        if (here && table.change(page, word, pinned(word, access))) {
            listener.onPinned(this, page);
        } else {
            driver.bringIn(new PageRequest(this, page, access, listener));
        }
    }

    /**
     * Pins a page at all stages below as well, which the caller has pinned at this one; that pin becomes part of the listener's.
     * As with {@link #acquire}, the caller pokes the drivers when he has asked for all he wants.
     */
    public void acquireBelow(long page, Access access, PageRequest.Listener listener) {
        new Descent(page, access, listener).descend();
    }

    /** Lets go of a page pinned at this stage only. */
    public void unpinHere(long page) {
        table.unpin(page);
    }

    /** A page pinned at this stage whose frame is wanted at the next. */
    private final class Descent implements PageRequest.Listener {
        private final long page;
        private final Access access;
        private final PageRequest.Listener listener;

        Descent(long page, Access access, PageRequest.Listener listener) {
            this.page = page;
            this.access = access;
            this.listener = listener;
        }

        @Override
        public void onPinned(Stage stage, long pinnedPage) {
            if (stage == Stage.this) {
                descend().driver.poke();
            } else {
                listener.onPinned(Stage.this, page);
            }
        }

        /** Asks for it at the stage below, which is returned. */
        private Stage descend() {
            Stage next = below;
            assert next != null : "a descent from the last stage";
            next.acquire(PageWord.frame(table.word(page)), access, this);
            return next;
        }

        @Override
        public void onFrameReserved(Stage stage, long pageOfStage, Runnable giveBack) {
            listener.onFrameReserved(
                    Stage.this,
                    page,
                    stage == Stage.this
                            ? giveBack
                            : () -> {
                                giveBack.run();
                                letGo(page); // not before: the frame is kept for what it is mapped to
                            });
        }

        @Override
        public boolean isAbandoned() {
            return listener.isAbandoned();
        }

        @Override
        public void onRefused(Stage stage, long refusedPage, Refusal reason) {
            if (stage != Stage.this) {
                letGo(page);
            }
            listener.onRefused(Stage.this, page, reason);
        }
    }

    /** Whether a page is in machine memory now. */
    public boolean isResident(long page) {
        long word = table.word(page);
        return PageWord.isResident(word) && (below == null || below.isResident(PageWord.frame(word)));
    }

    @Override
    public String toString() {
        return "stage of " + table.pages() + " pages" + (below == null ? "" : " above a " + below);
    }
}
