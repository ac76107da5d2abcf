package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.PageStore;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The driver that pages: it brings pages in from a store and evicts other pages for them.
 *
 * <p>The pager has no thread and no lock. Each input is an event in its {@link Monitor}. The thread that finds the monitor free
 * works the events off: the engine's thread that met the page fault, or the store's thread that read the page. In virtual time,
 * the same order of events has the same outcome.
 */
public final class Pager implements Driver {
    /** Each of the two lease budgets is this part of all frames. */
    private static final int BUDGET_SHARE = 4;

    private final long order = Monitor.nextOrder();
    private final PageStore store;
    private final StageBelow below;
    private final PagingCounters counters = new PagingCounters();
    private final Monitor monitor;
    private final TurnAllowance allowance = new TurnAllowance();
    /** Noted when few frames are free. */
    private final Chore chore = new Chore();

    private final PagerFrames pagerFrames;
    private final StoreTransfers transfers;
    private final Cleaner cleaner;
    private final Evictor evictor;
    private final Reclaimer reclaimer;
    private final Sweeps sweeps;
    private final Loader loader;
    private final Prefetcher prefetcher;
    private final Closings closings;
    private final LeaseBudget transit;
    private final LeaseBudget landing;
    private final FrameShortage shortage = new FrameShortage();
    private final FaultEvents faultEvents;

    /**
     * A pager without stages.
     *
     * @param frameStage the stage whose pages are the frames; null if the frames are in machine memory
     * @param frames number of frames the pager will have; the lease budgets follow from it
     */
    public Pager(PageStore store, FrameSupply supply, EvictionPolicy policy, @Nullable Stage frameStage, int frames) {
        this.store = store;
        this.below = new StageBelow(frameStage);
        this.faultEvents =
                frameStage == null ? new FaultEvents() : frameStage.driver().faultEvents();
        this.monitor = new Monitor(this::turn, store::lend);
        this.pagerFrames = new PagerFrames(supply, policy);
        this.transfers = new StoreTransfers(store, monitor);
        this.cleaner = new Cleaner(this, below, pagerFrames, transfers, counters);
        this.evictor = new Evictor(this, below, pagerFrames, cleaner);
        this.reclaimer = new Reclaimer(pagerFrames, evictor, cleaner);
        this.sweeps = new Sweeps(pagerFrames, evictor, cleaner);
        this.loader = new Loader(this, below, pagerFrames, transfers, counters);
        this.prefetcher = new Prefetcher(loader, reclaimer);
        this.closings = new Closings(below, store, pagerFrames);
        this.transit = new LeaseBudget(monitor, counters);
        this.landing = new LeaseBudget(monitor, counters);
        setFrames(frames);
    }

    private void setFrames(int frames) {
        reclaimer.frames(frames);
        transit.capacity(Math.max(1, frames / BUDGET_SHARE));
        landing.capacity(Math.max(1, frames / BUDGET_SHARE));
    }

    // --- figures; any thread

    public PagingCounters counters() {
        return counters;
    }

    /** Number of frames that can be taken without an eviction. */
    public int framesFree() {
        return pagerFrames.free();
    }

    /** Number of frames that the pager has taken from its supply, free ones included. */
    public int frames() {
        return pagerFrames.frames();
    }

    /** Bytes of the pager's own data about frames. */
    public long bytes() {
        return pagerFrames.bytes();
    }

    /** Number of transfers under way. */
    public int transfers() {
        return monitor.transfers();
    }

    /** Whether no frame can be reclaimed now: all are pinned, or the store takes no pages. */
    public boolean isStuck() {
        return reclaimer.isStuck();
    }

    /** Whether pages wait for frames, and none has got one since the first of them found none. */
    public boolean isShort() {
        return shortage.isPresent();
    }

    /** Number of times that frames became short. */
    public long shortages() {
        return shortage.count();
    }

    /** Sets the action that runs when frames become short. It runs inside the monitor, so it only passes the news on. */
    public void onShortage(Runnable action) {
        shortage.onBegin(action);
    }

    public String policyName() {
        return pagerFrames.policy().name();
    }

    // --- stages and frames

    /** Changes the number of frames that the pager is to have. */
    public void expectFrames(int frames) {
        monitor.run(() -> setFrames(frames));
    }

    @Override
    public Stage open(long pages, MemorySegment machine) {
        long slots = store.reserve(pages);
        try {
            Stage stage = new Stage(pages, this, machine, below.stage(), slots);
            pagerFrames.stages().add(stage);
            return stage;
        } catch (Throwable noRoom) { // on the heap, for its table
            store.release(slots, pages);
            throw noRoom;
        }
    }

    @Override
    public void close(Stage stage) {
        stage.close();
        monitor.run(() -> {
            closings.add(stage);
            reclaimer.onChange();
        });
    }

    /** Refuses all page requests from now on, those that wait included. */
    public void shut() {
        monitor.run(() -> {
            prefetcher.shut();
            loader.shut();
        });
    }

    /** Adds to the number of frames that the pager owes its supply. Pages are evicted for them. */
    public void owe(int frames) {
        monitor.run(() -> {
            pagerFrames.owe(frames);
            reclaimer.onChange();
        });
    }

    /** Cancels what the pager still owes its supply. */
    public void oweNothing() {
        monitor.run(pagerFrames::oweNothing);
    }

