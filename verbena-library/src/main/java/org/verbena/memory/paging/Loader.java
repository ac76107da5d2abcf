package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.PageFaultEvent;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;
import org.verbena.trace.StoreTransferEvent;

/** Brings pages in: those somebody waits for as frames come, others ahead of need. Inside the monitor of its pager. */
final class Loader {
    private final Pager pager;
    private final PagerFrames pagerFrames;
    private final Reclaimer reclaimer;
    private final PagingCounters counters;
    private final Map<Long, StorePageIn> loads = new HashMap<>();
    private final ArrayDeque<StorePageIn> demanded = new ArrayDeque<>();
    private final PrefetchRanges wishes = new PrefetchRanges();
    private final List<StorePageIn> ready = new ArrayList<>();
    /** Tried again when somebody asks anew. */
    private final ArrayDeque<PageRequest> deferred = new ArrayDeque<>();
    /** Of these, those that are tried again now. */
    private int retried;

    private final ReservedFrames rooms = new ReservedFrames();

    private boolean assigned;
    private boolean shut;
    /** Pages that may still be read by whoever works this turn. */
    private int byCallerLeft;

    Loader(Pager pager, PagerFrames pagerFrames, Reclaimer reclaimer, PagingCounters counters) {
        this.pager = pager;
        this.pagerFrames = pagerFrames;
        this.reclaimer = reclaimer;
        this.counters = counters;
    }

    /** Frames kept for pages to be overwritten; any thread. */
    ReservedFrames rooms() {
        return rooms;
    }

    /** Pages that wait for a frame. */
    int waiting() {
        return demanded.size();
    }

    /** Whether there are wishes left. */
    boolean hasMore() {
        return !wishes.isEmpty();
    }

    /** Those who could not be served may be now. */
    void onAnew() {
        retried = deferred.size();
    }

    /** Tries again what is to be; true if some are left. */
    boolean retry(TurnAllowance allowance) {
        while (retried > 0 && allowance.trySpend()) {
            retried--;
            onRequest(deferred.removeFirst());
        }
        return retried > 0;
    }

