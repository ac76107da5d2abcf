package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

final class LeaseBudgetTest {
    private final PagingCounters counters = new PagingCounters();
    private final TurnAllowance allowance = new TurnAllowance();
    private final Monitor monitor = new Monitor(this::turn, Runnable::run);
    private final LeaseBudget budget = new LeaseBudget(monitor, counters);
    private final List<String> granted = new ArrayList<>();

    LeaseBudgetTest() {
        budget.capacity(10);
    }

    private Monitor.Rest turn(boolean retry) {
        allowance.renew();
        return budget.grant(allowance) ? Monitor.Rest.NOW : Monitor.Rest.NOTHING;
    }

    private void take(int pages, String name) {
        budget.take(pages, () -> granted.add(name));
    }

    @Test
    void applicationsAreServedInOrder() {
        take(6, "first");
        take(6, "second");
        take(1, "third");
        assertEquals(List.of("first"), granted, "the third would fit, but does not overtake");
        assertFalse(budget.tryTake(1), "nor does a call that does not wait");
        assertEquals(2, counters.value(PagingCounter.LEASE_WAITS));
        budget.give(6);
        assertEquals(List.of("first", "second", "third"), granted);
        assertEquals(7, budget.taken());
    }

    @Test
    void aLargeApplicationIsServedAlone() {
        take(1, "small");
        take(15, "large");
        assertEquals(List.of("small"), granted);
        budget.give(1);
        assertEquals(List.of("small", "large"), granted);
        take(1, "later");
        budget.give(4);
        assertEquals(List.of("small", "large"), granted, "more than the capacity is still taken");
        budget.give(11);
        assertEquals(List.of("small", "large", "later"), granted);
    }

    @Test
    void aSmallerCapacityTakesNothingBack() {
        assertTrue(budget.tryTake(8));
        budget.capacity(4);
        assertFalse(budget.tryTake(1));
        budget.give(8);
        assertTrue(budget.tryTake(4));
        assertFalse(budget.tryTake(1));
    }
}
