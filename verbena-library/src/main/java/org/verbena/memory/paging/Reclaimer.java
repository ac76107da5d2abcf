package org.verbena.memory.paging;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * Keeps frames free: takes clean pages' frames at once, writes dirty pages out first. Inside the monitor of its pager.
 *
 * <p>A page on its way out keeps its frame until it is written; who touches it meanwhile keeps it. When the store fails, the
 * page stays and is dirty as before, and no more is written until somebody asks anew.
 */
final class Reclaimer {
    /** Frames reclaimed at a time. */
    private static final int BATCH = 64;
    /** Of all frames, the part that is kept free. */
    private static final int FREE_SHARE = 20;

    /** Pages that are all to go. */
    static final class Sweep {
        final Stage stage;
        private final long end;
        private final Pager.EvictionListener listener;
        private long next;
        private long left;
        private long failed;
        private int underWay;

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
    private final PageStore store;
    private final PagingCounters counters;
    private final int low;
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final ArrayDeque<Sweep> sweeps = new ArrayDeque<>();
    private int writing;
    private boolean storeFails;

    Reclaimer(Pager pager, Residency residency, PageStore store, PagingCounters counters, int frames) {
        this.pager = pager;
        this.residency = residency;
        this.store = store;
        this.counters = counters;
        this.low = Math.clamp(frames / FREE_SHARE, 1, frames / 2 + 1);
    }

    /** Any thread. */
    boolean isLow() {
        return residency.free() < low;
    }

    /** Frames free beyond those kept free. */
    int spare() {
        return Math.max(0, residency.free() - low / 2);
    }

    /**
     * Sees to it that frames become free.
     *
     * @param wanted pages that wait for a frame
     * @param anew whether a store that failed may be tried again
     */
    void work(int wanted, boolean anew) {
        if (anew) {
            storeFails = false;
        }
        residency.stock();
        int missing = wanted + residency.owed() - residency.free();
        if (missing > 0 || isLow()) {
            reclaim(Math.max(missing, Math.min(BATCH, low)) - writing);
        }
        sweep();
        write();
    }

    private void reclaim(int frames) {
        for (int left = frames; left > 0; left--) {
            int frame = residency.choose();
            if (frame == Driver.NONE) {
                return;
            }
            long name = residency.page(frame);
            if (!release(residency.stage(name), Residency.pageOf(name), frame, null)) {
                residency.policy().onKept(frame);
            }
        }
    }

    /** Takes a page's frame, now if it is clean, else when it is written; false if it stays. The policy has forgotten it. */
    private boolean release(Stage stage, long page, int frame, @Nullable Sweep sweep) {
        PageTable table = stage.table();
        long word = table.word(page);
        if (PageWord.state(word) != PageWord.State.PRESENT || PageWord.pins(word) != 0) {
            return false;
        }
        if (!PageWord.isDirty(word)) {
            PageWord.State away = PageWord.isStored(word) ? PageWord.State.ABSENT : PageWord.State.ZERO;
            boolean evicted = table.change(page, word, PageWord.gone(word, away));
            if (evicted) {
                evicted(frame);
            }
            return evicted;
        }
        return !storeFails && clean(stage, page, word, sweep);
    }

    private void evicted(int frame) {
        counters.add(PagingCounter.EVICTIONS);
        residency.free(frame);
        Stage below = pager.frameStage();
        if (below != null && below.driver() instanceof Pager host) {
            host.discard(below, frame);
        }
    }

    private boolean clean(Stage stage, long page, long word, @Nullable Sweep sweep) {
        long cleaning = PageWord.in(word & ~(PageWord.DIRTY | PageWord.REFERENCED), PageWord.State.CLEANING);
        int frame = PageWord.frame(word);
        Stage below = pager.frameStage();
        long position = (long) frame * Stage.PAGE;
        if (below != null) {
            position = below.pin(frame, Access.READ);
            if (position < 0) {
                below.driver().prefetch(below, frame, 1);
                below.driver().poke();
                return false;
            }
        }
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
        long[] positions = batch.stream().mapToLong(Outgoing::position).toArray();
        Outgoing first = batch.getFirst();
        store.submit(new Transfer(
                Transfer.Kind.WRITE,
                first.stage.slot(first.page),
                first.stage.machine(),
                positions,
                ended -> pager.run(() -> onWritten(ended, batch))));
    }

    private void onWritten(Transfer transfer, List<Outgoing> batch) {
        for (int i = 0; i < batch.size(); i++) {
            Outgoing out = batch.get(i);
            writing--;
            unpinBelow(out.frame);
            boolean gone = settle(out, transfer.outcome(i));
            if (!gone) {
                residency.policy().onKept(out.frame);
            }
            Sweep sweep = out.sweep;
            if (sweep != null) {
                sweep.underWay--;
                boolean failed = transfer.outcome(i) != Outcome.DONE;
                sweep.failed += failed ? 1 : 0;
                sweep.left += gone || failed ? 0 : 1;
            }
        }
    }

    /** True if the page is gone. */
    private boolean settle(Outgoing out, Outcome outcome) {
        boolean written = outcome == Outcome.DONE;
        count(outcome);
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
        storeFails = true;
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
            if (sweep.next == sweep.end && sweep.underWay == 0) {
                sweep.listener.onEvicted(sweep.left, sweep.failed);
            } else {
                sweeps.add(sweep);
            }
        }
    }

    private void advance(Sweep sweep) {
        while (sweep.next < sweep.end && sweep.underWay < 2 * BATCH) {
            long page = sweep.next;
            long word = sweep.stage.table().word(page);
            PageWord.State state = PageWord.state(word);
            if (state == PageWord.State.CLEANING || state == PageWord.State.LOADING) {
                return; // somebody else moves it; when that has ended it is looked at again
            }
            sweep.next++;
            if (state == PageWord.State.PRESENT) {
                int frame = PageWord.frame(word);
                residency.admitNewcomers();
                residency.policy().onRemoved(frame);
                if (!release(sweep.stage, page, frame, sweep)) {
                    long stays = sweep.stage.table().word(page);
                    boolean failed = storeFails && PageWord.pins(stays) == 0 && PageWord.isDirty(stays);
                    sweep.failed += failed ? 1 : 0;
                    sweep.left += failed ? 0 : 1;
                    residency.policy().onKept(frame);
                }
            }
        }
    }
}
