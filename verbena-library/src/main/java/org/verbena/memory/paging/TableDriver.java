package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The driver of stages whose tables somebody else writes: it asks for what is missing and waits for the answer, however
 * long. A page is mapped or not; which frame of the stage below it gets is not decided here.
 *
 * <p>Works like a {@link Pager}: events, worked off by whoever finds the monitor free. The one who answers is told inside the
 * monitor, so that must only pass the news on.
 */
public final class TableDriver implements Driver {
    /** Pages asked for at a time that nobody waits for. */
    private static final int AHEAD_MAX = 16;
    /** Pages whose frames are brought in ahead before the driver of the frames is given time. */
    private static final int PREFETCH_STEP = 512;

    /** Is asked for pages. */
    @FunctionalInterface
    public interface Listener {
        /** Pass it on and return. */
        void onMissing(TablePageIn missing);
    }

    /** What became of a page that is to have no frame any more. */
    public enum Unmapping {
        /** Nobody gets at it any more, but some still have it pinned. */
        PINNED,
        /** It has no frame, and what it held may have been changed since it was mapped. */
        CHANGED,
        /** It has no frame, and what it held was only read. */
        UNCHANGED,
        /** It had no frame before. */
        NOT_MAPPED
    }

    private record Place(Stage stage, long page) {}

    private final Stage physical;
    private final Listener listener;
    private final PagingCounters counters = new PagingCounters();
    private final long order = Monitor.nextOrder();
    private final Monitor monitor;
    private final TurnAllowance allowance = new TurnAllowance();
    /** Never noted. */
    private final Chore chore = new Chore();

    private final LeaseBudget transit;
    private final LeaseBudget landing;

    // Inside the monitor.
    private final Map<Place, TablePageIn> missing = new HashMap<>();
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    /** Of these, those that are tried again now. */
    private int retried;

    private final ArrayDeque<Closing> closings = new ArrayDeque<>();

    /** A stage that is being given up, page by page. */
    private static final class Closing {
        private final Stage stage;
        private long next;

        Closing(Stage stage) {
            this.stage = stage;
        }

        /** True if all are closed. */
        boolean work(TurnAllowance allowance) {
            PageTable table = stage.table();
            while (next < table.pages() && allowance.trySpend()) {
                if (table.closeUntouched(next)) {
                    next |= PageTable.FAN_OUT - 1;
                } else {
                    take(stage, next, PageWord.State.CLOSED);
                }
                next++;
            }
            return next >= table.pages();
        }
    }

    private final PrefetchRanges wishes = new PrefetchRanges();
    private int askedAhead;

    /**
     * A driver with no stages yet.
     *
     * @param physical where the frames are
     * @param kept pages that may be kept at most, of each kind: how much one who never answers can keep from others
     */
    public TableDriver(Stage physical, int kept, Listener listener) {
        this.physical = physical;
        this.listener = listener;
        this.monitor = new Monitor(this::turn, physical.driver().helpers());
        this.transit = new LeaseBudget(monitor, counters);
        this.landing = new LeaseBudget(monitor, counters);
        transit.capacity(kept);
        landing.capacity(kept);
    }

    public PagingCounters counters() {
        return counters;
    }

