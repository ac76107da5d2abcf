package org.verbena.memory.swapping;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.PageRequest;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;

/** All pages of a memory, brought in and kept. Any thread. */
final class WiredPages implements PageRequest.Listener {
    /** Is told that all pages are there, or that one cannot be had and none is kept. Must not block. */
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
     * Nothing is kept yet.
     *
     * @throws IllegalStateException if consumers would pin too much
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
            // Whoever changes a page pins it for that himself: what is only kept stays clean.
            stage.acquire(page, Access.READ, this);
        }
        poke();
    }

    /** What waits for somebody to let go is tried again. */
    private void poke() {
        for (@Nullable Stage asked = stage; asked != null; asked = asked.below()) {
            asked.driver().poke();
        }
    }

    boolean isRefused() {
        return refused;
    }

    /** All pages are there or refused. */
    boolean hasEnded() {
        if (missing.get() > 0) {
            poke();
        }
        return missing.get() == 0;
    }

    /** The first page that is not there, for one who gives up. */
    long firstMissing() {
        int page = 0;
        while (page < pinned.length() - 1 && pinned.get(page) != AWAITED) {
            page++;
        }
        return page;
    }

    /** Pages that are not there yet. */
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

    /** Lets all go, and what comes later as it comes. Idempotent. */
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
        poke(); // somebody may wait for just these frames
    }
}
