package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.store.Outcome;
import org.verbena.memory.store.Transfer;
import org.verbena.trace.PageOutEvent;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * Writes dirty pages to the store, neighbouring pages in one transfer. A page keeps its frame until it is written; an access in
 * the meantime makes it stay. When the store fails, the page stays dirty and no more pages are written until a retry is allowed.
 * Used inside the monitor of its pager.
 */
final class Cleaner {
    /** The end of an attempt to write a page out. */
    enum Fate {
        /** The page is written; its frame is free. */
        GONE,
        /** The page stays: an access touched it or has it pinned. */
        KEPT,
        /** The page stays: the store did not take it. */
        FAILED
    }

    /** Asks for pages to be written out. */
    interface Client {
        /** Ignores the end. */
        Client NONE = new Client() {
            @Override
            public void onBegun() {}

            @Override
            public void onEnded(Fate fate) {}
        };

        /** The page is on its way out. */
        void onBegun();

        /** Called once for each page that was begun. */
        void onEnded(Fate fate);
    }

    /** A page on its way out. */
    private record Outgoing(Stage stage, long page, int frame, long position, Client client) {
        boolean follows(Outgoing other) {
            return stage == other.stage && page == other.page + 1;
        }
    }

    private static final Comparator<Outgoing> ORDER =
            Comparator.comparingInt((Outgoing out) -> out.stage.number()).thenComparingLong(Outgoing::page);

    private final Pager pager;
    private final StageBelow below;
    private final PagerFrames pagerFrames;
    private final StoreTransfers transfers;
    private final PagingCounters counters;
    private final FrameFetches fetches;
    private final List<Outgoing> outgoing = new ArrayList<>();
    private int underWay;
    /** Whether the last write failed. Then one page at a time is written, and only when a retry is allowed. */
    private boolean storeFails;

    private boolean probe;

    Cleaner(Pager pager, StageBelow below, PagerFrames pagerFrames, StoreTransfers transfers, PagingCounters counters) {
        this.pager = pager;
        this.below = below;
        this.pagerFrames = pagerFrames;
        this.transfers = transfers;
        this.counters = counters;
        this.fetches = new FrameFetches(pager, below, new FrameFetches.Listener() {
            @Override
            public void onFetched(FrameFetches.Fetch fetch) {
                cleanFetched(fetch);
            }

            @Override
            public void onFetchRefused(FrameFetches.Fetch fetch) {
                keepUnfetched(fetch);
            }
        });
    }

    /** Number of pages on their way out. */
    int underWay() {
        return underWay;
    }

    /** Whether the store did not take the last pages. */
    boolean storeFails() {
        return storeFails;
    }

    /** Allows one page to be written to a store that failed. */
    void probe() {
        probe = true;
    }

    /** Allows all pages to be written to a store that failed. */
    void trustStore() {
        storeFails = false;
    }

    /** Whether the frame of a dirty page is being brought into machine memory, so that the page can be written out. */
    boolean isFetching(Stage stage, long page) {
        return fetches.contains(stage, page);
    }

    /** Begins to write out a dirty page without pins, whose frame the policy has chosen; false if the page stays. */
    boolean clean(Stage stage, long page, long word, Client client) {
        if (storeFails && !probe) {
            return false;
        }
        boolean begun = tryClean(stage, page, word, client);
        if (begun) {
            probe = false;
            underWay++;
            client.onBegun();
        }
        return begun;
    }

    private boolean tryClean(Stage stage, long page, long word, Client client) {
        long position = below.pin(PageWord.frame(word), Access.READ);
        if (position < 0) {
            fetches.begin(new FrameFetches.Fetch(stage, page, word, client));
            return true;
        }
        return send(stage, page, word, position, client);
    }

    /** Adds a page to the next transfers. Its frame is pinned in machine memory; the pin is removed if the page's word has changed. */
    private boolean send(Stage stage, long page, long word, long position, Client client) {
        long cleaning = PageWord.in(word & ~(PageWord.DIRTY | PageWord.REFERENCED), PageWord.State.CLEANING);
        int frame = PageWord.frame(word);
        boolean sent = stage.table().change(page, word, cleaning);
        if (sent) {
            outgoing.add(new Outgoing(stage, page, frame, position, client));
        } else {
            below.unpin(frame);
        }
        return sent;
    }

