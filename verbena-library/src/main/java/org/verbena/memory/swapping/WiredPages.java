package org.verbena.memory.swapping;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.PageRequest;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;

/** All pages of a memory, brought in and pinned. Any thread. */
final class WiredPages implements PageRequest.Listener {
    /** Gets the result: all pages are pinned, or one cannot be had and none is pinned. Must not block. */
    @FunctionalInterface
    interface Listener {
        void onEnd(WiredPages pages, boolean all);
    }

    private final DomainPaging domain;
    private final Stage stage;
    private final Listener listener;
    private final AtomicIntegerArray pinned;
    private final AtomicLong missing;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile boolean refused;

    private static final int AWAITED = 0;
    private static final int PINNED = 1;
    private static final int OVER = 2;

    /**
     * Pins nothing yet.
     *
     * @throws IllegalStateException if too many pages would be pinned by consumers
     */
    WiredPages(DomainPaging domain, Stage stage, Listener listener) {
        int pages = Math.toIntExact(stage.table().pages());
        domain.admitPins(pages);
        this.domain = domain;
        this.stage = stage;
        this.listener = listener;
        this.pinned = new AtomicIntegerArray(pages);
        this.missing = new AtomicLong(pages);
    }

    void acquire() {
        for (int page = 0; page < pinned.length(); page++) {
            // An access that changes a page pins it for that: a page that is only kept stays clean.
            stage.acquire(page, Access.READ, this);
        }
        poke();
    }

    /** Has the drivers retry. */
    private void poke() {
        for (@Nullable Stage asked = stage; asked != null; asked = asked.below()) {
            asked.driver().poke();
        }
    }

    boolean isRefused() {
        return refused;
    }

    /** Whether all pages are pinned or refused. */
    boolean hasEnded() {
        if (missing.get() > 0) {
            poke();
        }
        return missing.get() == 0;
    }

    /** The first page that has no answer. */
    long firstMissing() {
        int page = 0;
        while (page < pinned.length() - 1 && pinned.get(page) != AWAITED) {
            page++;
        }
        return page;
    }

    /** Number of pages that have no answer. */
    long missing() {
        return missing.get();
    }

    @Override
    public void onPinned(Stage pinnedStage, long page) {
        if (!pinned.compareAndSet((int) page, AWAITED, PINNED)) {
            stage.unpin(page);
        }
        onPage();
    }

    @Override
    public boolean isAbandoned() {
        return released.get();
    }

    @Override
    public void onRefused(Stage refusingStage, long page, Refusal reason) {
        refused = true;
        onPage();
    }

    private void onPage() {
        if (missing.decrementAndGet() == 0) {
            if (refused) {
                release();
            }
            listener.onEnd(this, !refused);
        }
    }

    /** Unpins all pages; a page that is pinned later is unpinned at once. Idempotent. */
    void release() {
        if (!released.compareAndSet(false, true)) {
            return;
        }
        for (int page = 0; page < pinned.length(); page++) {
            if (pinned.getAndSet(page, OVER) == PINNED) {
                stage.unpin(page);
            }
        }
        domain.dismissPins(pinned.length());
        poke(); // a request may wait for these frames
    }
}
