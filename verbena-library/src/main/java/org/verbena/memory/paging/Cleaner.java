package org.verbena.memory.paging;

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
 * Writes dirty pages out, neighbours together. A page on its way out keeps its frame until it is written; who touches it meanwhile
 * keeps it. When the store fails, the page stays and is dirty as before, and no more is written until somebody asks anew. Inside
 * the monitor of its pager.
 */
final class Cleaner {
    /** What became of a page. */
    enum Fate {
        /** Its frame is free. */
        GONE,
        /** Somebody touched it or has it pinned. */
        KEPT,
        /** The store did not take it. */
        FAILED
    }

    /** Who wants a page out. */
    interface Client {
        Client NOBODY = new Client() {
            @Override
            public void onBegun() {}

            @Override
            public void onEnded(Fate fate) {}
        };

        /** It is on its way. */
        void onBegun();

        /** Once for each that was begun. */
        void onEnded(Fate fate);
    }

    /** A page on its way out. */
    private record Outgoing(Stage stage, long page, int frame, long position, Client client) {
        boolean follows(Outgoing other) {
            return stage == other.stage && page == other.page + 1;
        }
    }

    /** A dirty page whose frame is not in machine memory: the stage below brings it in first. */
    private record Fetch(Stage stage, long page, long word, Client client) {
        int frame() {
            return PageWord.frame(word);
        }

        long wordNow() {
            return stage.table().word(page);
        }

        Place place() {
            return new Place(stage, page);
        }
    }

    private record Place(Stage stage, long page) {}

    private final Pager pager;
    private final PagerFrames pagerFrames;
    private final PagingCounters counters;
    private final List<Outgoing> outgoing = new ArrayList<>();
    private final Set<Place> fetching = new HashSet<>();
    private int underWay;
    /** The store could not write; until it can, one page at a time is tried, and only when somebody asks anew. */
    private boolean storeFails;

    private boolean probe;

    Cleaner(Pager pager, PagerFrames pagerFrames, PagingCounters counters) {
        this.pager = pager;
        this.pagerFrames = pagerFrames;
        this.counters = counters;
    }

    /** Pages on their way out. */
    int underWay() {
        return underWay;
    }

    /** Whether the store took no pages when it was last tried. */
    boolean storeFails() {
        return storeFails;
    }

    /** A store that failed may be tried again, with one page. */
    void probe() {
        probe = true;
    }

    /** A store that failed may be tried again, with all. */
    void trustStore() {
        storeFails = false;
    }

    /** Whether the frame of a dirty page is on its way in, so that the page can be written out. */
    boolean isFetching(Stage stage, long page) {
        return !fetching.isEmpty() && fetching.contains(new Place(stage, page));
    }

    /** Has a dirty page written out that nobody has pinned and the policy has forgotten; false if it stays. */
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
        int frame = PageWord.frame(word);
        Stage below = pager.frameStage();
        long position = (long) frame * Stage.PAGE;
        if (below != null) {
            position = below.pin(frame, Access.READ);
            if (position < 0) {
                fetch(below, new Fetch(stage, page, word, client));
                return true;
            }
        }
        return send(stage, page, word, position, client);
    }

    /** The frame is in machine memory, and pinned there if there is a stage below. */
    private boolean send(Stage stage, long page, long word, long position, Client client) {
        long cleaning = PageWord.in(word & ~(PageWord.DIRTY | PageWord.REFERENCED), PageWord.State.CLEANING);
        int frame = PageWord.frame(word);
        boolean sent = stage.table().change(page, word, cleaning);
        if (sent) {
            outgoing.add(new Outgoing(stage, page, frame, position, client));
        } else {
            unpinBelow(frame);
        }
        return sent;
    }

    private void end(Client client, Fate fate) {
        underWay--;
        client.onEnded(fate);
    }

    private void unpinBelow(int frame) {
        Stage below = pager.frameStage();
        if (below != null) {
            below.unpin(frame);
        }
    }

    // --- frames that are not in machine memory

    private void fetch(Stage below, Fetch fetch) {
        fetching.add(fetch.place());
        below.acquire(fetch.frame(), Access.READ, new PageRequest.Listener() {
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
        pager.pokeBelow();
    }

    /** False if the page is gone by another way. */
    private boolean endFetch(Fetch fetch) {
        fetching.remove(fetch.place());
        return PageWord.isSameStay(fetch.word, fetch.wordNow());
    }

    private void onFetched(Stage below, Fetch fetch) {
        boolean there = endFetch(fetch);
        long word = fetch.wordNow();
        if (!there) {
            below.unpin(fetch.frame());
            end(fetch.client, Fate.GONE);
        } else if (PageWord.state(word) != PageWord.State.PRESENT || PageWord.pins(word) != 0) {
            below.unpin(fetch.frame());
            keep(fetch);
        } else if (!send(fetch.stage, fetch.page, word, below.position(fetch.frame()), fetch.client)) {
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
            end(fetch.client, Fate.GONE);
        } else if (lost && fetch.stage.table().change(fetch.page, word, PageWord.gone(word, PageWord.State.POISONED))) {
            pager.onEvicted(fetch.frame());
            end(fetch.client, Fate.GONE);
        } else {
            storeFails = true;
            keep(fetch);
        }
    }

    private void keep(Fetch fetch) {
        pagerFrames.policy().onKept(fetch.frame());
        end(fetch.client, Fate.KEPT);
    }

    // --- writing

    /** Begins to write what was gathered. */
    void writeOut() {
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
                    pager.onTransferEnded(ended.pages(), () -> onWritten(ended, batch, pageOut));
                }));
    }

    private void onWritten(Transfer transfer, List<Outgoing> batch, @Nullable PageOutEvent event) {
        int gonePages = 0;
        boolean failed = false;
        for (int i = 0; i < batch.size(); i++) {
            Outgoing out = batch.get(i);
            boolean written = transfer.outcome(i) == Outcome.DONE;
            failed |= !written;
            unpinBelow(out.frame);
            count(transfer.outcome(i));
            boolean gone = settle(out, written);
            gonePages += gone ? 1 : 0;
            if (!gone) {
                pagerFrames.policy().onKept(out.frame);
            }
            end(out.client, gone ? Fate.GONE : written ? Fate.KEPT : Fate.FAILED);
        }
        storeFails = failed;
        if (!failed) {
            pager.onWrittenOut();
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
                    pager.onEvicted(out.frame);
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
