package org.verbena.memory.paging;

/** Counts down {@link TurnLimits#PAGES}, the pages that one turn looks at. Used inside a monitor. */
final class TurnAllowance {
    private int left = TurnLimits.PAGES;

    /** Begins a new turn. */
    void renew() {
        left = TurnLimits.PAGES;
    }

    /** Spends one page; false if the work has to wait for the next turn. */
    boolean trySpend() {
        return trySpend(1);
    }

    /** Spends some pages that are looked at together, even if fewer are left; false if none are left. */
    boolean trySpend(int pages) {
        if (left <= 0) {
            return false;
        }
        left -= pages;
        return true;
    }
}
