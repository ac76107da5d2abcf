package org.verbena.memory.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.LeaseBudget;

/**
 * The right to keep pages from eviction, at every stage they are translated by. Taken before the first page is pinned and given
 * back after the last, so that those who keep pages leave some to others, but for one who needs more than a budget: he is served
 * alone.
 */
final class LeaseGrant {
    private static final int TAKING = 0;
    private static final int TAKEN = 1;
    private static final int OVER = 2;

    /** Part of the budget of one driver. */
    private static final class Share {
        private final Driver driver;
        private final LeaseBudget budget;
        private int pages = 1;

        Share(Driver driver, LeaseBudget budget) {
            this.driver = driver;
            this.budget = budget;
        }
    }

    private final boolean landing;
    /** All in one order, or two could wait for each other; guests before the host, whom others wait for. */
    private final List<Share> shares = new ArrayList<>(2);

    private final AtomicInteger state = new AtomicInteger(TAKING);

    /** For pages where the answer to a read will land, or for others. */
    LeaseGrant(boolean landing) {
        this.landing = landing;
    }

    /** One page more of this driver's. */
    void add(Driver driver) {
        int index = 0;
        for (; index < shares.size(); index++) {
            Share share = shares.get(index);
            if (share.driver.equals(driver)) {
                share.pages++;
                return;
            }
            if (share.driver.order() < driver.order()) {
                break;
            }
        }
        shares.add(index, new Share(driver, landing ? driver.landing() : driver.transit()));
    }

    /** Whether nothing is asked for. */
    boolean isEmpty() {
        return shares.isEmpty();
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
