package org.verbena.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Budget;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.Stage;

/**
 * The right to keep pages from eviction, at every stage they are translated by. Taken before the first page is pinned and given
 * back after the last, so that those who keep pages can never between them keep all.
 */
final class LeaseGrant {
    static final LeaseGrant NONE = new LeaseGrant(List.of());

    private static final int TAKING = 0;
    private static final int TAKEN = 1;
    private static final int OVER = 2;

    /** Part of one budget. */
    private record Share(Budget budget, int pages) {}

    private final List<Share> shares;
    private final AtomicInteger state = new AtomicInteger(TAKING);

    private LeaseGrant(List<Share> shares) {
        this.shares = shares;
    }

    /** For one page of each stage in a list, at those of its drivers that are meant. */
    static LeaseGrant of(List<Stage> stages, boolean landing, Predicate<Driver> meant) {
        // All in one order, or two could wait for each other; guests before the host, whom others wait for.
        Map<Driver, Integer> pages =
                new TreeMap<>(Comparator.comparingLong(Driver::order).reversed());
        for (Stage top : stages) {
            for (@Nullable Stage stage = top; stage != null; stage = stage.below()) {
                if (meant.test(stage.driver())) {
                    pages.merge(stage.driver(), 1, Integer::sum);
                }
            }
        }
        List<Share> shares = new ArrayList<>(pages.size());
        pages.forEach((driver, count) -> shares.add(new Share(landing ? driver.landing() : driver.transit(), count)));
        return new LeaseGrant(shares);
    }

    /** Whether it is more than could ever be kept: half of the frames. */
    boolean isTooMuch() {
        for (Share share : shares) {
            if (share.pages > 2 * share.budget.capacity()) {
                return true;
            }
        }
        return false;
    }

    /** Takes it, waiting for others if need be without keeping the thread; then runs the command, unless given back before. */
    void take(Runnable granted) {
        take(0, granted);
    }

    private void take(int index, Runnable granted) {
        if (index < shares.size()) {
            Share share = shares.get(index);
            share.budget.take(share.pages, () -> take(index + 1, granted));
        } else if (state.compareAndSet(TAKING, TAKEN)) {
            granted.run();
        } else {
            giveAll();
        }
    }

    void giveBack() {
        if (!shares.isEmpty() && state.getAndSet(OVER) == TAKEN) {
            giveAll();
        }
    }

    private void giveAll() {
        shares.forEach(share -> share.budget.give(share.pages));
    }
}
