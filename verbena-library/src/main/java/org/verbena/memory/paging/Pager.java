package org.verbena.memory.paging;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The driver that pages: brings pages in from a store and evicts others for them.
 *
 * <p>Whatever happens is an event. Events go into a {@link Monitor}, and whoever finds it free works them off: the engine that
 * met the fault, the thread of the store that read the page. So there is no thread to hand a fault to, no lock to wait for, and
 * in virtual time one order of events has one outcome.
 */
public final class Pager implements Driver {
    /** Of all frames, the part that each of the budgets may keep. */
    private static final int BUDGET_SHARE = 4;

    private final long order = Monitor.nextOrder();
    private final PageStore store;
    private final @Nullable Stage frameStage;
    private final PagingCounters counters = new PagingCounters();
    private final Monitor monitor;
    private final TurnAllowance allowance = new TurnAllowance();
    /** Few frames are left. */
    private final Chore chore = new Chore();

    private final PagerFrames pagerFrames;
    private final Cleaner cleaner;
    private final Evictor evictor;
    private final Reclaimer reclaimer;
    private final Sweeps sweeps;
    private final Loader loader;
    private final Closings closings;
    private final LeaseBudget transit;
    private final LeaseBudget landing;
    /** A page came or went: inside the monitor. */
    private boolean moved;

    /** Pages wait for frames, and none can be had. */
    private volatile boolean shortOfFrames;

    private volatile long shortages;
    private volatile Runnable onShortage = () -> {};
    private boolean asksBelow;
    private boolean discards;

    /**
     * A pager with no stages yet.
     *
     * @param frameStage where its frames are; null: in machine memory
     * @param frames how many it will have, to bound what may be kept from eviction
     */
    public Pager(PageStore store, FrameSupply supply, EvictionPolicy policy, @Nullable Stage frameStage, int frames) {
        this.store = store;
        this.frameStage = frameStage;
        this.monitor = new Monitor(this::turn, store::lend);
        this.pagerFrames = new PagerFrames(supply, policy);
        this.cleaner = new Cleaner(this, pagerFrames, counters);
        this.evictor = new Evictor(this, pagerFrames, cleaner);
        this.reclaimer = new Reclaimer(pagerFrames, evictor, cleaner);
        this.sweeps = new Sweeps(pagerFrames, evictor, cleaner);
        this.loader = new Loader(this, pagerFrames, reclaimer, counters);
        this.closings = new Closings(this, store, pagerFrames);
        this.transit = new LeaseBudget(monitor, counters);
        this.landing = new LeaseBudget(monitor, counters);
        setFrames(frames);
    }

    private void setFrames(int frames) {
        reclaimer.frames(frames);
        transit.capacity(Math.max(1, frames / BUDGET_SHARE));
        landing.capacity(Math.max(1, frames / BUDGET_SHARE));
    }

    /** It will have more frames than before, or fewer. */
    public void expectFrames(int frames) {
        monitor.run(() -> setFrames(frames));
    }

    public PagingCounters counters() {
        return counters;
    }

    @Override
    public long order() {
        return order;
    }

    @Override
    public LeaseBudget transit() {
        return transit;
    }

    @Override
    public LeaseBudget landing() {
        return landing;
    }

    /** Frames that could be had without an eviction. */
    public int framesFree() {
        return pagerFrames.free();
    }

    /** Frames that have pages, or are at hand for them. */
    public int frames() {
        return pagerFrames.frames();
    }

    /** Bytes that are kept about frames. */
    public long bytes() {
        return pagerFrames.bytes();
    }

    /** Transfers of pages under way. */
    public int transfers() {
        return monitor.transfers();
    }

    /** No frame can be had at the moment: all are pinned, or the store takes no more pages. */
    public boolean isStuck() {
        return reclaimer.isStuck();
    }

    /** Pages wait for frames, and since the first of them found none no page got one. */
    public boolean isShort() {
        return shortOfFrames;
    }

    /** Times that frames became short. */
    public long shortages() {
        return shortages;
    }

    /** Has an action run when frames become short. Inside the monitor: it only passes the news on. */
    public void onShortage(Runnable action) {
        onShortage = action;
    }

    public String policyName() {
        return pagerFrames.policy().name();
    }

    @Nullable
    Stage frameStage() {
        return frameStage;
    }

    // --- stages

