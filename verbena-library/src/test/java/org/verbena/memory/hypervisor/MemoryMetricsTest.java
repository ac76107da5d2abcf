package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.MetricRegistry;
import org.verbena.trace.MetricSnapshot;
import org.verbena.trace.PagingCounter;

final class MemoryMetricsTest {
    private final MetricRegistry registry = new MetricRegistry();
    private final Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN)
            .withStore(new SimulatedPageStore(new VirtualClock(), ServiceTime.NONE, new Seed(1)))
            .withMetrics("m", registry));

    @Test
    void theRegistryShowsWhatPagersAndTheStoreCount() {
        try (Arena arena = Arena.ofConfined();
                ManagedMemory memory = hypervisor.host().allocate(2 * HypervisorOptions.MEMORY_MIN)) {
            memory.write(0, arena.allocate(memory.length()).fill((byte) 1));
            MetricSnapshot host = registry.snapshot().with("memory", "m").with("domain", "0");
            long out = hypervisor.counters().value(PagingCounter.PAGES_OUT);
            assertTrue(out > 0, "twice machine memory does not stay in it");
            assertEquals(out, host.total("pager", "pages_out"));
            assertEquals(
                    out,
                    registry.snapshot().with("outcome", "done").total("store", "write_pages"),
                    "pages of the store");
            assertEquals(
                    hypervisor.storeStatistics().writes().values().count(),
                    registry.snapshot().total("store", "write_latency"));
            assertEquals(hypervisor.figures().framesFree(), host.total("pager", "frames_free"));
            assertEquals(hypervisor.figures().frames(), registry.snapshot().total("memory", "frames"));
        }
        hypervisor.close();
    }

    @Test
    void aGuestHasSeriesOfItsOwnUntilItIsClosed() {
        Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN));
        assertTrue(registry.snapshot().with("domain", "1").of("pager").totals().containsKey("pages_in"));
        guest.close();
        assertEquals(List.of(), registry.snapshot().with("domain", "1").series());
        assertFalse(registry.snapshot().with("domain", "0").series().isEmpty());
        hypervisor.close();
    }

    @Test
    void aClosedHypervisorIsNotInTheRegistry() {
        assertFalse(registry.snapshot().series().isEmpty());
        hypervisor.close();
        assertEquals(List.of(), registry.snapshot().series());
    }
}
