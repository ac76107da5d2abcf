package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.PageStore;

/**
 * One stage of translation: it maps the pages of one memory to frames of machine memory or, for a guest, to pages of the stage
 * below. An access pins a page through all stages and gets the page's position in machine memory, which is valid until the access
 * unpins the page.
 */
public final class Stage {
    /** Bytes of a page. */
    public static final int PAGE = PageStore.PAGE;

    /** Result instead of a position: the page is not in machine memory. */
    public static final long NOT_RESIDENT = -1;

    /** Result instead of a position: the content of the page is lost. */
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
    private volatile @Nullable LongConsumer evictionListener;
    private volatile boolean closed;

    /**
     * A stage of pages that were never touched.
     *
     * @param machine all of machine memory
     * @param below the stage whose pages are the frames; null if the frames are in machine memory
     * @param firstSlot slot of the first page in the driver's store
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

    /** Number of the stage among those of its pager. */
    int number() {
        return number;
    }

    void number(int given) {
        number = given;
    }

    MemorySegment machine() {
        return machine;
    }

    /** Number of page requests that found the page missing at this stage. */
    public long faults() {
        return faults.get();
    }

    void countFault() {
        faults.getAndIncrement();
    }

    boolean isClosed() {
        return closed;
    }

    /** No page gets a frame from now on. */
    void close() {
        closed = true;
    }

    /** Sets the listener that gets the number of each page that is evicted. It is called inside the monitor of the driver. */
    public void onEviction(LongConsumer listener) {
        evictionListener = listener;
    }

    /** A page has lost its frame to other pages. */
    void onEvicted(long page) {
        LongConsumer listener = evictionListener;
        if (listener != null) {
            listener.accept(page);
        }
    }

    // --- pinning

    /**
     * Pins a page through all stages.
     *
     * @return the page's position in machine memory; or {@link #NOT_RESIDENT} or {@link #LOST}, and then nothing is pinned
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

    /** Result instead of a position: the page's word has changed. */
    private static final long AGAIN = -3;

    /** The word of a page with one pin more. */
    static long pinned(long word, Access access) {
        return (word + PageWord.PIN) | PageWord.REFERENCED | (access.changes() ? PageWord.DIRTY : 0);
    }

    private long pinBelow(long page, int frame, Access access) {
        if (below == null) {
            return (long) frame * PAGE;
        }
        long position = below.pin(frame, access);
        if (position < 0) {
            unpinOne(page);
        }
        return position;
    }

    /** Gives a page whose content need not be brought in a frame of zeros, and pins it. */
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
     * Forgets the content of a page that is of no use any more. Called before the page can be used again.
     *
     * @return whether an event was left for the driver
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

    /** Position in machine memory of a page that the caller has pinned. */
    public long position(long page) {
        int frame = PageWord.frame(table.word(page));
        return below == null ? (long) frame * PAGE : below.position(frame);
    }

    /** Removes a pin made by {@link #pin} or {@link #acquire}, at all stages. */
    public void unpin(long page) {
        if (below != null) {
            below.unpin(PageWord.frame(table.word(page)));
        }
        unpinOne(page);
    }

    /** Removes a pin at this stage. A closed stage waits for the last pin of each page, so its driver is told. */
    void unpinOne(long page) {
        unpinHere(page);
        if (closed) {
            driver.poke();
        }
    }

    // --- requests

    /**
     * Pins a page through all stages for the listener. A missing page is brought in first: the caller pokes the drivers of all
     * stages when it has asked for all its pages. The answer to {@link Access#TO_OVERWRITE} may be a reserved frame.
     */
    public void acquire(long page, Access access, PageRequest.Listener listener) {
        long position = pin(page, access);
        if (position >= 0) {
            listener.onPinned(this, page);
        } else if (below == null) {
            driver.bringIn(new PageRequest(this, page, access, listener));
        } else {
            driver.bringIn(new PageRequest(this, page, access, new Descent(this, page, access, listener)));
        }
    }

    /** Pins a page at this stage only for the listener. A missing page is brought in first. {@link #unpinHere} removes the pin. */
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
     * Pins a page, which the caller has pinned at this stage, at all stages below as well. The pin at this stage becomes part of
     * the listener's. The caller pokes the drivers as after {@link #acquire}.
     */
    public void acquireBelow(long page, Access access, PageRequest.Listener listener) {
        new Descent(this, page, access, listener).descend();
    }

    /** Removes a pin made by {@link #acquireHere}. */
    public void unpinHere(long page) {
        if (table.unpin(page)) {
            driver.onUnpinned();
        }
    }

    /** Result of {@link #missingAt}: the page is in machine memory. */
    public static final int MISSING_AT_NONE = 0;

    /** The stage at which a page is missing: 1 is this one, 2 the one below; {@link #MISSING_AT_NONE} if it is missing at none. */
    public int missingAt(long page) {
        long word = table.word(page);
        if (!PageWord.isResident(word)) {
            return 1;
        }
        return below == null || below.isResident(PageWord.frame(word)) ? MISSING_AT_NONE : 2;
    }

    /** Whether a page is in machine memory. */
    public boolean isResident(long page) {
        long word = table.word(page);
        return PageWord.isResident(word) && (below == null || below.isResident(PageWord.frame(word)));
    }

    @Override
    public String toString() {
        return "stage of " + table.pages() + " pages" + (below == null ? "" : " above a " + below);
    }
}
