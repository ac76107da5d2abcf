package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.PageOutEvent;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;
import org.verbena.trace.StoreTransferEvent;

/**
 * Keeps frames free: takes clean pages' frames at once, writes dirty pages out first. Inside the monitor of its pager.
 *
 * <p>A page on its way out keeps its frame until it is written; who touches it meanwhile keeps it. When the store fails, the
 * page stays and is dirty as before, and no more is written until somebody asks anew.
 */
final class Reclaimer {
    /** Frames reclaimed at a time. */
    private static final int BATCH = 64;
    /** Of all frames, the part that is kept free, within bounds: more costs hits, fewer are used up while others are written. */
    private static final int FREE_SHARE = 50;

    private static final int FREE_LEAST = 16;
    private static final int FREE_MOST = 1024;
    /** Looks of one turn that may gain nothing. */
    private static final int MISSES_PER_TURN = 1024;
    /** Pages of a sweep looked at in one turn. */
    private static final int SWEEP_LOOKS = 512;

    /** Pages that are all to go. */
    static final class Sweep {
        final Stage stage;
        private final long end;
        private final Pager.EvictionListener listener;
        private long next;
        private long left;
        private long failed;
        private int underWay;
        private boolean canGoOn = true;

        Sweep(Stage stage, long first, long end, Pager.EvictionListener listener) {
            this.stage = stage;
            this.next = first;
            this.end = end;
            this.listener = listener;
        }
    }

    /** A page on its way out. */
    private record Outgoing(
            Stage stage,
            long page,
            int frame,
            long position,
            @Nullable Sweep sweep) {
        boolean follows(Outgoing other) {
            return stage == other.stage && page == other.page + 1;
        }
    }

    private final Pager pager;
    private final Residency residency;
    private final PagingCounters counters;
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final ArrayDeque<Sweep> sweeps = new ArrayDeque<>();
    private final Set<Long> fetching = new HashSet<>();
    private volatile int low;
    private volatile boolean stuck;
    private int writing;
    /** Looks in a row that gained nothing. */
    private int fruitless;
    /** The store could not write; until it can, one page at a time is tried, and only when somebody asks anew. */
    private boolean storeFails;

    private boolean probe;
    private boolean hasMore;

    Reclaimer(Pager pager, Residency residency, PagingCounters counters) {
        this.pager = pager;
        this.residency = residency;
        this.counters = counters;
    }

    /** How many frames there are, so that a part of them is kept free. */
    void frames(int frames) {
        low = Math.clamp(frames / FREE_SHARE, Math.max(1, Math.min(FREE_LEAST, frames / 16)), FREE_MOST);
    }

    /** Whether an access that took a frame should see to it that others become free. Any thread. */
    boolean isDue() {
        return isLow() && !stuck;
    }

    private boolean isLow() {
        return residency.free() < low;
    }

    /** No frame can be had until something changes. Any thread. */
    boolean isStuck() {
        return stuck;
    }

    /** Frames free beyond those kept free. */
    int spare() {
        return Math.max(0, residency.free() - low / 2);
    }

    /** Whether more can be reclaimed at once. */
    boolean hasMore() {
        return hasMore;
    }

    /** Whether a sweep can go on at once. */
    boolean sweeps() {
        for (Sweep sweep : sweeps) {
            if (sweep.canGoOn) {
                return true;
            }
        }
        return false;
    }

    /** Something has changed: what was in vain may not be now. */
    void onChange() {
        stuck = false;
        fruitless = 0;
    }

    /**
     * Sees to it that frames become free.
     *
     * @param wanted pages that wait for a frame
     * @param anew whether a store that failed may be tried again
     */
    void work(int wanted, boolean anew) {
        if (anew) {
            probe = true;
            onChange();
        }
        residency.settle();
        residency.stock();
        hasMore = false;
        int missing = residency.missing(wanted);
        if ((missing > 0 || isLow()) && !stuck) {
            int tooFew = low + low / 4 + 1 - residency.free();
            reclaim(Math.min(BATCH, Math.max(missing, tooFew) - writing));
            hasMore = !stuck && residency.missing(wanted) - writing > 0;
        }
        sweep();
        write();
        residency.settle();
    }

