package org.verbena.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.Waiter;

/** Pages of a range, pinned for a consumer that waits until they are there. Closed by any thread, once. */
final class ConsumerPin implements AutoCloseable, Waiter {
    private final Domain domain;
    private final Stage stage;
    private final long first;
    private final boolean counted;
    private final Thread waiting = Thread.currentThread();
    private final AtomicInteger missing;
    private final AtomicIntegerArray pinned;
    private volatile @Nullable Refusal refusal;

    /** For as long as the consumer likes: how much of that there may be is bounded. */
    static ConsumerPin lasting(Domain domain, Stage stage, long offset, long length, LongFunction<Access> how) {
        return new ConsumerPin(domain, stage, offset, length, how, true);
    }

    /** For the copy of a page. */
    static ConsumerPin passing(Domain domain, Stage stage, long offset, long length, LongFunction<Access> how) {
        return new ConsumerPin(domain, stage, offset, length, how, false);
    }

    /**
     * Waits for the pages.
     *
     * @throws IllegalStateException if too much would be pinned, or a page is lost
     */
    private ConsumerPin(
            Domain domain, Stage stage, long offset, long length, LongFunction<Access> how, boolean counted) {
        this.domain = domain;
        this.stage = stage;
        this.counted = counted;
        this.first = PagedAccess.page(offset);
        long wanted = PagedAccess.page(offset + length - 1) + 1 - first;
        if (counted) {
            domain.admitPins(wanted);
        }
        int pages = Math.toIntExact(wanted);
        this.missing = new AtomicInteger(pages);
        this.pinned = new AtomicIntegerArray(pages);
        for (int i = 0; i < pages; i++) {
            stage.acquire(first + i, how.apply(first + i), this);
        }
        poke();
        domain.await(stage, this::isOver);
        Refusal refused = refusal;
        if (refused != null) {
            close();
            throw new IllegalStateException(
                    "a page of " + length + " bytes at offset " + offset + " cannot be brought in: " + reason(refused));
        }
    }

    /** What waits for somebody to let go, or for room in the store, is tried again each time somebody looks. */
    private boolean isOver() {
        if (missing.get() > 0) {
            poke();
        }
        return missing.get() == 0;
    }

    private void poke() {
        for (@Nullable Stage asked = stage; asked != null; asked = asked.below()) {
            asked.driver().poke();
        }
    }

    private static String reason(Refusal refused) {
        return switch (refused) {
            case LOST -> "the page store has lost it";
            case NO_SUCH_PAGE -> "the guest's driver knows no such page";
            case CLOSED -> "the memory is closed";
        };
    }

    @Override
    public void onPinned(Stage pinnedStage, long page) {
        pinned.set((int) (page - first), 1);
        onPage();
    }

    @Override
    public void onRefused(Stage refusingStage, long page, Refusal reason) {
        refusal = reason;
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
        if (counted) {
            domain.dismissPins(pinned.length());
        }
    }
}
