package org.verbena.adapter.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.adapter.Engine;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.queue.RingMemory;
import org.verbena.time.Seed;
import org.verbena.time.TimerWheel;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;

/** A wait for pages, from the access that met the fault until the access is done. */
final class PageWaitTest {
    private static final int PAGE = 4096;
    private static final long STORE_NS = 100_000;

    private final VirtualClock clock = new VirtualClock(0);
    private final SimulatedPageStore store =
            new SimulatedPageStore(clock, new ServiceTime(STORE_NS, 0, 0), new Seed(5));
    private final Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
    private final ManagedMemory memory = hypervisor.host().allocate(2 * PAGE);
    private final ProtectionTable table = new ProtectionTable(16, new Seed(1));
    private final ProtectionDomain domain = table.createDomain();
    private final Region region = table.register(domain, memory, 0, EnumSet.allOf(Right.class));
    private final Accessor reader = Accessor.local(domain, 2, Right.LOCAL_READ);

    private final EngineParts parts = EngineParts.make(table, (_, _) -> {}, 0, () -> {});
    private final Engine engine = new Engine(parts, List.of(), RingMemory.LOCAL);
    private final List<Verdict> told = new ArrayList<>();
    private final PageWait wait = new PageWait(parts, told::add);

    PageWaitTest() {
        memory.write(0, MemorySegment.ofArray(new byte[2 * PAGE]));
    }

    @AfterEach
    void nothingIsLeft() {
        wait.release();
        assertFalse(wait.isOpen());
        assertEquals(0, parts.faults().open());
        assertEquals(0, parts.wheel().size());
        region.close();
        memory.close();
        hypervisor.close();
    }

    private void evict() {
        assertEquals(0, Eviction.evict(hypervisor, store, memory, 0, 1), "pinned pages");
    }

    /** An access to the first page meets a fault; whether it may be tried again at once. */
    private boolean fault() {
        assertEquals(Verdict.GRANTED, wait.prepare().add(reader, region.key(), 0, 8, 8, Fault.Intent.READ));
        return wait.start();
    }

    private void pass(long ns) {
        clock.advance(ns);
        store.work(clock.nowNs());
        engine.work(clock.nowNs());
    }

    private long counted(Counter counter) {
        return parts.counters().value(counter);
    }

    @Test
    void thePagesAreLeasedUntilTheAccessIsDone() {
        evict();
        assertFalse(fault());
        assertTrue(wait.isWaiting());
        assertEquals(1, parts.faults().open());
        pass(STORE_NS);
        assertEquals(List.of(Verdict.GRANTED), told);
        assertTrue(wait.isLeased());
        assertFalse(wait.isWaiting());
        assertEquals(1, Eviction.evict(hypervisor, store, memory, 0, 1), "the page is leased");
        wait.release();
        evict();
        assertEquals(1, counted(Counter.PAGE_LEASES));
    }

    @Test
    void theTimeThatThePagesTookIsRemembered() {
        evict();
        fault();
        pass(STORE_NS);
        assertEquals(STORE_NS, parts.faults().times().medianNs());
    }

    @Test
    void aLeaseEndsThoughTheAccessIsNotTriedAgain() {
        evict();
        fault();
        pass(STORE_NS);
        pass(Limits.PAGE_LEASE_NS - TimerWheel.TICK_NS);
        assertTrue(wait.isLeased());
        pass(2 * TimerWheel.TICK_NS);
        assertFalse(wait.isLeased());
        assertTrue(wait.isOpen());
        assertEquals(1, counted(Counter.PAGE_LEASES_EXPIRED));
        assertEquals(0, parts.faults().open());
        assertEquals(List.of(Verdict.GRANTED), told);
    }

    @Test
    void aFaultThatDoesNotEndIsGivenUpAtTheTimeLimit() {
        parts.faults().limitNs(10 * STORE_NS);
        evict();
        store.inject(StoreFaults.NONE.stallReadAt(1));
        fault();
        pass(9 * STORE_NS);
        assertEquals(List.of(), told);
        pass(2 * STORE_NS);
        assertEquals(List.of(Verdict.NOT_RESIDENT), told);
        assertFalse(wait.isOpen());
        assertEquals(1, counted(Counter.PAGE_FAULT_LIMITS));
        store.resume();
        pass(STORE_NS);
        assertEquals(1, told.size());
    }

    @Test
    void aLostPageIsReportedOnce() {
        evict();
        store.inject(StoreFaults.NONE.readErrorRate(1));
        fault();
        pass(STORE_NS);
        pass(STORE_NS);
        assertEquals(1, told.size());
        assertFalse(told.getFirst().granted());
        assertFalse(wait.isOpen());
    }

    /** The end of the fault is on its way to the engine's thread when the wait is released. */
    @Test
    void aReleasedWaitIsToldNothing() {
        evict();
        fault();
        clock.advance(STORE_NS);
        store.work(clock.nowNs());
        wait.release();
        pass(STORE_NS);
        pass(Limits.FAULT_NS);
        assertEquals(List.of(), told);
    }

    /** The first time the access is tried again at once; then another resource is short, and each pause is twice as long. */
    @Test
    void anAccessThatFailsThoughItsPagesAreResidentPauses() {
        assertTrue(fault());
        assertTrue(wait.isLeased());
        for (long pauseNs = Limits.FAULT_STALL_NS; pauseNs <= 4 * Limits.FAULT_STALL_NS; pauseNs *= 2) {
            told.clear();
            assertFalse(fault());
            assertTrue(wait.isWaiting());
            assertEquals(0, parts.faults().open());
            pass(pauseNs - TimerWheel.TICK_NS);
            assertEquals(List.of(), told);
            pass(2 * TimerWheel.TICK_NS);
            assertEquals(List.of(Verdict.GRANTED), told);
            assertFalse(wait.isLeased());
            assertTrue(wait.isOpen());
        }
    }

    @Test
    void anAccessThatIsDoneForgetsItsPauses() {
        assertTrue(fault());
        wait.release();
        assertTrue(fault());
    }

    @Test
    void theTimeLimitCountsFromTheFirstFaultOfAnAccess() {
        parts.faults().limitNs(5 * Limits.FAULT_STALL_NS);
        assertTrue(fault());
        for (int i = 0; i < 3; i++) {
            fault();
            pass(2 * Limits.FAULT_STALL_NS + TimerWheel.TICK_NS);
        }
        assertEquals(List.of(Verdict.GRANTED, Verdict.GRANTED, Verdict.NOT_RESIDENT), told);
    }

    @Test
    void aLeaseThatIsTakenBelongsToItsTaker() {
        assertNull(wait.take());
        evict();
        fault();
        assertNull(wait.take());
        pass(STORE_NS);
        Fault taken = wait.take();
        assertNotNull(taken);
        assertFalse(wait.isOpen());
        assertEquals(0, parts.faults().open());
        pass(2 * Limits.PAGE_LEASE_NS);
        assertEquals(1, Eviction.evict(hypervisor, store, memory, 0, 1), "the page is leased");
        taken.release();
        evict();
    }
}
