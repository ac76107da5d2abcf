package org.verbena.memory.paging;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The page-ins of a {@link TableDriver}: the pages that the owner of the tables is asked to map, for requests or ahead of need. Used
 * inside the monitor of the driver.
 */
final class TablePageIns {
    /** Pages that the owner is asked for at a time ahead of need. */
    private static final int AHEAD_MAX = 16;

    private record Place(Stage stage, long page) {}

    private final TableDriver.Listener listener;
    private final PagingCounters counters;
    private final Map<Place, TablePageIn> pageIns = new HashMap<>();
    private final DeferredRequests deferred = new DeferredRequests();
    private final PrefetchRanges ranges = new PrefetchRanges();
    /** Number of page-ins that began as a prefetch. */
    private int ahead;

    /** @param listener passes each page-in on to the owner of the tables */
    TablePageIns(TableDriver.Listener listener, PagingCounters counters) {
        this.listener = listener;
        this.counters = counters;
    }

    // --- requests

    /** Allows the deferred requests to be retried. */
    void allowRetry() {
        deferred.allowRetry();
    }

    /** Retries deferred requests; true if some are left for the next turn. */
    boolean retry(TurnAllowance allowance) {
        return deferred.retry(allowance, this::onRequest);
    }

    void onRequest(PageRequest request) {
        if (request.stage().isClosed()) {
            request.onRefused(Refusal.CLOSED);
            return;
        }
        Place place = new Place(request.stage(), request.page());
        TablePageIn pageIn = pageIns.get(place);
        if (pageIn == null && tryPin(request)) {
            return;
        }
        if (pageIn != null && pageIn.isFull()) {
            request.onRefused(Refusal.NO_SUCH_PAGE);
            return;
        }
        if (pageIn != null) {
            counters.add(PagingCounter.FAULTS_JOINED);
            pageIn.add(request);
            return;
        }
        pageIn = new TablePageIn(request.stage(), request.page(), false);
        pageIn.add(request);
        pageIns.put(place, pageIn);
        ask(pageIn);
    }

    /** Pins the page of a request, or defers the request until a pin is free; false if the page is not mapped. */
    private boolean tryPin(PageRequest request) {
        PageTable table = request.stage().table();
        for (; ; ) {
            long word = table.word(request.page());
            if (!PageWord.isResident(word)) {
                return false;
            }
            if (PageWord.pins(word) == PageWord.PINS_MAX) {
                deferred.add(request);
                return true;
            }
            if (table.change(request.page(), word, Stage.pinned(word, request.access()))) {
                counters.add(PagingCounter.LEASES);
                request.onPinned();
                return true;
            }
        }
    }

    /** Asks the owner for a page. A page that is still pinned where it was mapped is asked for when the last pin is gone. */
    private void ask(TablePageIn pageIn) {
        if (PageWord.state(pageIn.stage().table().word(pageIn.page())) != PageWord.State.LOADING) {
            counters.add(PagingCounter.FAULTS);
            pageIn.stage().countFault();
            pageIn.tell();
            listener.onMissing(pageIn);
        }
    }

    // --- ahead of need

    /** Remembers a range of pages that the owner is to be asked for. */
    void prefetch(Stage stage, long firstPage, long end) {
        ranges.add(stage, firstPage, end);
    }

    /** Asks the owner for some pages ahead of need; true if the next turn can ask for more at once. */
    boolean askAhead(TurnAllowance allowance) {
        while (ahead < AHEAD_MAX && !ranges.isEmpty()) {
            if (!allowance.trySpend()) {
                return true;
            }
            Stage stage = ranges.stage();
            long page = ranges.page();
            ranges.advance();
            Place place = new Place(stage, page);
            boolean unmapped = PageWord.state(stage.table().word(page)) == PageWord.State.ZERO;
            if (unmapped && !stage.isClosed() && !pageIns.containsKey(place)) {
                TablePageIn pageIn = new TablePageIn(stage, page, true);
                ahead++;
                pageIns.put(place, pageIn);
                pageIn.tell();
                counters.add(PagingCounter.PAGES_PREFETCHED);
                listener.onMissing(pageIn);
            }
        }
        return false;
    }

    // --- answers of the owner

    /** The owner has mapped a page. Returns whether it was asked to ahead of need. */
    boolean onMapped(Stage stage, long page) {
        TablePageIn pageIn = pageIns.remove(new Place(stage, page));
        if (pageIn == null) {
            return false;
        }
        onOver(pageIn);
        for (PageRequest request : pageIn.requests()) {
            if (!tryPin(request)) {
                onRequest(request); // the page is unmapped again
            }
        }
        return pageIn.isAhead();
    }

    /** The last pin of an unmapped page is gone: the owner is asked for the page if requests wait for it. */
    void onUnmapped(Stage stage, long page) {
        TablePageIn pageIn = pageIns.get(new Place(stage, page));
        if (pageIn != null && !pageIn.isTold()) {
            ask(pageIn);
        }
    }

    /** The owner has refused a page. Ignored if the page-in has ended. */
    void refuse(TablePageIn pageIn, Refusal reason) {
        if (pageIns.remove(new Place(pageIn.stage(), pageIn.page()), pageIn)) {
            onOver(pageIn);
            pageIn.refuse(reason);
        }
    }

    /** Ends all page-ins of a stage that is closed. */
    void close(Stage stage) {
        ranges.remove(stage);
        List<TablePageIn> ended = pageIns.values().stream()
                .filter(pageIn -> pageIn.stage() == stage)
                .toList();
        ended.forEach(pageIn -> pageIns.remove(new Place(stage, pageIn.page())));
        ended.forEach(this::onOver);
        ended.forEach(pageIn -> pageIn.refuse(Refusal.CLOSED));
    }

    private void onOver(TablePageIn pageIn) {
        ahead -= pageIn.isAhead() ? 1 : 0;
    }
}
