package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The driver that pages: brings pages in from a store and evicts others for them.
 *
 * <p>Whatever happens is an event. Events go into an inbox, and whoever finds the monitor free works them off: the engine that
 * met the fault, the thread of the store that read the page. So there is no thread to hand a fault to, no lock to wait for, and
 * in virtual time one order of events has one outcome.
 */
public final class Pager implements Driver {
    /** Pages brought in ahead of need for one request, at most: 4 MiB. */
    static final int PREFETCH_MAX = 1024;

    private final PageStore store;
    private final @Nullable Stage frameStage;
    private final Residency residency;
    private final Reclaimer reclaimer;
    private final PagingCounters counters;
    private final Budget transit;
    private final Budget landing;
    private final ConcurrentLinkedQueue<Runnable> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean occupied = new AtomicBoolean();
    private final AtomicBoolean poked = new AtomicBoolean();

    private final Map<Long, Load> loads = new HashMap<>();
    private final ArrayDeque<Load> demanded = new ArrayDeque<>();
    private final List<Load> ready = new ArrayList<>();
    private final List<Stage> closing = new ArrayList<>();
    /** Tried again when somebody asks anew. */
    private final List<Runnable> deferred = new ArrayList<>();

    /**
     * A pager with no stages yet.
     *
     * @param frameStage where its frames are; null: in machine memory
     * @param frames how many it will have, to bound what may be kept from eviction
     */
    public Pager(PageStore store, FrameSupply supply, EvictionPolicy policy, @Nullable Stage frameStage, int frames) {
        this.store = store;
        this.frameStage = frameStage;
        this.counters = new PagingCounters();
        this.residency = new Residency(supply, policy);
        this.reclaimer = new Reclaimer(this, residency, store, counters, frames);
        this.transit = new Budget(Math.max(1, frames / 4), this, counters);
        this.landing = new Budget(Math.max(1, frames / 4), this, counters);
    }

    public PagingCounters counters() {
        return counters;
    }

    /** For pages that wait to be used by a packet. */
    public Budget transit() {
        return transit;
    }

    /** For pages that wait for the answer to a read. */
    public Budget landing() {
        return landing;
    }

    /** Frames that could be had without an eviction. */
    public int framesFree() {
        return residency.free();
    }

    /** Frames that have pages, or are at hand for them. */
    public int frames() {
        return residency.frames();
    }

    public String policyName() {
        return residency.policy().name();
    }

    PageStore store() {
        return store;
    }

    @Nullable
    Stage frameStage() {
        return frameStage;
    }

    // --- stages

    /** A stage served by this pager from now on. */
    public Stage open(long pages, MemorySegment machine) {
        Stage stage = new Stage(pages, this, machine, frameStage, store.reserve(pages));
        run(() -> residency.add(stage));
        return stage;
    }

    /** Gives up all pages of a stage; those somebody still has pinned, or on their way, as soon as they are free. */
    public void close(Stage stage) {
        stage.close();
        run(() -> closing.add(stage));
    }

    /** Takes back from pages so many frames for the supply. */
    public void owe(int frames) {
        run(() -> residency.owe(frames));
    }

    /** What is still owed to the supply is not wanted any more. */
    public void oweNothing() {
        run(residency::oweNothing);
    }

    /** Frames that are still to go back to the supply. */
    public int owed() {
        return residency.owed();
    }

    // --- driver

    @Override
    public int takeFrame() {
        int frame = residency.take();
        if (reclaimer.isLow()) {
            poke();
        }
        return frame;
    }

    @Override
    public void giveFrame(int frame) {
        residency.give(frame);
    }

    @Override
    public void onInstalled(Stage stage, long page, int frame) {
        residency.onInstalled(stage, page, frame);
        counters.add(PageWord.isStored(stage.table().word(page)) ? PagingCounter.OVERWRITES : PagingCounter.ZERO_FILLS);
        if (stage.isClosed()) {
            run(() -> closing.add(stage));
        }
    }

    @Override
    public void bringIn(Stage stage, long page, Access access, Waiter waiter) {
        submit(() -> onWanted(stage, page, access, waiter));
    }

    @Override
    public void prefetch(Stage stage, long firstPage, long pages) {
        submit(() -> onPrefetch(stage, firstPage, pages));
    }

    /** What a page held is of no use any more. */
    void discard(Stage stage, long page) {
        run(() -> onDiscard(stage, page));
    }

    /** Writes out and gives up the frames of these pages, as far as nobody has them pinned; then tells whether all are gone. */
    public void evict(Stage stage, long firstPage, long pages, EvictionListener listener) {
        run(() -> reclaimer.evict(new Reclaimer.Sweep(stage, firstPage, firstPage + pages, listener)));
    }

