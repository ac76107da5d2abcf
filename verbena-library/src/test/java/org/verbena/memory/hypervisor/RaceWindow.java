package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.verbena.Verdict;

/** One binding of a window in a race, and what may be done under its key. */
final class RaceWindow {
    final RaceRegion region;
    final int key;
    /** Copies under way, from the first byte to the last. */
    private int copying;
    /** Its owner invalidates it, or has invalidated it. */
    boolean ending;
    /** Its owner has invalidated it: no copy is inside and none gets in. */
    boolean over;

    RaceWindow(RaceRegion region, int key) {
        this.region = region;
        this.key = key;
    }

    void beginCopy() {
        assertFalse(over, "a copy through a window that is not bound any more");
        copying++;
    }

    void endCopy() {
        copying--;
    }

    void onOver() {
        assertEquals(0, copying, "invalidated under a copy");
        over = true;
    }

    /**
     * @param wasOver whether it was invalidated before the access began
     * @param wasClosed whether its region was deregistered before the access began
     */
    void check(Verdict verdict, boolean wasOver, boolean wasClosed) {
        switch (verdict) {
            case GRANTED, NOT_RESIDENT, PAGE_LOST -> {
                assertFalse(wasOver, "granted after invalidation");
                assertFalse(wasClosed, "granted after the deregistration of the region");
            }
            case NO_ENTRY, WRONG_INSTANCE, INVALID -> assertTrue(ending, () -> verdict + " through a bound window");
            case REGION_INVALID ->
                assertTrue(region.io != null || region.isClosing(), "the region is valid and cannot be swapped out");
            case BACKING_CLOSED -> assertTrue(region.isClosing(), "the memory is open");
            default -> throw new AssertionError(verdict + " found, nothing of the kind expected");
        }
    }
}
