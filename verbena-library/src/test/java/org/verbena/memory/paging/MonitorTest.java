package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** The thread that does the work which no request waits for. */
final class MonitorTest {
    private final ArrayDeque<Runnable> lent = new ArrayDeque<>();
    private final Monitor monitor = new Monitor(_ -> turn(), lent::add);
    /** Turns until no work is left. */
    private int left;

    /** Happens once, during the next turn. */
    private Runnable meanwhile = () -> {};

    private Monitor.Rest turn() {
        left = Math.max(0, left - 1);
        Runnable now = meanwhile;
        meanwhile = () -> {};
        now.run();
        return left > 0 ? Monitor.Rest.LATER : Monitor.Rest.NOTHING;
    }

    @Test
    void anEngineLeavesItToTheNextThreadThatHasTime() {
        left = 10;
        monitor.wake();
        assertEquals(9, left);
        assertEquals(0, lent.size());
        monitor.run(() -> {});
        assertEquals(0, left);
        left = 10;
        monitor.wake();
        assertEquals(9, left);
        assertEquals(0, lent.size(), "no thread with time was turned away");
    }

    @Test
    void anEngineCallsAThreadIfOneWithTimeWasTurnedAway() {
        left = 10;
        meanwhile = () -> monitor.run(() -> {});
        monitor.wake();
        assertEquals(8, left);
        assertEquals(1, lent.size());
        lent.removeFirst().run();
        assertEquals(0, left);
        left = 10;
        monitor.wake();
        assertEquals(0, lent.size(), "a thread with time has been inside since");
    }

    @Test
    void noThreadIsCalledWhileATransferIsUnderWay() {
        left = 10;
        monitor.onTransferBegun();
        meanwhile = () -> monitor.run(() -> {});
        monitor.wake();
        assertEquals(8, left);
        assertEquals(0, lent.size(), "the end of the transfer brings a thread that has time");
        monitor.onTransferEnded(1, () -> {});
        assertEquals(0, left);
    }
}