    /** Is told how an eviction of many pages went. */
    @FunctionalInterface
    public interface EvictionListener {
        /**
         * All that could be evicted is.
         *
         * @param left pages that stay, since somebody has them pinned or touched them meanwhile
         * @param failed pages that stay, since the store did not take them
         */
        void onEvicted(long left, long failed);
    }

    // --- monitor

    void submit(Runnable event) {
        inbox.add(event);
    }

    void run(Runnable event) {
        inbox.add(event);
        workOff();
    }

    @Override
    public void poke() {
        poked.set(true);
        workOff();
    }

    private void workOff() {
        while ((poked.get() || !inbox.isEmpty()) && occupied.compareAndSet(false, true)) {
            try {
                turn();
            } finally {
                occupied.set(false);
            }
        }
    }

    private void turn() {
        boolean anew = poked.getAndSet(false);
        if (anew) {
            inbox.addAll(deferred);
            deferred.clear();
        }
        for (Runnable event = inbox.poll(); event != null; event = inbox.poll()) {
            event.run();
        }
        transit.grant();
        landing.grant();
        residency.admitNewcomers();
        if (!closing.isEmpty()) {
            closing.removeIf(this::finishClosing);
        }
        reclaimer.work(demanded.size(), anew);
        assignFrames();
        submitReads();
    }

    // --- bringing in

    private void onWanted(Stage stage, long page, Access access, Waiter waiter) {
        if (stage.isClosed()) {
            waiter.onRefused(stage, page, Refusal.CLOSED);
            return;
        }
        for (; ; ) {
            long word = stage.table().word(page);
            switch (PageWord.state(word)) {
                case PRESENT, CLEANING -> {
                    if (PageWord.pins(word) == PageWord.PINS_MAX) {
                        deferred.add(() -> onWanted(stage, page, access, waiter));
                        return;
                    }
                    if (stage.table().change(page, word, Stage.pinned(word, access))) {
                        counters.add(PagingCounter.LEASES);
                        waiter.onPinned(stage, page);
                        return;
                    }
                }
                case LOADING -> {
                    Load load = loads.get(Residency.name(stage, page));
                    assert load != null : "nobody loads page " + page;
                    counters.add(PagingCounter.FAULTS_JOINED);
                    load.add(waiter, access);
                    return;
                }
                case POISONED, ZERO, ABSENT -> {
                    if (PageWord.state(word) == PageWord.State.POISONED && access != Access.OVERWRITE) {
                        waiter.onRefused(stage, page, Refusal.LOST);
                        return;
                    }
                    Load load = undertake(stage, page, word, access == Access.OVERWRITE);
                    if (load != null) {
                        counters.add(PagingCounter.FAULTS);
                        load.add(waiter, access);
                        demanded.add(load);
                        return;
                    }
                }
            }
        }
    }

    /** Whoever makes a page LOADING brings it in; null if it is something else by now. */
    private @Nullable Load undertake(Stage stage, long page, long word, boolean overwritten) {
        if (!stage.table().change(page, word, PageWord.gone(word, PageWord.State.LOADING))) {
            return null;
        }
        Load load = new Load(
                stage, page, PageWord.state(word) == PageWord.State.ABSENT && !overwritten, PageWord.isStored(word));
        loads.put(load.name(), load);
        return load;
    }

    private void onPrefetch(Stage stage, long firstPage, long pages) {
        int budget = Math.min(PREFETCH_MAX, reclaimer.spare() / 8);
        long end = Math.min(firstPage + pages, stage.table().pages());
        for (long page = firstPage; page < end && budget > 0 && !stage.isClosed(); page++) {
            long word = stage.table().word(page);
            if (PageWord.state(word) != PageWord.State.ABSENT) {
                continue;
            }
            int frame = residency.take();
            if (frame == NONE) {
                return;
            }
            Load load = undertake(stage, page, word, false);
            if (load == null) {
                residency.give(frame);
            } else {
                counters.add(PagingCounter.PAGES_PREFETCHED);
                begin(load, frame);
                budget--;
            }
        }
    }

    private void assignFrames() {
        while (!demanded.isEmpty()) {
            int frame = residency.take();
            if (frame == NONE) {
                counters.add(PagingCounter.FRAME_WAITS);
                if (residency.free() > 0) {
                    poked.set(true); // somebody else was just taking one
                }
                return;
            }
            begin(demanded.removeFirst(), frame);
        }
    }

    private void begin(Load load, int frame) {
        load.frame = frame;
        Stage below = frameStage;
        if (below == null) {
            load.position = (long) frame * Stage.PAGE;
            fillOrRead(load);
            return;
        }
        below.acquire(frame, Access.OVERWRITE, new Waiter() {
            @Override
            public void onPinned(Stage stage, long page) {
                submit(() -> {
                    load.position = below.position(frame);
                    fillOrRead(load);
                });
                poke();
            }

            @Override
            public void onRefused(Stage stage, long page, Refusal reason) {
                submit(() -> refuse(load, reason, PageWord.State.ABSENT));
                poke();
            }
        });
        below.driver().poke();
    }