    /** Number of frames that the pager still owes its supply. */
    public int owed() {
        return pagerFrames.owed();
    }

    /** Evicts a range of pages, as {@link #evict(Stage, BitSet, EvictionListener)} does. */
    public void evict(Stage stage, long firstPage, long pages, EvictionListener listener) {
        BitSet range = new BitSet();
        range.set(Math.toIntExact(firstPage), Math.toIntExact(firstPage + pages));
        evict(stage, range, listener);
    }

    /**
     * Evicts some pages, except those that are pinned, then tells the listener. Dirty pages are written out first. The caller does
     * not change the set any more.
     */
    public void evict(Stage stage, BitSet pages, EvictionListener listener) {
        monitor.run(() -> sweeps.add(stage, pages, Sweeps.Choice.ALL, listener));
    }

    /**
     * Evicts those of some pages whose content the stage above has discarded, if it has not written to them since. The frames of
     * nearly all of them are free before that; the listener is told when all are.
     */
    public void evictDiscarded(Stage stage, BitSet pages, EvictionListener listener) {
        monitor.run(() -> sweeps.add(stage, pages, Sweeps.Choice.DISCARDED, listener));
    }

    /** Gets the end of an eviction. */
    @FunctionalInterface
    public interface EvictionListener {
        /**
         * All pages that can be evicted are. Must not block.
         *
         * @param evicted pages that had a frame and have none now
         * @param left pages that stay because they are pinned or were touched in the meantime
         * @param failed pages that stay because the store did not take them
         */
        void onEvicted(long evicted, long left, long failed);
    }

    // --- driver

    @Override
    public int takeFrame() {
        int frame = pagerFrames.take();
        if (reclaimer.isDue()) {
            chore.note();
        }
        return frame;
    }

    @Override
    public Chore chore() {
        return chore;
    }

    @Override
    public void tidy() {
        if (chore.take()) {
            monitor.wake();
        }
    }

    @Override
    public int takeReservedFrame(Stage stage, long page) {
        return loader.reserved().take(PagerFrames.name(stage, page));
    }

    @Override
    public void giveFrame(int frame) {
        pagerFrames.give(frame);
    }

    @Override
    public void onInstalled(Stage stage, long page, int frame) {
        pagerFrames.onInstalled(stage, page, frame);
        counters.add(PageWord.isStored(stage.table().word(page)) ? PagingCounter.OVERWRITES : PagingCounter.ZERO_FILLS);
    }

    @Override
    public void onUnpinned() {
        reclaimer.onUnpinned();
    }

    @Override
    public void bringIn(PageRequest request) {
        monitor.submit(() -> loader.onRequest(request));
    }

    @Override
    public void prefetch(Stage stage, long firstPage, long pages) {
        monitor.submit(() -> prefetcher.add(stage, firstPage, pages));
    }

    @Override
    public Executor helpers() {
        return store::lend;
    }

    @Override
    public void attend() {
        monitor.run(() -> {});
    }

    @Override
    public void poke() {
        monitor.retry();
    }

    @Override
    public FaultEvents faultEvents() {
        return faultEvents;
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

    // --- for the pager's parts and for the pager of the stage above

    /** Leaves an event for the next turn. */
    void submit(Runnable event) {
        monitor.submit(event);
    }

    /** Takes a turn if the monitor is free. */
    void nudge() {
        monitor.wake();
    }

    /** A page has left its frame. The content of the frame is discarded first: once free, the frame can get another page at once. */
    void onEvicted(Stage stage, long page, int frame) {
        counters.add(PagingCounter.EVICTIONS);
        below.discard(frame);
        pagerFrames.free(frame);
        stage.onEvicted(page);
    }

    /** The store has taken all pages of a transfer. */
    void onWrittenOut() {
        reclaimer.onChange();
    }

    /** The content of a page is of no use any more. */
    void onDiscarded(Stage stage, long page) {
        monitor.submit(() -> evictor.onDiscarded(stage, page));
    }

    // --- the turn

    private Monitor.Rest turn(boolean retry) {
        allowance.renew();
        if (retry) {
            loader.allowRetry();
        }
        boolean again = loader.retry(allowance);
        again |= transit.grant(allowance);
        again |= landing.grant(allowance);
        pagerFrames.settle(allowance);
        pagerFrames.admitNewcomers(allowance);
        boolean moved = transfers.takeMoved();
        closings.work(retry || moved, allowance);
        reclaimer.work(loader.waiting(), retry);
        sweeps.work(allowance);
        cleaner.writeOut();
        again |= loader.assignFrames();
        shortage.update(loader.waiting(), loader.takeAssigned(), reclaimer.isStuck());
        prefetcher.work();
        loader.submitReads();
        below.tell();
        boolean frames = closings.hasMore() || reclaimer.hasMore() || pagerFrames.owesFree();
        boolean waited = loader.waiting() > 0 || pagerFrames.owed() > 0;
        if (again || (frames && waited) || sweeps.hasMore()) {
            return Monitor.Rest.NOW;
        }
        boolean later = frames || prefetcher.hasMore() || pagerFrames.hasNewcomers();
        return later ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    @Override
    public String toString() {
        return "pager with " + pagerFrames.frames() + " frames, " + policyName() + ", on " + store.name();
    }
}