    @Override
    public Stage open(long pages, MemorySegment machine) {
        long slots = store.reserve(pages);
        try {
            Stage stage = new Stage(pages, this, machine, frameStage, slots);
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

    /** From now on nothing is brought in; who waits is told. */
    public void shut() {
        monitor.run(loader::shut);
    }

    /** Takes back from pages so many frames for the supply. */
    public void owe(int frames) {
        monitor.run(() -> {
            pagerFrames.owe(frames);
            reclaimer.onChange();
        });
    }

    /** What is still owed to the supply is not wanted any more. */
    public void oweNothing() {
        monitor.run(pagerFrames::oweNothing);
    }

    /** Frames that are still to go back to the supply. */
    public int owed() {
        return pagerFrames.owed();
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
        return loader.rooms().take(PagerFrames.name(stage, page));
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
    public void bringIn(PageRequest request) {
        monitor.submit(() -> loader.onRequest(request));
    }

    @Override
    public void prefetch(Stage stage, long firstPage, long pages) {
        monitor.submit(() -> loader.onWished(stage, firstPage, pages));
    }

    @Override
    public Executor helpers() {
        return store::lend;
    }

    @Override
    public void attend() {
        monitor.run(() -> {});
    }

    /** What was in vain may be tried again. */
    @Override
    public void poke() {
        monitor.retry();
    }

    /** Writes out and gives up the frames of these pages, as far as nobody has them pinned; then tells whether all are gone. */
    public void evict(Stage stage, long firstPage, long pages, EvictionListener listener) {
        monitor.run(() -> sweeps.add(stage, firstPage, pages, listener));
    }

    /** Is told how an eviction of many pages went. */
    @FunctionalInterface
    public interface EvictionListener {
        /**
         * All that could be evicted is. Must not block.
         *
         * @param left pages that stay, since somebody has them pinned or touched them meanwhile
         * @param failed pages that stay, since the store did not take them
         */
        void onEvicted(long left, long failed);
    }

    // --- for its parts

    void submit(Runnable event) {
        monitor.submit(event);
    }

    void nudge() {
        monitor.wake();
    }

    void transfer(Transfer transfer) {
        monitor.onTransferBegun();
        store.submit(transfer);
    }

    void onTransferEnded(int pages, Runnable event) {
        monitor.onTransferEnded(pages, () -> {
            moved = true;
            event.run();
        });
    }

    /** What a frame held is of no use any more. */
    void discardBelow(int frame) {
        if (frameStage != null) {
            discards |= frameStage.discard(frame);
        }
    }

    /** Something was asked of the stage below; it is told once, at the end of the turn. */
    void pokeBelow() {
        asksBelow = true;
    }

    /** A frame's page is gone. The frame is anybody's as soon as it is free, so first what it held is given up. */
    void onEvicted(int frame) {
        counters.add(PagingCounter.EVICTIONS);
        discardBelow(frame);
        pagerFrames.free(frame);
    }

    /** The store takes pages. */
    void onWrittenOut() {
        reclaimer.onChange();
    }

    void onDiscarded(Stage stage, long page) {
        monitor.submit(() -> evictor.onDiscarded(stage, page));
    }

    private Monitor.Rest turn(boolean anew) {
        allowance.renew();
        if (anew) {
            loader.onAnew();
        }
        boolean again = loader.retry(allowance);
        again |= transit.grant(allowance);
        again |= landing.grant(allowance);
        pagerFrames.settle(allowance);
        pagerFrames.admitNewcomers(allowance);
        closings.work(anew || moved, allowance);
        moved = false;
        reclaimer.work(loader.waiting(), anew);
        sweeps.work(allowance);
        cleaner.writeOut();
        again |= loader.assignFrames();
        noteShortage();
        loader.lookAhead();
        loader.submitReads();
        tellBelow();
        boolean frames = closings.hasMore() || reclaimer.hasMore() || pagerFrames.owesFree();
        boolean waited = loader.waiting() > 0 || pagerFrames.owed() > 0;
        if (again || (frames && waited) || sweeps.hasMore()) {
            return Monitor.Rest.NOW;
        }
        boolean later = frames || loader.hasMore() || pagerFrames.hasNewcomers();
        return later ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // changed inside the monitor only
    private void noteShortage() {
        boolean assigned = loader.takeAssigned();
        if (assigned || loader.waiting() == 0) {
            shortOfFrames = false;
        } else if (reclaimer.isStuck() && !shortOfFrames) {
            shortages++;
            shortOfFrames = true;
            onShortage.run();
        }
    }

    private void tellBelow() {
        if (frameStage == null) {
            return;
        }
        if (asksBelow) {
            frameStage.driver().poke();
        } else if (discards && frameStage.driver() instanceof Pager below) {
            below.nudge();
        }
        asksBelow = false;
        discards = false;
    }

    @Override
    public String toString() {
        return "pager with " + pagerFrames.frames() + " frames, " + policyName() + ", on " + store.name();
    }
}
