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

/** The pinned pages of a range. The constructor waits until they are there. Closed by any thread, once. */
final class ConsumerPin implements AutoCloseable, PageRequest.Listener {
    private static final int AWAITED = 0;
    private static final int PINNED = 1;
    /** Unpinned or refused. If the page is pinned after that, it is unpinned at once. */
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

    /** A pin that lasts until the consumer closes it. The number of such pins is limited. */
    static ConsumerPin lasting(DomainPaging domain, Stage stage, long offset, long length, LongFunction<Access> how) {
        return new ConsumerPin(domain, stage, offset, length, how, true);
    }

    /** A pin for one copy. */
    static ConsumerPin passing(DomainPaging domain, Stage stage, long offset, long length, LongFunction<Access> how) {
        return new ConsumerPin(domain, stage, offset, length, how, false);
    }

    /**
     * Waits for the pages.
     *
     * @throws PageTimeoutException if no page comes for the limit of waiting
     * @throws IllegalStateException if too many pages would be pinned, or a page is lost
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

    /** Waits as long as pages come. */
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

    /**
     * Whether all pages have an answer. If not, has the drivers retry: a pin may have been released, or the store may have
     * space again.
     */
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
