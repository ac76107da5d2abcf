package org.verbena.memory.paging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

final class DeferredRequestsTest {
    private final Arena arena = Arena.ofShared();
    private final SimulatedPageStore disk = new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1));
    private final Pager pager = new Pager(disk, new NumberedFrames(4), new ClockPolicy(4), null, 4);
    private final Stage stage = pager.open(8, arena.allocate(4L * Stage.PAGE, Stage.PAGE));
    private final DeferredRequests deferred = new DeferredRequests();
    private final TurnAllowance allowance = new TurnAllowance();
    private final List<Long> refused = new ArrayList<>();
    private final List<Long> retried = new ArrayList<>();

    @AfterEach
    void close() {
        disk.close();
        arena.close();
    }

    private void defer(long page) {
        deferred.add(new PageRequest(stage, page, Access.READ, new PageRequest.Listener() {
            @Override
            public void onPinned(Stage at, long pinned) {
                throw new AssertionError("page " + pinned + " was pinned");
            }

            @Override
            public void onRefused(Stage at, long refusedPage, Refusal reason) {
                refused.add(refusedPage);
            }
        }));
    }

    private boolean retry() {
        return deferred.retry(allowance, request -> {
            retried.add(request.page());
            deferred.add(request);
        });
    }

    @Test
    void aRequestIsRetriedOnceForEachPermission() {
        defer(1);
        defer(2);
        assertFalse(retry());
        assertEquals(List.of(), retried, "no retry is allowed yet");
        deferred.allowRetry();
        assertFalse(retry());
        assertEquals(List.of(1L, 2L), retried, "a request that is deferred again waits for the next permission");
    }

    @Test
    void aTurnWithoutAllowanceLeavesTheRest() {
        defer(1);
        defer(2);
        deferred.allowRetry();
        assertTrue(allowance.trySpend(TurnLimits.PAGES - 1));
        assertTrue(retry(), "one is left");
        assertEquals(List.of(1L), retried);
        allowance.renew();
        assertFalse(retry());
        assertEquals(List.of(1L, 2L), retried);
    }

    @Test
    void allAreRefusedTogether() {
        defer(1);
        defer(2);
        deferred.allowRetry();
        deferred.refuse(Refusal.CLOSED);
        assertEquals(List.of(1L, 2L), refused);
        assertFalse(retry());
        assertEquals(List.of(), retried);
    }
}
