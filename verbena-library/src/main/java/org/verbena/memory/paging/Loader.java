package org.verbena.memory.paging;

import java.util.ArrayDeque;
import org.verbena.memory.store.Outcome;
import org.verbena.trace.PageFaultEvent;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * Brings pages in: begins a page-in for a request, gives it a frame, installs the page and answers the requests. Used inside the
 * monitor of its pager.
 */
final class Loader {
    private final Pager pager;
    private final StageBelow below;
    private final PagerFrames pagerFrames;
    private final PagingCounters counters;
    private final StoreReader reader;
    private final ReservedFrames reserved = new ReservedFrames();
    private final PageIns pageIns = new PageIns();
    /** Page-ins that wait for a frame. */
    private final ArrayDeque<StorePageIn> waiting = new ArrayDeque<>();

    private final DeferredRequests deferred = new DeferredRequests();
    private boolean assigned;
    private boolean shut;

    Loader(Pager pager, StageBelow below, PagerFrames pagerFrames, StoreTransfers transfers, PagingCounters counters) {
        this.pager = pager;
        this.below = below;
        this.pagerFrames = pagerFrames;
        this.counters = counters;
        this.reader = new StoreReader(transfers, this::onRead);
    }

    /** Frames reserved for pages that will be overwritten. Any thread. */
    ReservedFrames reserved() {
        return reserved;
    }

    /** Number of page-ins that wait for a frame. */
    int waiting() {
        return waiting.size();
    }

    /** Allows the deferred requests to be retried. */
    void allowRetry() {
        deferred.allowRetry();
    }

    /** Retries deferred requests; true if some are left for the next turn. */
    boolean retry(TurnAllowance allowance) {
        return deferred.retry(allowance, this::onRequest);
    }

    /** Refuses all requests from now on, and those that wait for a frame. */
    void shut() {
        shut = true;
        deferred.refuse(Refusal.CLOSED);
        while (!waiting.isEmpty()) {
            refuse(waiting.removeFirst(), Refusal.CLOSED, PageWord.State.ABSENT);
        }
    }

    // --- requests

    void onRequest(PageRequest request) {
        Stage stage = request.stage();
        long page = request.page();
        if (shut || stage.isClosed()) {
            request.onRefused(Refusal.CLOSED);
            return;
        }
        for (; ; ) {
            long word = stage.table().word(page);
            switch (PageWord.state(word)) {
                case PRESENT, CLEANING -> {
                    if (PageWord.pins(word) == PageWord.PINS_MAX) {
                        deferred.add(request);
                        return;
                    }
                    if (stage.table().change(page, word, Stage.pinned(word, request.access()))) {
                        counters.add(PagingCounter.LEASES);
                        request.onPinned();
                        return;
                    }
                }
                case LOADING -> {
                    join(request);
                    return;
                }
                case CLOSED -> {
                    request.onRefused(Refusal.CLOSED);
                    return;
                }
                case POISONED, ZERO, ABSENT -> {
                    if (tryBegin(request, word)) {
                        return;
                    }
                }
            }
        }
    }

    /** Begins a page-in of a page that is in no frame; false if the page's word has changed. */
    private boolean tryBegin(PageRequest request, long word) {
        Access access = request.access();
        PageWord.State state = PageWord.state(word);
        if (access == Access.TO_OVERWRITE && state != PageWord.State.ZERO) {
            StorePageIn frameOnly = new StorePageIn(request.stage(), request.page(), word, false);
            frameOnly.frameOnly = true;
            awaitFrame(frameOnly, request);
            return true;
        }
        if (state == PageWord.State.POISONED && access != Access.OVERWRITE) {
            request.onRefused(Refusal.LOST);
            return true;
        }
        StorePageIn pageIn = pageIns.begin(request.stage(), request.page(), word, access == Access.OVERWRITE);
        if (pageIn != null) {
            awaitFrame(pageIn, request);
        }
        return pageIn != null;
    }

    private void awaitFrame(StorePageIn pageIn, PageRequest request) {
        counters.add(PagingCounter.FAULTS);
        pageIn.stage().countFault();
        pageIn.event = PageFaultEvent.start(below.stageNumber(), pageIn.kind());
        pageIn.add(request);
        waiting.add(pageIn);
    }

    private void join(PageRequest request) {
        StorePageIn pageIn = pageIns.of(request.stage(), request.page());
        if (pageIn.requests().size() == PageWord.PINS_MAX) {
            deferred.add(request);
            return;
        }
        counters.add(PagingCounter.FAULTS_JOINED);
        pageIn.add(request);
    }

    /** Prefetches a page, or the frame of a page that has one; false if no frame is free. */
    boolean prefetch(Stage stage, long page) {
        long word = stage.table().word(page);
        if (PageWord.isResident(word)) {
            below.prefetch(PageWord.frame(word));
            return true;
        }
        if (PageWord.state(word) != PageWord.State.ABSENT) {
            return true;
        }
        int frame = pagerFrames.take();
        if (frame == Driver.NONE) {
            return false;
        }
        StorePageIn pageIn = pageIns.begin(stage, page, word, false);
        if (pageIn == null) {
            pagerFrames.give(frame);
        } else {
            counters.add(PagingCounter.PAGES_PREFETCHED);
            pageIn.ahead = true;
            setFrame(pageIn, frame);
        }
        return true;
    }

    // --- frames

