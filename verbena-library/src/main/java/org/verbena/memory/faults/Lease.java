package org.verbena.memory.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.LeaseBudget;

/**
 * The part of the drivers' lease budgets that the pages of a fault take. It is taken before the first page is pinned and given back
 * after the last is unpinned, so that leases leave frames for page-ins.
 */
final class Lease {
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
    /** In the order of {@link Driver#order}, so that two leases never wait for each other: guests before the host. */
    private final List<Share> shares = new ArrayList<>(2);

    private final AtomicInteger state = new AtomicInteger(TAKING);

    /** @param landing whether the pages are the landing of a read */
    Lease(boolean landing) {
        this.landing = landing;
    }

    /** Adds one page of a driver. */
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

    /** Whether the lease has no pages. */
    boolean isEmpty() {
        return shares.isEmpty();
    }

    /** Whether the lease has more pages of a driver than twice its budget. Such a lease is never granted. */
    boolean isTooMuch() {
        for (Share share : shares) {
            if (share.pages > 2 * share.budget.capacity()) {
                return true;
            }
        }
        return false;
    }

    /** Takes the pages from the budgets, one driver after the other, then runs the command, unless the lease is over by then. */
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

    /** Ends the lease: gives the pages back to the budgets. */
    void giveBack() {
        if (!shares.isEmpty() && state.getAndSet(OVER) == TAKEN) {
            giveAll();
        }
    }

    private void giveAll() {
        shares.forEach(share -> share.budget.give(share.pages));
    }
}
