package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The driver of stages whose tables another program writes: a guest's own driver, the owner of the tables. It asks the owner to map
 * missing pages and waits for the answer, however long. The owner decides which frame of the stage below a page gets.
 *
 * <p>It works like a {@link Pager}: each input is an event in a {@link Monitor}. The owner's listener is called inside the monitor, so
 * it only passes the news on.
 */
public final class TableDriver implements Driver {
    /** Pages whose frames are prefetched before the driver of the frames is given time. */
    private static final int PREFETCH_STEP = 512;

    /** Is told that a page is missing. */
    @FunctionalInterface
    public interface Listener {
        /** Passes the page-in on to the owner of the table, and returns. The answer is {@link #map} or {@link #refuse}. */
        void onMissing(TablePageIn pageIn);
    }

    private final Stage physical;
    private final PagingCounters counters = new PagingCounters();
    private final long order = Monitor.nextOrder();
    private final Monitor monitor;
    private final TurnAllowance allowance = new TurnAllowance();
    /** Never noted. */
    private final Chore chore = new Chore();

    private final LeaseBudget transit;
    private final LeaseBudget landing;
    private final TableMapping mapping;
    private final TablePageIns pageIns;
    /** Used inside the monitor. */
    private final ArrayDeque<Closing> closings = new ArrayDeque<>();

    /** The closing of one stage, page by page. */
    private static final class Closing {
        private final Stage stage;
        private long next;

        Closing(Stage stage) {
            this.stage = stage;
        }

        /** Closes some pages; true if all are closed. */
        boolean work(TurnAllowance allowance) {
            PageTable table = stage.table();
            while (next < table.pages() && allowance.trySpend()) {
                if (table.closeUntouched(next)) {
                    next |= PageTable.FAN_OUT - 1;
                } else {
                    TableMapping.close(stage, next);
                }
                next++;
            }
            return next >= table.pages();
        }
    }

    /**
     * A driver without stages.
     *
     * @param physical the stage whose pages are the frames
     * @param leased capacity of each lease budget: the most that an owner which never answers can keep from eviction
     * @param listener passes page-ins on to the owner of the tables
     */
    public TableDriver(Stage physical, int leased, Listener listener) {
        this.physical = physical;
        this.monitor = new Monitor(this::turn, physical.driver().helpers());
        this.transit = new LeaseBudget(monitor, counters);
        this.landing = new LeaseBudget(monitor, counters);
        this.mapping = new TableMapping(physical);
        this.pageIns = new TablePageIns(listener, counters);
        transit.capacity(leased);
        landing.capacity(leased);
    }

    public PagingCounters counters() {
        return counters;
    }

    // --- the table, for its owner; any thread

    /**
     * Maps a page to a frame. Nothing happens if it is mapped to this frame already.
     *
     * @throws IllegalArgumentException if there is no such page or frame
     * @throws IllegalStateException if the page has another frame, or is still pinned in the frame it had, or the stage is closed
     */
    public void map(Stage stage, long page, long frame) {
        if (mapping.map(stage, page, frame)) {
            monitor.run(() -> onMapped(stage, page));
        }
    }

    /**
     * Takes the frame of a page away. From the first call on no access can pin the page. An access that has it pinned keeps it; as
     * long as there is one the result is {@link UnmapResult#PINNED} and the frame is in use: call again.
     */
    public UnmapResult unmap(Stage stage, long page) {
        UnmapResult result = TableMapping.unmap(stage, page);
        if (result == UnmapResult.CHANGED || result == UnmapResult.UNCHANGED) {
            counters.add(PagingCounter.EVICTIONS);
            monitor.run(() -> pageIns.onUnmapped(stage, page));
        }
        return result;
    }

    /** The frame of a page; {@link #NONE} if it has none. */
    public int frame(Stage stage, long page) {
        return TableMapping.frame(stage, page);
    }

    /** Whether a page was touched since the last call. */
    public boolean takeReferenced(Stage stage, long page) {
        return TableMapping.takeReferenced(stage, page);
    }

    /** Refuses the requests that wait for a page. Ignored if the page-in has ended. */
    public void refuse(TablePageIn pageIn, Refusal reason) {
        monitor.run(() -> pageIns.refuse(pageIn, reason));
    }