    @Override
    public boolean asksOthers() {
        return true;
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

    // --- the table, for the one who writes it; any thread

    /**
     * Gives a page a frame.
     *
     * @throws IllegalArgumentException if there is no such page or frame
     * @throws IllegalStateException if the page has another, or somebody still has it pinned where it was, or the stage is closed
     */
    public void map(Stage stage, long page, long frame) {
        check(stage, page);
        if (frame < 0 || frame >= physical.table().pages()) {
            throw new IllegalArgumentException("guest physical page " + frame + " found; there are "
                    + physical.table().pages());
        }
        long word = stage.table().word(page);
        while (PageWord.state(word) == PageWord.State.ZERO && !stage.isClosed()) {
            if (stage.table().change(page, word, PageWord.present(word, (int) frame, 0, 0))) {
                monitor.run(() -> onMapped(stage, page));
                return;
            }
            word = stage.table().word(page);
        }
        if (stage.isClosed()) {
            throw new IllegalStateException("the memory is closed");
        }
        if (PageWord.state(word) == PageWord.State.LOADING) {
            throw new IllegalStateException("page " + page + " is still pinned in guest physical page "
                    + PageWord.frame(word) + ": unmap it until it is not");
        }
        if (PageWord.frame(word) != frame) {
            throw new IllegalStateException("page " + page + " has guest physical page " + PageWord.frame(word)
                    + "; it cannot have " + frame + " before it is unmapped");
        }
    }

    /**
     * Takes a page's frame away. From the first call on nobody pins the page any more; whoever has it pinned keeps it until
     * he is done, and as long the answer is {@link Unmapping#PINNED} and the frame is in use: call again.
     */
    public Unmapping unmap(Stage stage, long page) {
        check(stage, page);
        Unmapping taken = take(stage, page, PageWord.State.ZERO);
        if (taken == Unmapping.CHANGED || taken == Unmapping.UNCHANGED) {
            counters.add(PagingCounter.EVICTIONS);
            monitor.run(() -> onUnmapped(stage, page));
        }
        return taken;
    }

    private static Unmapping take(Stage stage, long page, PageWord.State after) {
        for (; ; ) {
            long word = stage.table().word(page);
            PageWord.State state = PageWord.state(word);
            if (state == after || state == PageWord.State.CLOSED) {
                return Unmapping.NOT_MAPPED;
            }
            boolean pinned = PageWord.pins(word) != 0;
            if (pinned && state == PageWord.State.LOADING) {
                return Unmapping.PINNED;
            }
            // Loading means here: leaving. The frame stands on in the word for those who have it pinned.
            long next = pinned ? PageWord.in(word, PageWord.State.LOADING) : PageWord.gone(word, after);
            if (stage.table().change(page, word, next) && !pinned) {
                return PageWord.isDirty(word) ? Unmapping.CHANGED : Unmapping.UNCHANGED;
            }
        }
    }

    /** The frame of a page; {@link #NONE} if it has none. */
    public int frame(Stage stage, long page) {
        check(stage, page);
        long word = stage.table().word(page);
        return PageWord.isResident(word) ? PageWord.frame(word) : NONE;
    }

    /** Whether the page was touched since this was last asked. */
    public boolean takeReferenced(Stage stage, long page) {
        check(stage, page);
        long word = stage.table().word(page);
        while (PageWord.isResident(word) && PageWord.isReferenced(word)) {
            if (stage.table().change(page, word, word & ~PageWord.REFERENCED)) {
                return true;
            }
            word = stage.table().word(page);
        }
        return false;
    }

    private static void check(Stage stage, long page) {
        if (page < 0 || page >= stage.table().pages()) {
            throw new IllegalArgumentException(
                    "page " + page + " found; the memory has " + stage.table().pages());
        }
    }

    /** Those who wait for a page are refused; nothing happens if nobody waits for this answer any more. */
    public void refuse(TablePageIn refused, Refusal reason) {
        monitor.run(() -> {
            Place place = new Place(refused.stage(), refused.page());
            if (missing.remove(place, refused)) {
                onOver(refused);
                refused.refuse(reason);
            }
        });
    }

    // --- driver

    /** None: a page gets its frame by {@link #map} only. */
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
        throw new IllegalStateException("no frame was given, and " + frame + " comes back");
    }

    @Override
    public void onInstalled(Stage stage, long page, int frame) {
        throw new IllegalStateException("no frame was given, and " + frame + " has page " + page);
    }