    /** From now on nothing is brought in. */
    void shut() {
        shut = true;
        wishes.clear();
        List<PageRequest> again = List.copyOf(deferred);
        deferred.clear();
        retried = 0;
        again.forEach(request -> request.onRefused(Refusal.CLOSED));
        while (!demanded.isEmpty()) {
            refuse(demanded.removeFirst(), Refusal.CLOSED, PageWord.State.ABSENT);
        }
    }

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
                    if (request.access() == Access.TO_OVERWRITE && PageWord.state(word) != PageWord.State.ZERO) {
                        StorePageIn room = new StorePageIn(stage, page, word, false);
                        room.frameOnly = true;
                        demand(room, request);
                        return;
                    }
                    if (PageWord.state(word) == PageWord.State.POISONED && request.access() != Access.OVERWRITE) {
                        request.onRefused(Refusal.LOST);
                        return;
                    }
                    StorePageIn load = undertake(stage, page, word, request.access() == Access.OVERWRITE);
                    if (load != null) {
                        demand(load, request);
                        return;
                    }
                }
            }
        }
    }

    private void demand(StorePageIn load, PageRequest request) {
        counters.add(PagingCounter.FAULTS);
        load.stage().countFault();
        load.event = PageFaultEvent.start(pager.frameStage() == null ? 2 : 1, load.kind());
        load.add(request);
        demanded.add(load);
    }

    private void join(PageRequest request) {
        StorePageIn load = loads.get(PagerFrames.name(request.stage(), request.page()));
        assert load != null : "nobody loads page " + request.page();
        if (load.requests().size() == PageWord.PINS_MAX) {
            deferred.add(request);
            return;
        }
        counters.add(PagingCounter.FAULTS_JOINED);
        load.add(request);
    }

    /** Whoever makes a page LOADING brings it in; null if it is something else by now. */
    private @Nullable StorePageIn undertake(Stage stage, long page, long word, boolean overwritten) {
        if (!stage.table().change(page, word, PageWord.gone(word, PageWord.State.LOADING))) {
            return null;
        }
        StorePageIn load =
                new StorePageIn(stage, page, word, PageWord.state(word) == PageWord.State.ABSENT && !overwritten);
        loads.put(load.name(), load);
        return load;
    }

    // --- ahead of need

    void onWished(Stage stage, long firstPage, long pages) {
        if (!shut) {
            wishes.add(
                    stage, firstPage, Math.min(firstPage + pages, stage.table().pages()));
        }
    }

    /** Some pages of those wished for, unless frames are short: then the wish is dropped. */
    void lookAhead() {
        for (int left = TurnLimits.AHEAD; left > 0 && !wishes.isEmpty(); left--) {
            Stage stage = wishes.stage();
            boolean inVain = stage.isClosed() || reclaimer.spare() < TurnLimits.AHEAD / 8;
            if (!inVain && load(stage, wishes.page())) {
                wishes.advance();
            } else {
                wishes.drop();
            }
        }
    }

    /** False if there is no frame. */
    private boolean load(Stage stage, long page) {
        long word = stage.table().word(page);
        if (PageWord.state(word) != PageWord.State.ABSENT) {
            wishBelow(word);
            return true;
        }
        int frame = pagerFrames.take();
        if (frame == Driver.NONE) {
            return false;
        }
        StorePageIn load = undertake(stage, page, word, false);
        if (load == null) {
            pagerFrames.give(frame);
        } else {
            counters.add(PagingCounter.PAGES_PREFETCHED);
            load.ahead = true;
            begin(load, frame);
        }
        return true;
    }

    /** A page that is here may be missing at the stage below. */
    private void wishBelow(long word) {
        Stage below = pager.frameStage();
        if (below != null && PageWord.isResident(word) && !below.isResident(PageWord.frame(word))) {
            below.driver().prefetch(below, PageWord.frame(word), 1);
            pager.pokeBelow();
        }
    }

    // --- frames

    /** Gives frames to those who wait; true if it may be tried again at once. */
    boolean assignFrames() {
        for (int left = TurnLimits.ASSIGNED; !demanded.isEmpty(); left--) {
            if (left == 0) {
                return true;
            }
            StorePageIn load = demanded.getFirst();
            if (load.stage().isClosed()) {
                refuse(demanded.removeFirst(), Refusal.CLOSED, PageWord.State.ABSENT);
                continue;
            }
            int frame = pagerFrames.take();
            if (frame == Driver.NONE) {
                if (!load.waitsForFrame) {
                    load.waitsForFrame = true;
                    counters.add(PagingCounter.FRAME_WAITS);
                }
                return pagerFrames.free() > 0; // somebody else was just taking one
            }
            assigned = true;
            begin(demanded.removeFirst(), frame);
        }
        return false;
    }

    /** Whether a page that waited got a frame since this was last asked. */
    boolean takeAssigned() {
        boolean was = assigned;
        assigned = false;
        return was;
    }

    private void begin(StorePageIn load, int frame) {
        load.frame = frame;
        Stage below = pager.frameStage();
        if (below == null) {
            load.position = (long) frame * Stage.PAGE;
            fillOrRead(load);
            return;
        }
        below.acquire(frame, Access.OVERWRITE, new PageRequest.Listener() {
            @Override
            public void onPinned(Stage stage, long page) {
                pager.submit(() -> {
                    load.position = below.position(frame);
                    fillOrRead(load);
                });
                pager.nudge();
            }

            @Override
            public void onRefused(Stage stage, long page, Refusal reason) {
                pager.submit(() -> refuse(load, reason, PageWord.State.ABSENT));
                pager.nudge();
            }
        });
        pager.pokeBelow();
    }

    private void fillOrRead(StorePageIn load) {
        if (shut) {
            refuse(load, Refusal.CLOSED, PageWord.State.ABSENT);
        } else if (load.frameOnly) {
            PageFaultEvent.stop(load.event, load.stage().number(), load.page(), true);
            ReservedFrames.Reservation room = rooms.keep(load.name(), load.frame, () -> {
                giveUpFrame(load);
                pager.nudge();
            });
            load.requests().getFirst().listener().onFrameReserved(load.stage(), load.page(), room::giveBack);
        } else if (load.read) {
            ready.add(load);
        } else {
            load.stage().machine().asSlice(load.position, Stage.PAGE).fill((byte) 0);
            install(load);
        }
    }

    // --- reading

    /** Neighbours go together; who is waited for goes first. */
    void submitReads() {
        if (ready.isEmpty()) {
            return;
        }
        List<StorePageIn> sorted = new ArrayList<>(ready);
        ready.clear();
        sorted.sort(Comparator.comparing((StorePageIn load) -> load.isUnrequested())
                .thenComparingInt(load -> load.stage().number())
                .thenComparingLong(load -> load.page()));
        List<StorePageIn> batch = new ArrayList<>();
        byCallerLeft = TurnLimits.BY_CALLER;
        for (StorePageIn load : sorted) {
            boolean fits = !batch.isEmpty()
                    && batch.size() < Transfer.PAGES_MAX
                    && load.follows(batch.getLast())
                    && load.isUnrequested() == batch.getLast().isUnrequested();
            if (!fits && !batch.isEmpty()) {
                read(batch);
                batch = new ArrayList<>();
            }
            batch.add(load);
        }
        read(batch);
    }

    private void read(List<StorePageIn> batch) {
        long[] positions = new long[batch.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = batch.get(i).position;
        }
        StorePageIn first = batch.getFirst();
        StoreTransferEvent event = StoreTransferEvent.start();
        Transfer transfer = new Transfer(
                Transfer.Kind.READ,
                first.stage().slot(first.page()),
                first.stage().machine(),
                positions,
                ended -> {
                    StoreTransferEvent.stop(
                            event, "read", ended.pages(), ended.outcome(0).name());
                    pager.onTransferEnded(ended.pages(), () -> onRead(ended, batch));
                });
        boolean byCaller = !first.isUnrequested() && batch.size() <= byCallerLeft;
        byCallerLeft -= byCaller ? batch.size() : 0;
        pager.transfer(byCaller ? transfer.byCaller() : transfer);
    }

    private void onRead(Transfer transfer, List<StorePageIn> batch) {
        for (int i = 0; i < batch.size(); i++) {
            StorePageIn load = batch.get(i);
            Outcome outcome = transfer.outcome(i);
            switch (outcome) {
                case DONE -> {
                    counters.add(PagingCounter.PAGES_IN);
                    install(load);
                }
                case CORRUPT -> {
                    counters.add(PagingCounter.PAGES_CORRUPT);
                    refuse(load, Refusal.LOST, PageWord.State.POISONED);
                }
                case CLOSED -> refuse(load, Refusal.CLOSED, PageWord.State.ABSENT);
                case IO_ERROR, NO_SPACE -> {
                    counters.add(PagingCounter.STORE_READ_ERRORS);
                    if (load.ahead && !load.isUnrequested() && outcome == Outcome.IO_ERROR) {
                        load.ahead = false; // who came to wait for it did not cause that read: it has one of its own
                        fillOrRead(load);
                    } else {
                        refuse(load, Refusal.LOST, PageWord.State.ABSENT);
                    }
                }
            }
        }
    }

    private void install(StorePageIn load) {
        loads.remove(load.name());
        int pins = load.requests().size();
        long flags = (load.isStored() ? PageWord.STORED : 0)
                | (!load.isUnrequested() ? PageWord.REFERENCED : 0)
                | (load.changes() ? PageWord.DIRTY : 0);
        PageTable table = load.stage().table();
        long word = table.word(load.page());
        boolean installed = table.change(load.page(), word, PageWord.present(word, load.frame, pins, flags));
        assert installed : "a page that is loading was changed by another: " + PageWord.toString(word);
        pagerFrames.onInstalled(load.stage(), load.page(), load.frame);
        counters.add(PagingCounter.LEASES, pins);
        PageFaultEvent.stop(load.event, load.stage().number(), load.page(), true);
        for (PageRequest request : load.requests()) {
            request.onPinned();
        }
        unpinBelow(load); // not before those who wait have it pinned
        tellClosing(load);
    }

    /** A stage that is being closed waits for this page to be there or not. */
    private void tellClosing(StorePageIn load) {
        if (load.stage().isClosed()) {
            pager.poke();
        }
    }

    private void refuse(StorePageIn load, Refusal reason, PageWord.State state) {
        if (!load.frameOnly) {
            putBack(load, state);
        }
        giveUpFrame(load);
        PageFaultEvent.stop(load.event, load.stage().number(), load.page(), false);
        for (PageRequest request : load.requests()) {
            if (load.read && reason == Refusal.LOST && request.access().overwrites()) {
                onRequest(request); // who needs nothing of what it held does not share the failure to read it
            } else {
                request.onRefused(reason);
            }
        }
    }

    private void putBack(StorePageIn load, PageWord.State state) {
        loads.remove(load.name());
        PageTable table = load.stage().table();
        long word = table.word(load.page());
        boolean poisoned = load.isStored() && PageWord.state(load.before) == PageWord.State.POISONED;
        PageWord.State next = !load.isStored() ? PageWord.State.ZERO : poisoned ? PageWord.State.POISONED : state;
        boolean changed =
                table.change(load.page(), word, PageWord.gone(load.isStored() ? word | PageWord.STORED : word, next));
        assert changed : "a page that is loading was changed by another: " + PageWord.toString(word);
        tellClosing(load);
    }

    private void giveUpFrame(StorePageIn load) {
        unpinBelow(load);
        if (load.frame != Driver.NONE) {
            pagerFrames.give(load.frame);
        }
    }

    private void unpinBelow(StorePageIn load) {
        Stage below = pager.frameStage();
        if (below != null && load.position >= 0) {
            below.unpin(load.frame);
        }
    }
}