    private void reclaim(int frames) {
        int patience = storeFails
                ? BATCH * EvictionPolicy.LOOKS_MAX / 4
                : 3 * residency.policy().size();
        int misses = MISSES_PER_TURN;
        for (int left = frames; left > 0 && misses > 0; ) {
            int frame = residency.choose();
            if (frame != Driver.NONE && releaseChosen(frame)) {
                left--;
                fruitless = 0;
                continue;
            }
            int looks = frame == Driver.NONE ? EvictionPolicy.LOOKS_MAX : 1;
            misses -= looks;
            fruitless += looks;
            if (fruitless > patience) {
                stuck = true;
                return;
            }
        }
    }

    private boolean releaseChosen(int frame) {
        long name = residency.page(frame);
        boolean released = release(residency.stage(name), Residency.pageOf(name), frame, null);
        if (!released) {
            residency.policy().onKept(frame);
        }
        return released;
    }

    /** Takes a page's frame, now if it is clean, else when it is written; false if it stays. The policy has forgotten it. */
    private boolean release(Stage stage, long page, int frame, @Nullable Sweep sweep) {
        PageTable table = stage.table();
        long word = table.word(page);
        if (PageWord.state(word) != PageWord.State.PRESENT || PageWord.pins(word) != 0) {
            return false;
        }
        if (!PageWord.isDirty(word) || stage.isClosed()) {
            PageWord.State away = PageWord.isStored(word) ? PageWord.State.ABSENT : PageWord.State.ZERO;
            boolean evicted = table.change(page, word, PageWord.gone(word, away));
            if (evicted) {
                evicted(frame);
            }
            return evicted;
        }
        if (storeFails && !probe) {
            return false;
        }
        boolean cleaning = clean(stage, page, word, sweep);
        probe &= !cleaning;
        return cleaning;
    }

    /** The frame is anybody's as soon as it is free, so first what it held is given up. */
    private void evicted(int frame) {
        counters.add(PagingCounter.EVICTIONS);
        pager.discardBelow(frame);
        residency.free(frame);
    }

    /** What this page holds is of no use, unless it was written to since. */
    void onDiscarded(Stage stage, long page) {
        long word = stage.table().word(page);
        boolean worthless = PageWord.state(word) == PageWord.State.PRESENT
                && (word & (PageWord.PINS | PageWord.DIRTY | PageWord.STORED)) == 0;
        if (worthless && stage.table().change(page, word, PageWord.gone(word, PageWord.State.ZERO))) {
            pager.discardBelow(PageWord.frame(word));
            residency.freeUnchosen(PageWord.frame(word));
        }
    }

    private boolean clean(Stage stage, long page, long word, @Nullable Sweep sweep) {
        int frame = PageWord.frame(word);
        Stage below = pager.frameStage();
        long position = (long) frame * Stage.PAGE;
        if (below != null) {
            position = below.pin(frame, Access.READ);
            if (position < 0) {
                fetch(below, new Fetch(stage, page, word, sweep));
                return true;
            }
        }
        return cleanHere(stage, page, word, position, sweep);
    }

    /** The frame is in machine memory, and pinned there if there is a stage below. */
    private boolean cleanHere(Stage stage, long page, long word, long position, @Nullable Sweep sweep) {
        long cleaning = PageWord.in(word & ~(PageWord.DIRTY | PageWord.REFERENCED), PageWord.State.CLEANING);
        int frame = PageWord.frame(word);
        if (!stage.table().change(page, word, cleaning)) {
            unpinBelow(frame);
            return false;
        }
        writing++;
        outgoing.add(new Outgoing(stage, page, frame, position, sweep));
        if (sweep != null) {
            sweep.underWay++;
        }
        return true;
    }

    // --- dirty pages whose frame is not in machine memory: the stage below brings it in first

    private record Fetch(
            Stage stage, long page, long word, @Nullable Sweep sweep) {
        int frame() {
            return PageWord.frame(word);
        }

        long wordNow() {
            return stage.table().word(page);
        }
    }

