package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.Transfer;

/**
 * Reads pages from the store, neighbouring pages in one transfer, requested pages before prefetched ones. Used inside the monitor
 * of its pager.
 */
final class StoreReader {
    /** Gets the result of each read. */
    @FunctionalInterface
    interface Listener {
        /** Called inside the monitor. */
        void onRead(StorePageIn pageIn, Outcome outcome);
    }

    private static final Comparator<StorePageIn> ORDER = Comparator.comparing(StorePageIn::isUnrequested)
            .thenComparingInt(pageIn -> pageIn.stage().number())
            .thenComparingLong(StorePageIn::page);

    private final StoreTransfers transfers;
    private final Listener listener;
    private List<StorePageIn> ready = new ArrayList<>();
    /** Pages that the thread of this turn may still read itself. */
    private int byCallerLeft;

    StoreReader(StoreTransfers transfers, Listener listener) {
        this.transfers = transfers;
        this.listener = listener;
    }

    /** Adds a page-in that has a frame in machine memory. {@link #submit} begins the read. */
    void add(StorePageIn pageIn) {
        ready.add(pageIn);
    }

    /** Begins to read all pages that were added. */
    void submit() {
        if (ready.isEmpty()) {
            return;
        }
        List<StorePageIn> sorted = ready;
        ready = new ArrayList<>();
        sorted.sort(ORDER);
        byCallerLeft = TurnLimits.BY_CALLER;
        TransferRuns.forEach(sorted, StoreReader::follows, this::read);
    }

    private static boolean follows(StorePageIn pageIn, StorePageIn before) {
        return pageIn.follows(before) && pageIn.isUnrequested() == before.isUnrequested();
    }

    private void read(List<StorePageIn> run) {
        long[] positions = new long[run.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = run.get(i).position;
        }
        StorePageIn first = run.getFirst();
        boolean byCaller = !first.isUnrequested() && run.size() <= byCallerLeft;
        byCallerLeft -= byCaller ? run.size() : 0;
        transfers.read(first.stage(), first.page(), positions, byCaller, ended -> onEnd(ended, run));
    }

    private void onEnd(Transfer transfer, List<StorePageIn> run) {
        for (int i = 0; i < run.size(); i++) {
            listener.onRead(run.get(i), transfer.outcome(i));
        }
    }
}