    // --- driver

    /** None: only {@link #map} gives a page a frame. */
    @Override
    public int takeFrame() {
        return NONE;
    }

    @Override
    public Chore chore() {
        return chore;
    }

    @Override
    public void tidy() {}

    @Override
    public void giveFrame(int frame) {
        throw new IllegalStateException("frame " + frame + " is given back, but this driver gives no frames");
    }

    @Override
    public void onInstalled(Stage stage, long page, int frame) {
        throw new IllegalStateException("page " + page + " is in frame " + frame + ", but this driver gives no frames");
    }

    @Override
    public void bringIn(PageRequest request) {
        monitor.submit(() -> pageIns.onRequest(request));
    }

    @Override
    public void poke() {
        monitor.retry();
    }

    @Override
    public Executor helpers() {
        return physical.driver().helpers();
    }

    @Override
    public void attend() {
        monitor.run(() -> {});
    }

    /** Prefetches the frames of those pages that are mapped. */
    @Override
    public void prefetch(Stage stage, long firstPage, long pages) {
        prefetchFrames(
                stage, firstPage, Math.min(firstPage + pages, stage.table().pages()));
    }

    /** Prefetches neighbouring frames of neighbouring pages by one call to the driver below. */
    private void prefetchFrames(Stage stage, long firstPage, long end) {
        long from = NONE;
        long to = NONE;
        for (long page = firstPage; page < end; page++) {
            long word = stage.table().word(page);
            if (!PageWord.isResident(word) || physical.isResident(PageWord.frame(word))) {
                continue;
            }
            if (from != NONE && PageWord.frame(word) != to) {
                physical.driver().prefetch(physical, from, to - from);
                from = NONE;
            }
            from = from == NONE ? PageWord.frame(word) : from;
            to = PageWord.frame(word) + 1L;
        }
        if (from != NONE) {
            physical.driver().prefetch(physical, from, to - from);
        }
    }

    /**
     * Prefetches the frames of those pages that are mapped, and asks the owner for the others, some at a time and no more than there
     * are frames.
     */
    @Override
    public void announce(Stage stage, long firstPage, long pages) {
        long end = Math.min(firstPage + pages, stage.table().pages());
        for (long page = firstPage; page < end; page += PREFETCH_STEP) {
            prefetchFrames(stage, page, Math.min(page + PREFETCH_STEP, end));
            physical.driver().attend();
        }
        long most = Math.min(end, firstPage + physical.table().pages());
        monitor.run(() -> pageIns.prefetch(stage, firstPage, most));
    }

    @Override
    public Stage open(long pages, MemorySegment machine) {
        return new Stage(pages, this, machine, physical, 0);
    }

    @Override
    public void close(Stage stage) {
        stage.close();
        monitor.run(() -> {
            pageIns.close(stage);
            closings.add(new Closing(stage));
        });
    }

    @Override
    public boolean asksOthers() {
        return true;
    }

    @Override
    public FaultEvents faultEvents() {
        return physical.driver().faultEvents();
    }

    @Override
    public LeaseBudget transit() {
        return transit;
    }

    @Override
    public LeaseBudget landing() {
        return landing;
    }

    @Override
    public long order() {
        return order;
    }

    // --- inside the monitor

    private Monitor.Rest turn(boolean retry) {
        allowance.renew();
        if (retry) {
            pageIns.allowRetry();
        }
        boolean again = pageIns.retry(allowance);
        again |= transit.grant(allowance);
        again |= landing.grant(allowance);
        while (!closings.isEmpty() && closings.getFirst().work(allowance)) {
            closings.removeFirst();
        }
        boolean later = pageIns.askAhead(allowance);
        if (again || !closings.isEmpty()) {
            return Monitor.Rest.NOW;
        }
        return later ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    private void onMapped(Stage stage, long page) {
        if (pageIns.onMapped(stage, page)) {
            prefetch(stage, page, 1);
            physical.driver().poke();
        }
    }

    @Override
    public String toString() {
        return "driver of tables that a guest writes, above a " + physical;
    }
}