    private void fetch(Stage below, Fetch fetch) {
        writing++;
        fetching.add(Residency.name(fetch.stage, fetch.page));
        if (fetch.sweep != null) {
            fetch.sweep.underWay++;
        }
        below.acquire(fetch.frame(), Access.READ, new Waiter() {
            @Override
            public void onPinned(Stage pinned, long frame) {
                pager.submit(() -> onFetched(below, fetch));
                pager.nudge();
            }

            @Override
            public void onRefused(Stage refusing, long frame, Refusal reason) {
                pager.submit(() -> onFetchRefused(below, fetch));
                pager.nudge();
            }
        });
        below.driver().poke();
    }

    /** False if the page is gone by another way. */
    private boolean endFetch(Fetch fetch) {
        writing--;
        fetching.remove(Residency.name(fetch.stage, fetch.page));
        if (fetch.sweep != null) {
            fetch.sweep.underWay--;
        }
        return PageWord.isSameStay(fetch.word, fetch.wordNow());
    }

    private void onFetched(Stage below, Fetch fetch) {
        boolean there = endFetch(fetch);
        long word = fetch.wordNow();
        if (!there || PageWord.state(word) != PageWord.State.PRESENT || PageWord.pins(word) != 0) {
            below.unpin(fetch.frame());
            if (there) {
                keep(fetch);
            }
        } else if (!cleanHere(fetch.stage, fetch.page, word, below.position(fetch.frame()), fetch.sweep)) {
            keep(fetch);
        }
    }

    private void onFetchRefused(Stage below, Fetch fetch) {
        boolean there = endFetch(fetch);
        long word = fetch.wordNow();
        boolean lost = PageWord.state(below.table().word(fetch.frame())) == PageWord.State.POISONED
                && PageWord.state(word) == PageWord.State.PRESENT
                && PageWord.pins(word) == 0;
        if (!there) {
            return;
        }
        if (lost && fetch.stage.table().change(fetch.page, word, PageWord.gone(word, PageWord.State.POISONED))) {
            evicted(fetch.frame());
        } else {
            storeFails = true;
            keep(fetch);
        }
    }

    private void keep(Fetch fetch) {
        residency.policy().onKept(fetch.frame());
        if (fetch.sweep != null) {
            fetch.sweep.left++;
        }
    }

    private void unpinBelow(int frame) {
        Stage below = pager.frameStage();
        if (below != null) {
            below.unpin(frame);
        }
    }

    // --- writing out

    private void write() {
        if (outgoing.isEmpty()) {
            return;
        }
        outgoing.sort(
                Comparator.comparingInt((Outgoing out) -> out.stage.number()).thenComparingLong(Outgoing::page));
        List<Outgoing> batch = new ArrayList<>();
        for (Outgoing out : outgoing) {
            if (!batch.isEmpty() && (batch.size() == Transfer.PAGES_MAX || !out.follows(batch.getLast()))) {
                write(batch);
                batch = new ArrayList<>();
            }
            batch.add(out);
        }
        write(batch);
        outgoing.clear();
    }

    private void write(List<Outgoing> batch) {
        long[] positions = new long[batch.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = batch.get(i).position;
        }
        Outgoing first = batch.getFirst();
        StoreTransferEvent event = StoreTransferEvent.start();
        PageOutEvent pageOut = PageOutEvent.start();
        pager.transfer(new Transfer(
                Transfer.Kind.WRITE, first.stage.slot(first.page), first.stage.machine(), positions, ended -> {
                    StoreTransferEvent.stop(
                            event, "write", ended.pages(), ended.outcome(0).name());
                    pager.onTransferEnded(() -> onWritten(ended, batch, pageOut));
                }));
    }

