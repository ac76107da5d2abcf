package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** One who has time comes while one is inside who has none: what is left for later is done all the same. */
final class MonitorTest {
    private final ArrayDeque<Runnable> lent = new ArrayDeque<>();
    private final Monitor monitor = new Monitor(this::turn, lent::add);
    /** Turns until nothing is left. */
    private int left;

    private Runnable meanwhile = () -> {};

    private Monitor.Rest turn(boolean anew) {
        left = Math.max(0, left - 1);
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return left > 0 ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    @Test
    void whatNobodyWaitsForIsLeftToWhoeverComesByWithTime() {
        left = 10;
        monitor.wake();
        assertEquals(9, left);
        assertEquals(0, lent.size());
        monitor.run(() -> {});
        assertEquals(0, left);
        left = 10;
        monitor.wake();
        assertEquals(9, left);
        assertEquals(0, lent.size(), "the one with time has been and gone");
    }

    @Test
    void whoFindsItOccupiedHasAnotherCalled() {
        left = 10;
        meanwhile = () -> monitor.run(() -> {});
        monitor.wake();
        assertEquals(8, left);
        assertEquals(1, lent.size());
        lent.removeFirst().run();
        assertEquals(0, left);
        left = 10;
        monitor.wake();
        assertEquals(0, lent.size());
    }
}