    @Override
    public void bringIn(PageRequest request) {
        monitor.submit(() -> onRequest(request));
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

    /** Of what is mapped, the frames. */
    @Override
    public void prefetch(Stage stage, long firstPage, long pages) {
        prefetchFrames(
                stage, firstPage, Math.min(firstPage + pages, stage.table().pages()));
    }

    /** Neighbouring frames of neighbouring pages are one request below. */
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
     * What is mapped has its frames brought in. What is not is asked for, some pages at a time, and not more than all frames
     * could hold.
     */
    @Override
    public void announce(Stage stage, long firstPage, long pages) {
        long end = Math.min(firstPage + pages, stage.table().pages());
        for (long page = firstPage; page < end; page += PREFETCH_STEP) {
            prefetchFrames(stage, page, Math.min(page + PREFETCH_STEP, end));
            physical.driver().attend();
        }
        long most = Math.min(end, firstPage + physical.table().pages());
        monitor.run(() -> wishes.add(stage, firstPage, most));
    }

    @Override
    public Stage open(long pages, MemorySegment machine) {
        return new Stage(pages, this, machine, physical, 0);
    }

    @Override
    public void close(Stage stage) {
        stage.close();
        monitor.run(() -> {
            List<TablePageIn> waiting = missing.values().stream()
                    .filter(asked -> asked.stage() == stage)
                    .toList();
            wishes.forget(stage);
            waiting.forEach(asked -> missing.remove(new Place(stage, asked.page())));
            waiting.forEach(this::onOver);
            waiting.forEach(asked -> asked.refuse(Refusal.CLOSED));
            closings.add(new Closing(stage));
        });
    }

    // --- inside the monitor

    private Monitor.Rest turn(boolean anew) {
        allowance.renew();
        retried = anew ? deferred.size() : retried;
        while (retried > 0 && allowance.trySpend()) {
            retried--;
            deferred.removeFirst().run();
        }
        boolean again = retried > 0;
        again |= transit.grant(allowance);
        again |= landing.grant(allowance);
        while (!closings.isEmpty() && closings.getFirst().work(allowance)) {
            closings.removeFirst();
        }
        boolean later = askAhead();
        if (again || !closings.isEmpty()) {
            return Monitor.Rest.NOW;
        }
        return later ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    /** Asks for some of what was announced; true if more could be asked for at once. */
    private boolean askAhead() {
        while (askedAhead < AHEAD_MAX && !wishes.isEmpty()) {
            if (!allowance.trySpend()) {
                return true;
            }
            Stage stage = wishes.stage();
            long page = wishes.page();
            wishes.advance();
            Place place = new Place(stage, page);
            boolean wanted = PageWord.state(stage.table().word(page)) == PageWord.State.ZERO;
            if (wanted && !stage.isClosed() && !missing.containsKey(place)) {
                TablePageIn asked = new TablePageIn(stage, page, false, true);
                askedAhead++;
                missing.put(place, asked);
                asked.tell();
                counters.add(PagingCounter.PAGES_PREFETCHED);
                listener.onMissing(asked);
            }
        }
        return false;
    }

    private void onOver(TablePageIn asked) {
        askedAhead -= asked.isAhead() ? 1 : 0;
    }

    private void onRequest(PageRequest request) {
        if (request.stage().isClosed()) {
            request.onRefused(Refusal.CLOSED);
            return;
        }
        Place place = new Place(request.stage(), request.page());
        TablePageIn asked = missing.get(place);
        if (asked == null && tryPin(request)) {
            return;
        }
        if (asked != null && asked.isFull()) {
            request.onRefused(Refusal.NO_SUCH_PAGE);
            return;
        }
        if (asked == null) {
            asked = new TablePageIn(request.stage(), request.page(), request.access() != Access.READ, false);
            missing.put(place, asked);
            ask(asked);
        } else {
            counters.add(PagingCounter.FAULTS_JOINED);
        }
        asked.add(request);
    }

    /** Not while it leaves: who is to answer could only be told to come again. */
    private void ask(TablePageIn asked) {
        if (PageWord.state(asked.stage().table().word(asked.page())) != PageWord.State.LOADING) {
            counters.add(PagingCounter.FAULTS);
            asked.stage().countFault();
            asked.tell();
            listener.onMissing(asked);
        }
    }

    /** True if the request has its answer, or will have it when a pin is free. */
    private boolean tryPin(PageRequest request) {
        PageTable table = request.stage().table();
        for (; ; ) {
            long word = table.word(request.page());
            if (!PageWord.isResident(word)) {
                return false;
            }
            if (PageWord.pins(word) == PageWord.PINS_MAX) {
                deferred.add(() -> onRequest(request));
                return true;
            }
            if (table.change(request.page(), word, Stage.pinned(word, request.access()))) {
                counters.add(PagingCounter.LEASES);
                request.onPinned();
                return true;
            }
        }
    }

    private void onMapped(Stage stage, long page) {
        TablePageIn asked = missing.remove(new Place(stage, page));
        if (asked == null) {
            return;
        }
        onOver(asked);
        if (asked.isAhead()) {
            prefetch(stage, page, 1);
            physical.driver().poke();
        }
        asked.requests().forEach(request -> {
            if (!tryPin(request)) {
                onRequest(request); // unmapped again by now
            }
        });
    }

    private void onUnmapped(Stage stage, long page) {
        TablePageIn asked = missing.get(new Place(stage, page));
        if (asked != null && !asked.isTold()) {
            ask(asked);
        }
    }

    @Override
    public String toString() {
        return "driver of a table of others', above a " + physical;
    }
}
