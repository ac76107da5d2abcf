package org.verbena.memory.paging;

/** Of {@link TurnLimits#PAGES}, what is left of the turn. Inside the monitor. */
final class TurnAllowance {
    private int left = TurnLimits.PAGES;

    /** A new turn. */
    void renew() {
        left = TurnLimits.PAGES;
    }

    /** Pages that may still be looked at. */
    int left() {
        return Math.max(0, left);
    }

    /** Looks at a page; false if that has to wait for the next turn. */
    boolean trySpend() {
        return trySpend(1);
    }

    /** Looks at some pages, which cannot be parted; false if that has to wait. */
    boolean trySpend(int pages) {
        if (left <= 0) {
            return false;
        }
        left -= pages;
        return true;
    }
}