    /** Gives frames to the page-ins that wait for one; true if the next turn can give more at once. */
    boolean assignFrames() {
        for (int left = TurnLimits.ASSIGNED; !waiting.isEmpty(); left--) {
            if (left == 0) {
                return true;
            }
            StorePageIn pageIn = waiting.getFirst();
            if (pageIn.stage().isClosed()) {
                refuse(waiting.removeFirst(), Refusal.CLOSED, PageWord.State.ABSENT);
                continue;
            }
            int frame = pagerFrames.take();
            if (frame == Driver.NONE) {
                if (!pageIn.waitsForFrame) {
                    pageIn.waitsForFrame = true;
                    counters.add(PagingCounter.FRAME_WAITS);
                }
                return pagerFrames.free() > 0; // another thread was taking one at this moment
            }
            assigned = true;
            setFrame(waiting.removeFirst(), frame);
        }
        return false;
    }

    /** Whether a page-in that waited has got a frame since the last call. */
    boolean takeAssigned() {
        boolean was = assigned;
        assigned = false;
        return was;
    }

    private void setFrame(StorePageIn pageIn, int frame) {
        pageIn.frame = frame;
        if (below.stage() == null) {
            pageIn.position = below.position(frame);
            fillOrRead(pageIn);
            return;
        }
        below.acquire(frame, Access.OVERWRITE, new PageRequest.Listener() {
            @Override
            public void onPinned(Stage stage, long page) {
                pager.submit(() -> {
                    pageIn.position = below.position(frame);
                    fillOrRead(pageIn);
                });
                pager.nudge();
            }

            @Override
            public void onRefused(Stage stage, long page, Refusal reason) {
                pager.submit(() -> refuse(pageIn, reason, PageWord.State.ABSENT));
                pager.nudge();
            }
        });
    }

    private void fillOrRead(StorePageIn pageIn) {
        if (shut) {
            refuse(pageIn, Refusal.CLOSED, PageWord.State.ABSENT);
        } else if (pageIn.frameOnly) {
            reserve(pageIn);
        } else if (pageIn.read) {
            reader.add(pageIn);
        } else {
            pageIn.stage().machine().asSlice(pageIn.position, Stage.PAGE).fill((byte) 0);
            install(pageIn);
        }
    }

    private void reserve(StorePageIn pageIn) {
        PageFaultEvent.stop(pageIn.event, pageIn.stage().number(), pageIn.page(), pageIn.changes(), true);
        ReservedFrames.Reservation reservation = reserved.add(pageIn.name(), pageIn.frame, () -> {
            giveUpFrame(pageIn);
            pager.nudge();
        });
        PageRequest request = pageIn.requests().getFirst();
        request.listener().onFrameReserved(request.stage(), request.page(), reservation::giveBack);
    }

    // --- the end of a page-in

    /** Begins to read the pages that got a frame in this turn. */
    void submitReads() {
        reader.submit();
    }

    private void onRead(StorePageIn pageIn, Outcome outcome) {
        switch (outcome) {
            case DONE -> {
                counters.add(PagingCounter.PAGES_IN);
                install(pageIn);
            }
            case CORRUPT -> {
                counters.add(PagingCounter.PAGES_CORRUPT);
                refuse(pageIn, Refusal.LOST, PageWord.State.POISONED);
            }
            case CLOSED -> refuse(pageIn, Refusal.CLOSED, PageWord.State.ABSENT);
            case IO_ERROR, NO_SPACE -> {
                counters.add(PagingCounter.STORE_READ_ERRORS);
                if (pageIn.ahead && !pageIn.isUnrequested() && outcome == Outcome.IO_ERROR) {
                    // The failed read was a prefetch. The requests that joined it get a read of their own.
                    pageIn.ahead = false;
                    fillOrRead(pageIn);
                } else {
                    refuse(pageIn, Refusal.LOST, PageWord.State.ABSENT);
                }
            }
        }
    }

    private void install(StorePageIn pageIn) {
        pageIns.install(pageIn);
        pagerFrames.onInstalled(pageIn.stage(), pageIn.page(), pageIn.frame);
        counters.add(PagingCounter.LEASES, pageIn.requests().size());
        PageFaultEvent.stop(pageIn.event, pageIn.stage().number(), pageIn.page(), pageIn.changes(), true);
        pageIn.requests().forEach(PageRequest::onPinned);
        unpinBelow(pageIn); // after the requests have pinned the frame below as well
        tellClosing(pageIn);
    }

    /** The closing of a stage waits for the end of its page-ins. */
    private void tellClosing(StorePageIn pageIn) {
        if (pageIn.stage().isClosed()) {
            pager.poke();
        }
    }

    private void refuse(StorePageIn pageIn, Refusal reason, PageWord.State state) {
        if (!pageIn.frameOnly) {
            pageIns.putBack(pageIn, state);
            tellClosing(pageIn);
        }
        giveUpFrame(pageIn);
        PageFaultEvent.stop(pageIn.event, pageIn.stage().number(), pageIn.page(), pageIn.changes(), false);
        for (PageRequest request : pageIn.requests()) {
            if (pageIn.read && reason == Refusal.LOST && request.access().overwrites()) {
                onRequest(request); // needs nothing of the page's content, so a failed read is no reason to refuse
            } else {
                request.onRefused(reason);
            }
        }
    }

    private void giveUpFrame(StorePageIn pageIn) {
        unpinBelow(pageIn);
        if (pageIn.frame != Driver.NONE) {
            pagerFrames.give(pageIn.frame);
        }
    }

    private void unpinBelow(StorePageIn pageIn) {
        if (pageIn.position >= 0) {
            below.unpin(pageIn.frame);
        }
    }
}
