package org.verbena.memory.swapping;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.PageTimeoutException;
import org.verbena.memory.paging.Access;
import org.verbena.memory.paging.PageRequest;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.translation.PagedAccess;

/** Pages of a range, pinned for a consumer that waits until they are there. Closed by any thread, once. */
final class ConsumerPin implements AutoCloseable, PageRequest.Listener {
    private static final int AWAITED = 0;
    private static final int PINNED = 1;
    /** Let go, or not to be had; if it comes now, it is let go at once. */
    private static final int OVER = 2;

    private final DomainPaging domain;
    private final Stage stage;
    private final long first;
    private final boolean counted;
    private final Thread waiting = Thread.currentThread();
    private final AtomicInteger missing;
    private final AtomicIntegerArray states;
    private volatile @Nullable Refusal refusal;
    private volatile boolean closed;

    /** For as long as the consumer likes: how much of that there may be is bounded. */
    static ConsumerPin lasting(DomainPaging domain, Stage stage, long offset, long length, LongFunction<Access> how) {
        return new ConsumerPin(domain, stage, offset, length, how, true);
    }

    /** For the copy of a page. */
    static ConsumerPin passing(DomainPaging domain, Stage stage, long offset, long length, LongFunction<Access> how) {
        return new ConsumerPin(domain, stage, offset, length, how, false);
    }

    /**
     * Waits for the pages.
     *
     * @throws PageTimeoutException if for too long none came
     * @throws IllegalStateException if too much would be pinned, or a page is lost
     */
    private ConsumerPin(
            DomainPaging domain, Stage stage, long offset, long length, LongFunction<Access> how, boolean counted) {
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
        this.states = new AtomicIntegerArray(pages);
        for (int i = 0; i < pages; i++) {
            stage.acquire(first + i, how.apply(first + i), this);
        }
        poke();
        String what = length + " bytes at offset " + offset;
        if (!isOver()) {
            await(what);
        }
        Refusal refused = refusal;
        if (refused != null) {
            close();
            throw new IllegalStateException("a page of " + what + " cannot be brought in: " + reason(refused));
        }
    }

    /** However long, as long as pages come. */
    private void await(String what) {
        Hindrance hindrance = new Hindrance(domain, stage);
        do {
            int before = missing.get();
            if (!domain.await(() -> isOver() || missing.get() < before)) {
                int late = 0;
                while (late < states.length() - 1 && states.get(late) != AWAITED) {
                    late++;
                }
                close();
                throw hindrance.over(what, first + late);
            }
        } while (!isOver());
    }

    /** What waits for somebody to let go, or for room in the store, is tried again each time somebody looks. */
    private boolean isOver() {
        if (missing.get() > 0 && refusal == null) {
            poke();
        }
        return missing.get() == 0 || refusal != null;
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
        if (states.compareAndSet((int) (page - first), AWAITED, PINNED)) {
            onPage();
        } else {
            stage.unpin(page);
        }
    }

    @Override
    public void onRefused(Stage refusingStage, long page, Refusal reason) {
        if (states.compareAndSet((int) (page - first), AWAITED, OVER)) {
            refusal = reason;
            onPage();
        }
    }

    private void onPage() {
        if (missing.decrementAndGet() == 0 || refusal != null) {
            LockSupport.unpark(waiting);
        }
    }

    @Override
    public boolean isAbandoned() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        for (int i = 0; i < states.length(); i++) {
            if (states.getAndSet(i, OVER) == PINNED) {
                stage.unpin(first + i);
            }
        }
        if (counted) {
            domain.dismissPins(states.length());
        }
    }
}