    private void fillOrRead(Load load) {
        if (load.read) {
            ready.add(load);
        } else {
            load.stage.machine().asSlice(load.position, Stage.PAGE).fill((byte) 0);
            install(load);
        }
    }

    /** Neighbours go together; who is waited for goes first. */
    private void submitReads() {
        if (ready.isEmpty()) {
            return;
        }
        ready.sort(Comparator.comparing((Load load) -> !load.isWanted())
                .thenComparingInt(load -> load.stage.number())
                .thenComparingLong(load -> load.page));
        List<Load> batch = new ArrayList<>();
        for (Load load : ready) {
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
        ready.clear();
    }

    private void read(List<Load> batch) {
        long[] positions = batch.stream().mapToLong(load -> load.position).toArray();
        Load first = batch.getFirst();
        store.submit(new Transfer(
                Transfer.Kind.READ,
                first.stage.slot(first.page),
                first.stage.machine(),
                positions,
                ended -> run(() -> onRead(ended, batch))));
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
                case IO_ERROR, NO_SPACE, CLOSED -> {
                    counters.add(PagingCounter.STORE_READ_ERRORS);
                    refuse(load, Refusal.LOST, PageWord.State.ABSENT);
                }
            }
        }
    }

    private void install(Load load) {
        loads.remove(load.name());
        int pins = load.waiters().size();
        long flags = (load.stored ? PageWord.STORED : 0)
                | (load.isWanted() ? PageWord.REFERENCED : 0)
                | (load.changes() ? PageWord.DIRTY : 0);
        PageTable table = load.stage.table();
        long word = table.word(load.page);
        boolean installed = table.change(load.page, word, PageWord.present(word, load.frame, pins, flags));
        assert installed : "a page that is loading was changed by another: " + PageWord.toString(word);
        residency.onInstalled(load.stage, load.page, load.frame);
        unpinBelow(load);
        counters.add(PagingCounter.LEASES, pins);
        for (Waiter waiter : load.waiters()) {
            waiter.onPinned(load.stage, load.page);
        }
    }

    private void refuse(Load load, Refusal reason, PageWord.State state) {
        loads.remove(load.name());
        PageTable table = load.stage.table();
        long word = table.word(load.page);
        boolean changed = table.change(
                load.page,
                word,
                PageWord.gone(load.stored ? word | PageWord.STORED : word, load.stored ? state : PageWord.State.ZERO));
        assert changed : "a page that is loading was changed by another: " + PageWord.toString(word);
        unpinBelow(load);
        residency.give(load.frame);
        for (Waiter waiter : load.waiters()) {
            waiter.onRefused(load.stage, load.page, reason);
        }
    }

    private void unpinBelow(Load load) {
        if (frameStage != null && load.position >= 0) {
            frameStage.unpin(load.frame);
        }
    }

    // --- giving up

    private void onDiscard(Stage stage, long page) {
        long word = stage.table().word(page);
        switch (PageWord.state(word)) {
            case PRESENT -> {
                if (PageWord.pins(word) == 0
                        && stage.table()
                                .change(page, word, PageWord.gone(word & ~PageWord.STORED, PageWord.State.ZERO))) {
                    freeUnchosen(PageWord.frame(word));
                }
            }
            case ABSENT, POISONED -> {
                boolean _ =
                        stage.table().change(page, word, PageWord.gone(word & ~PageWord.STORED, PageWord.State.ZERO));
            }
            case ZERO, LOADING, CLEANING -> {}
        }
    }

    private void freeUnchosen(int frame) {
        residency.freeUnchosen(frame);
        if (frameStage != null && frameStage.driver() instanceof Pager below) {
            below.discard(frameStage, frame);
        }
    }

    /** True when nothing of the stage is left. */
    private boolean finishClosing(Stage stage) {
        boolean empty = true;
        for (long page = 0; page < stage.table().pages(); page++) {
            if (!stage.table().isLeafTouched(page)) {
                page |= PageTable.FAN_OUT - 1;
                continue;
            }
            onDiscard(stage, page);
            empty &= PageWord.state(stage.table().word(page)) == PageWord.State.ZERO;
        }
        if (empty) {
            residency.remove(stage);
            store.release(stage.firstSlot(), stage.table().pages());
        }
        return empty;
    }

    @Override
    public String toString() {
        return "pager with " + residency.frames() + " frames, " + policyName() + ", on " + store.name();
    }
}