    private void onWritten(Transfer transfer, List<Outgoing> batch, @Nullable PageOutEvent event) {
        int gonePages = 0;
        boolean failed = false;
        for (int i = 0; i < batch.size(); i++) {
            Outgoing out = batch.get(i);
            Outcome outcome = transfer.outcome(i);
            failed |= outcome != Outcome.DONE;
            writing--;
            unpinBelow(out.frame);
            count(outcome);
            boolean gone = settle(out, outcome == Outcome.DONE);
            gonePages += gone ? 1 : 0;
            if (!gone) {
                residency.policy().onKept(out.frame);
            }
            Sweep sweep = out.sweep;
            if (sweep != null) {
                sweep.underWay--;
                if (outcome != Outcome.DONE) {
                    sweep.failed++;
                } else if (!gone) {
                    sweep.left++;
                }
            }
        }
        storeFails = failed;
        if (!failed) {
            onChange();
        }
        PageOutEvent.stop(event, batch.getFirst().stage.number(), batch.size(), gonePages);
    }

    /** True if the page is gone. */
    private boolean settle(Outgoing out, boolean written) {
        PageTable table = out.stage.table();
        for (; ; ) {
            long word = table.word(out.page);
            assert PageWord.state(word) == PageWord.State.CLEANING : PageWord.toString(word);
            long untouched = word & (PageWord.PINS | PageWord.DIRTY | PageWord.REFERENCED);
            if (written && untouched == 0) {
                if (table.change(out.page, word, PageWord.gone(word | PageWord.STORED, PageWord.State.ABSENT))) {
                    evicted(out.frame);
                    return true;
                }
            } else {
                long kept = PageWord.in(word, PageWord.State.PRESENT) | (written ? PageWord.STORED : PageWord.DIRTY);
                if (table.change(out.page, word, kept)) {
                    if (written) {
                        counters.add(PagingCounter.RESCUES);
                    }
                    return false;
                }
            }
        }
    }

    private void count(Outcome outcome) {
        if (outcome == Outcome.DONE) {
            counters.add(PagingCounter.PAGES_OUT);
            return;
        }
        counters.add(outcome == Outcome.NO_SPACE ? PagingCounter.STORE_FULL : PagingCounter.STORE_WRITE_ERRORS);
    }

    // --- all pages of a range

    void evict(Sweep sweep) {
        storeFails = false;
        sweeps.add(sweep);
    }

    private void sweep() {
        for (int left = sweeps.size(); left > 0; left--) {
            Sweep sweep = sweeps.removeFirst();
            advance(sweep);
            if (sweep.next >= sweep.end && sweep.underWay == 0) {
                sweep.listener.onEvicted(sweep.left, sweep.failed);
            } else {
                sweeps.add(sweep);
            }
        }
    }

    private void advance(Sweep sweep) {
        PageTable table = sweep.stage.table();
        sweep.canGoOn = false;
        for (int looks = SWEEP_LOOKS; sweep.next < sweep.end && sweep.underWay < 2 * BATCH; looks--) {
            if (looks == 0) {
                sweep.canGoOn = true;
                return;
            }
            if (!table.isLeafTouched(sweep.next)) {
                sweep.next = Math.min(sweep.end, (sweep.next | (PageTable.FAN_OUT - 1)) + 1);
                continue;
            }
            long page = sweep.next;
            long word = table.word(page);
            PageWord.State state = PageWord.state(word);
            if (state == PageWord.State.CLEANING
                    || state == PageWord.State.LOADING
                    || fetching.contains(Residency.name(sweep.stage, page))) {
                return; // somebody else moves it; when that has ended it is looked at again
            }
            sweep.next++;
            if (state == PageWord.State.PRESENT && !releaseSwept(sweep, page, word)) {
                long stays = table.word(page);
                boolean failed = storeFails && PageWord.pins(stays) == 0 && PageWord.isDirty(stays);
                sweep.failed += failed ? 1 : 0;
                sweep.left += failed ? 0 : 1;
            }
        }
    }

    private boolean releaseSwept(Sweep sweep, long page, long word) {
        if (PageWord.pins(word) != 0) {
            return false; // the policy may not know it yet
        }
        int frame = PageWord.frame(word);
        residency.admitNewcomers();
        residency.policy().onRemoved(frame);
        boolean released = release(sweep.stage, page, frame, sweep);
        if (!released) {
            residency.policy().onKept(frame);
        }
        return released;
    }
}