    private void end(Client client, Fate fate) {
        underWay--;
        client.onEnded(fate);
    }

    // --- frames that were not in machine memory

    private void cleanFetched(FrameFetches.Fetch fetch) {
        boolean there = fetch.isStillThere();
        long word = fetch.wordNow();
        if (!there) {
            below.unpin(fetch.frame());
            end(fetch.client(), Fate.GONE);
        } else if (PageWord.state(word) != PageWord.State.PRESENT || PageWord.pins(word) != 0) {
            below.unpin(fetch.frame());
            keep(fetch);
        } else if (!send(fetch.stage(), fetch.page(), word, below.position(fetch.frame()), fetch.client())) {
            keep(fetch);
        }
    }

    private void keepUnfetched(FrameFetches.Fetch fetch) {
        boolean there = fetch.isStillThere();
        long word = fetch.wordNow();
        boolean lost = below.isPoisoned(fetch.frame())
                && PageWord.state(word) == PageWord.State.PRESENT
                && PageWord.pins(word) == 0;
        if (!there) {
            end(fetch.client(), Fate.GONE);
        } else if (lost
                && fetch.stage().table().change(fetch.page(), word, PageWord.gone(word, PageWord.State.POISONED))) {
            pager.onEvicted(fetch.stage(), fetch.page(), fetch.frame());
            end(fetch.client(), Fate.GONE);
        } else {
            storeFails = true;
            keep(fetch);
        }
    }

    private void keep(FrameFetches.Fetch fetch) {
        pagerFrames.keep(fetch.frame());
        end(fetch.client(), Fate.KEPT);
    }

    // --- writing

    /** Begins to write the pages of this turn. */
    void writeOut() {
        if (outgoing.isEmpty()) {
            return;
        }
        outgoing.sort(ORDER);
        TransferRuns.forEach(outgoing, Outgoing::follows, this::write);
        outgoing.clear();
    }

    private void write(List<Outgoing> run) {
        long[] positions = new long[run.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = run.get(i).position;
        }
        Outgoing first = run.getFirst();
        PageOutEvent event = PageOutEvent.start();
        transfers.write(first.stage, first.page, positions, ended -> onWritten(ended, run, event));
    }

    private void onWritten(Transfer transfer, List<Outgoing> run, @Nullable PageOutEvent event) {
        int gonePages = 0;
        boolean failed = false;
        for (int i = 0; i < run.size(); i++) {
            Outgoing out = run.get(i);
            boolean written = transfer.outcome(i) == Outcome.DONE;
            failed |= !written;
            below.unpin(out.frame);
            count(transfer.outcome(i));
            boolean gone = settle(out, written);
            gonePages += gone ? 1 : 0;
            if (!gone) {
                pagerFrames.keep(out.frame);
            }
            end(out.client, gone ? Fate.GONE : written ? Fate.KEPT : Fate.FAILED);
        }
        storeFails = failed;
        if (!failed) {
            pager.onWrittenOut();
        }
        PageOutEvent.stop(event, run.getFirst().stage.number(), run.size(), gonePages);
    }

    /** Changes a page from CLEANING to ABSENT, or back to PRESENT if it was touched or not written; true if it is gone. */
    private boolean settle(Outgoing out, boolean written) {
        PageTable table = out.stage.table();
        for (; ; ) {
            long word = table.word(out.page);
            assert PageWord.state(word) == PageWord.State.CLEANING : PageWord.toString(word);
            long touched = word & (PageWord.PINS | PageWord.DIRTY | PageWord.REFERENCED);
            if (written && touched == 0) {
                if (table.change(out.page, word, PageWord.gone(word | PageWord.STORED, PageWord.State.ABSENT))) {
                    pager.onEvicted(out.stage, out.page, out.frame);
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
}
