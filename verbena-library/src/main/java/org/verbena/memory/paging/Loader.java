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
    private final Residency residency;
    private final Reclaimer reclaimer;
    private final PagingCounters counters;
    private final Map<Long, Load> loads = new HashMap<>();
    private final ArrayDeque<Load> demanded = new ArrayDeque<>();
    private final Wishes wishes = new Wishes();
    private final List<Load> ready = new ArrayList<>();
    /** Tried again when somebody asks anew. */
    private final ArrayDeque<Wanted> deferred = new ArrayDeque<>();
    /** Of these, those that are tried again now. */
    private int retried;

    private final Rooms rooms = new Rooms();

    private boolean assigned;
    private boolean shut;
    /** Pages that may still be read by whoever works this turn. */
    private int byCallerLeft;

    /** A page somebody waits for. */
    record Wanted(Stage stage, long page, Access access, Waiter waiter) {}

    Loader(Pager pager, Residency residency, Reclaimer reclaimer, PagingCounters counters) {
        this.pager = pager;
        this.residency = residency;
        this.reclaimer = reclaimer;
        this.counters = counters;
    }

    /** Frames kept for pages to be overwritten; any thread. */
    Rooms rooms() {
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
    boolean retry(Effort effort) {
        while (retried > 0 && effort.trySpend()) {
            retried--;
            onWanted(deferred.removeFirst());
        }
        return retried > 0;
    }

    /** From now on nothing is brought in. */
    void shut() {
        shut = true;
        wishes.clear();
        List<Wanted> again = List.copyOf(deferred);
        deferred.clear();
        retried = 0;
        again.forEach(wanted -> wanted.waiter.onRefused(wanted.stage, wanted.page, Refusal.CLOSED));
        while (!demanded.isEmpty()) {
            refuse(demanded.removeFirst(), Refusal.CLOSED, PageWord.State.ABSENT);
        }
    }

    void onWanted(Wanted wanted) {
        Stage stage = wanted.stage;
        long page = wanted.page;
        if (shut || stage.isClosed()) {
            wanted.waiter.onRefused(stage, page, Refusal.CLOSED);
            return;
        }
        for (; ; ) {
            long word = stage.table().word(page);
            switch (PageWord.state(word)) {
                case PRESENT, CLEANING -> {
                    if (PageWord.pins(word) == PageWord.PINS_MAX) {
                        deferred.add(wanted);
                        return;
                    }
                    if (stage.table().change(page, word, Stage.pinned(word, wanted.access))) {
                        counters.add(PagingCounter.LEASES);
                        wanted.waiter.onPinned(stage, page);
                        return;
                    }
                }
                case LOADING -> {
                    join(wanted);
                    return;
                }
                case CLOSED -> {
                    wanted.waiter.onRefused(stage, page, Refusal.CLOSED);
                    return;
                }
                case POISONED, ZERO, ABSENT -> {
                    if (wanted.access == Access.TO_OVERWRITE && PageWord.state(word) != PageWord.State.ZERO) {
                        Load room = new Load(stage, page, word, false);
                        room.roomOnly = true;
                        demand(room, wanted);
                        return;
                    }
                    if (PageWord.state(word) == PageWord.State.POISONED && wanted.access != Access.OVERWRITE) {
                        wanted.waiter.onRefused(stage, page, Refusal.LOST);
                        return;
                    }
                    Load load = undertake(stage, page, word, wanted.access == Access.OVERWRITE);
                    if (load != null) {
                        demand(load, wanted);
                        return;
                    }
                }
            }
        }
    }

    private void demand(Load load, Wanted wanted) {
        counters.add(PagingCounter.FAULTS);
        load.stage.countFault();
        load.event = PageFaultEvent.start(pager.frameStage() == null ? 2 : 1, load.kind());
        load.add(wanted);
        demanded.add(load);
    }

    private void join(Wanted wanted) {
        Load load = loads.get(Residency.name(wanted.stage, wanted.page));
        assert load != null : "nobody loads page " + wanted.page;
        if (load.waiters().size() == PageWord.PINS_MAX) {
            deferred.add(wanted);
            return;
        }
        counters.add(PagingCounter.FAULTS_JOINED);
        load.add(wanted);
    }

    /** Whoever makes a page LOADING brings it in; null if it is something else by now. */
    private @Nullable Load undertake(Stage stage, long page, long word, boolean overwritten) {
        if (!stage.table().change(page, word, PageWord.gone(word, PageWord.State.LOADING))) {
            return null;
        }
        Load load = new Load(stage, page, word, PageWord.state(word) == PageWord.State.ABSENT && !overwritten);
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
        int frame = residency.take();
        if (frame == Driver.NONE) {
            return false;
        }
        Load load = undertake(stage, page, word, false);
        if (load == null) {
            residency.give(frame);
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
            Load load = demanded.getFirst();
            if (load.stage.isClosed()) {
                refuse(demanded.removeFirst(), Refusal.CLOSED, PageWord.State.ABSENT);
                continue;
            }
            int frame = residency.take();
            if (frame == Driver.NONE) {
                if (!load.waitsForFrame) {
                    load.waitsForFrame = true;
                    counters.add(PagingCounter.FRAME_WAITS);
                }
                return residency.free() > 0; // somebody else was just taking one
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

    private void begin(Load load, int frame) {
        load.frame = frame;
        Stage below = pager.frameStage();
        if (below == null) {
            load.position = (long) frame * Stage.PAGE;
            fillOrRead(load);
            return;
        }
        below.acquire(frame, Access.OVERWRITE, new Waiter() {
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

    private void fillOrRead(Load load) {
        if (shut) {
            refuse(load, Refusal.CLOSED, PageWord.State.ABSENT);
        } else if (load.roomOnly) {
            PageFaultEvent.stop(load.event, load.stage.number(), load.page, true);
            Rooms.Room room = rooms.keep(load.name(), load.frame, () -> {
                giveUpFrame(load);
                pager.nudge();
            });
            load.waiters().getFirst().waiter.onRoom(load.stage, load.page, room::giveBack);
        } else if (load.read) {
            ready.add(load);
        } else {
            load.stage.machine().asSlice(load.position, Stage.PAGE).fill((byte) 0);
            install(load);
        }
    }

    // --- reading

    /** Neighbours go together; who is waited for goes first. */
    void submitReads() {
        if (ready.isEmpty()) {
            return;
        }
        List<Load> sorted = new ArrayList<>(ready);
        ready.clear();
        sorted.sort(Comparator.comparing((Load load) -> !load.isWanted())
                .thenComparingInt(load -> load.stage.number())
                .thenComparingLong(load -> load.page));
        List<Load> batch = new ArrayList<>();
        byCallerLeft = TurnLimits.BY_CALLER;
        for (Load load : sorted) {
            boolean fits = !batch.isEmpty()
                    && batch.size() < Transfer.PAGES_MAX
                    && load.follows(batch.getLast())
                    && load.isWanted() == batch.getLast().isWanted();
            if (!fits && !batch.isEmpty()) {
                read(batch);
                batch = new ArrayList<>();
            }
            batch.add(load);
        }
        read(batch);
    }

    private void read(List<Load> batch) {
        long[] positions = new long[batch.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = batch.get(i).position;
        }
        Load first = batch.getFirst();
        StoreTransferEvent event = StoreTransferEvent.start();
        Transfer transfer = new Transfer(
                Transfer.Kind.READ, first.stage.slot(first.page), first.stage.machine(), positions, ended -> {
                    StoreTransferEvent.stop(
                            event, "read", ended.pages(), ended.outcome(0).name());
                    pager.onTransferEnded(ended.pages(), () -> onRead(ended, batch));
                });
        boolean byCaller = first.isWanted() && batch.size() <= byCallerLeft;
        byCallerLeft -= byCaller ? batch.size() : 0;
        pager.transfer(byCaller ? transfer.byCaller() : transfer);
    }

    private void onRead(Transfer transfer, List<Load> batch) {
        for (int i = 0; i < batch.size(); i++) {
            Load load = batch.get(i);
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
                    if (load.ahead && load.isWanted() && outcome == Outcome.IO_ERROR) {
                        load.ahead = false; // who came to wait for it did not cause that read: it has one of its own
                        fillOrRead(load);
                    } else {
                        refuse(load, Refusal.LOST, PageWord.State.ABSENT);
                    }
                }
            }
        }
    }

    private void install(Load load) {
        loads.remove(load.name());
        int pins = load.waiters().size();
        long flags = (load.isStored() ? PageWord.STORED : 0)
                | (load.isWanted() ? PageWord.REFERENCED : 0)
                | (load.changes() ? PageWord.DIRTY : 0);
        PageTable table = load.stage.table();
        long word = table.word(load.page);
        boolean installed = table.change(load.page, word, PageWord.present(word, load.frame, pins, flags));
        assert installed : "a page that is loading was changed by another: " + PageWord.toString(word);
        residency.onInstalled(load.stage, load.page, load.frame);
        counters.add(PagingCounter.LEASES, pins);
        PageFaultEvent.stop(load.event, load.stage.number(), load.page, true);
        for (Wanted wanted : load.waiters()) {
            wanted.waiter.onPinned(load.stage, load.page);
        }
        unpinBelow(load); // not before those who wait have it pinned
        tellClosing(load);
    }

    /** A stage that is being closed waits for this page to be there or not. */
    private void tellClosing(Load load) {
        if (load.stage.isClosed()) {
            pager.poke();
        }
    }

    private void refuse(Load load, Refusal reason, PageWord.State state) {
        if (!load.roomOnly) {
            putBack(load, state);
        }
        giveUpFrame(load);
        PageFaultEvent.stop(load.event, load.stage.number(), load.page, false);
        for (Wanted wanted : load.waiters()) {
            if (load.read && reason == Refusal.LOST && wanted.access.overwrites()) {
                onWanted(wanted); // who needs nothing of what it held does not share the failure to read it
            } else {
                wanted.waiter.onRefused(load.stage, load.page, reason);
            }
        }
    }

    private void putBack(Load load, PageWord.State state) {
        loads.remove(load.name());
        PageTable table = load.stage.table();
        long word = table.word(load.page);
        boolean poisoned = load.isStored() && PageWord.state(load.before) == PageWord.State.POISONED;
        PageWord.State next = !load.isStored() ? PageWord.State.ZERO : poisoned ? PageWord.State.POISONED : state;
        boolean changed =
                table.change(load.page, word, PageWord.gone(load.isStored() ? word | PageWord.STORED : word, next));
        assert changed : "a page that is loading was changed by another: " + PageWord.toString(word);
        tellClosing(load);
    }

    private void giveUpFrame(Load load) {
        unpinBelow(load);
        if (load.frame != Driver.NONE) {
            residency.give(load.frame);
        }
    }

    private void unpinBelow(Load load) {
        Stage below = pager.frameStage();
        if (below != null && load.position >= 0) {
            below.unpin(load.frame);
        }
    }
}
