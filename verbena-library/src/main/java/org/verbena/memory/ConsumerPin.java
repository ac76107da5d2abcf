package org.verbena.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.Waiter;

/** Pages of a range, pinned for a consumer that waits until they are there. Closed by any thread, once. */
final class ConsumerPin implements AutoCloseable, Waiter {
    private final Hypervisor hypervisor;
    private final Stage stage;
    private final long first;
    private final Thread waiting = Thread.currentThread();
    private final AtomicInteger missing;
    private final AtomicIntegerArray pinned;
    private volatile boolean lost;

    /**
     * Waits for the pages.
     *
     * @throws IllegalStateException if too much would be pinned, or a page is lost
     */
    ConsumerPin(Hypervisor hypervisor, Stage stage, long offset, long length, Access how) {
        this.hypervisor = hypervisor;
        this.stage = stage;
        this.first = PagedAccess.page(offset);
        int pages = Math.toIntExact(PagedAccess.page(offset + length - 1) + 1 - first);
        hypervisor.admitPins(pages);
        this.missing = new AtomicInteger(pages);
        this.pinned = new AtomicIntegerArray(pages);
        for (int i = 0; i < pages; i++) {
            stage.acquire(first + i, how, this);
        }
        stage.driver().poke();
        hypervisor.store().await(() -> missing.get() == 0);
        if (lost) {
            close();
            throw new IllegalStateException("a page of " + length + " bytes at offset " + offset
                    + " cannot be brought in: the page store has lost it");
        }
    }

    @Override
    public void onPinned(Stage pinnedStage, long page) {
        pinned.set((int) (page - first), 1);
        onPage();
    }

    @Override
    public void onRefused(Stage refusingStage, long page, Refusal reason) {
        lost = true;
        onPage();
    }

    private void onPage() {
        if (missing.decrementAndGet() == 0) {
            LockSupport.unpark(waiting);
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < pinned.length(); i++) {
            if (pinned.get(i) == 1) {
                stage.unpin(first + i);
            }
        }
        hypervisor.dismissPins(pinned.length());
    }
}
