package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.QueuePairState;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.PagedWorld;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.store.StoreFaults;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Page faults of a peer with 1 … 6 RNR retries: it survives as slow a store as its retries allow. The peer is ours. As a plain one it hears no
 * invitation, and waits its times out.
 */
@OverSwitches
final class FewRetriesFlowTest {
    private static final int PAGE = PagedWorld.PAGE;
    private static final long MS = 1_000_000;
    private static final long LONGEST_NS = RnrTimer.US_655360.nanoseconds();
    private static final SimulatedWire WIRE = new SimulatedWire(5_000, 12_500_000_000L, 1024);
    private static final ConnectionOptions HOW = ConnectionOptions.DEFAULT.withRetries(7, Duration.ofMillis(20));
    private static final long[] STORES_NS = {
        100_000, 500_000, 2 * MS, 6 * MS, 20 * MS, 50 * MS, 100 * MS, 200 * MS, 350 * MS, 500 * MS
    };

    private static PagedWorld world(long storeNs, boolean plain) {
        return world(storeNs, plain, AdapterOptions.DEFAULT.faultLimit());
    }

    private static PagedWorld world(long storeNs, boolean plain, Duration faultLimit) {
        var sizes = new PagedWorld.Sizes(1 << 20, 1 << 20, storeNs);
        PagedWorld world = new PagedWorld(sizes, WIRE, 3, made -> made.withFaultLimit(faultLimit));
        if (plain) {
            world.mischief().deafen();
        }
        world.client.fill(0, PAGE, 3);
        world.server.fill(0, 8 * PAGE, 9);
        return world;
    }

    private static ConnectionOptions with(int retries) {
        return HOW.withRnr(retries, RnrTimer.US_640);
    }

    private static void write(PagedWorld world, QueuePair from, long target, int length) {
        assertTrue(from.post(new WorkRequest.Write(
                target,
                Payload.of(world.client.segment(0, length)),
                world.server.remote(target),
                SendOptions.SIGNALLED)));
    }

    private static Completion next(PagedWorld world) {
        List<Completion> all = new ArrayList<>();
        world.runUntil(
                () -> {
                    all.addAll(world.client.drain());
                    return !all.isEmpty();
                },
                20_000 * MS);
        assertEquals(1, all.size());
        return all.getFirst();
    }

    /** A write to a page that is in the store; how long it took. */
    private static long coldWrite(PagedWorld world, QueuePair from, int page) {
        world.server.evict(page, 1);
        long startNs = world.clock.nowNs();
        write(world, from, (long) page * PAGE + 8, 16);
        Completion done = next(world);
        assertEquals(Status.SUCCESS, done.status());
        assertArrayEquals(world.client.bytesAt(0, 16), world.server.bytesAt((long) page * PAGE + 8, 16));
        return world.clock.nowNs() - startNs;
    }

    private static void survives(int retries, boolean plain) {
        for (long storeNs : STORES_NS) {
            try (PagedWorld world = world(storeNs, plain)) {
                QueuePair client = world.connect(with(retries)).getFirst();
                for (int fault = 0; fault < 5; fault++) {
                    long before = world.server.counted(Counter.SENT_FAULT_RNR_NAKS);
                    coldWrite(world, client, fault);
                    long naks = world.server.counted(Counter.SENT_FAULT_RNR_NAKS) - before;
                    assertTrue(naks >= 1 && naks <= retries, () -> storeNs + " ns: " + naks + " NAKs");
                }
                assertEquals(plain ? 0 : 5, world.client.counted(Counter.RESUMED_BY_ACK), () -> storeNs + " ns");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aPlainPeerSurvivesASlowStore(int retries) {
        survives(retries, true);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aPeerThatComesWhenInvitedSurvivesASlowStore(int retries) {
        survives(retries, false);
    }

    /** A store that was quick, and is slow from one moment to the next. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void aPlainPeerSurvivesAStoreThatBecomesSlow(int retries) {
        for (long storeNs : STORES_NS) {
            try (PagedWorld world = world(100_000, true)) {
                QueuePair client = world.connect(with(retries)).getFirst();
                for (int fault = 0; fault < 6; fault++) {
                    coldWrite(world, client, fault);
                }
                for (int fault = 6; fault < 8; fault++) {
                    world.server.evict(fault, 1);
                    world.server.store.inject(StoreFaults.NONE.stallReadAt(1));
                    write(world, client, (long) fault * PAGE, 16);
                    world.pass(storeNs);
                    world.server.store.resume();
                    assertEquals(Status.SUCCESS, next(world).status(), () -> storeNs + " ns");
                }
            }
        }
    }

    /** The boundary of a peer of which nothing is known, at the first fault: the longest time. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void theFirstFaultMayTakeAsLongAsTheLongestTime(int retries) {
        try (PagedWorld world = world(655 * MS, true)) {
            coldWrite(world, world.connect(with(retries)).getFirst(), 0);
        }
    }

    @Test
    void onlyOneRetryEndsWithTheLongestTime() {
        try (PagedWorld world = world(LONGEST_NS + MS, true)) {
            failsAtTheBoundary(world, 1);
        }
    }

    private static void failsAtTheBoundary(PagedWorld world, int retries) {
        List<QueuePair> ends = world.connect(with(retries));
        world.server.evict(0, 1);
        long startNs = world.clock.nowNs();
        write(world, ends.getFirst(), 8, 16);
        assertEquals(Status.RNR_RETRY_EXCEEDED, next(world).status());
        assertEquals(QueuePairState.ERROR, ends.getFirst().state());
        assertEquals(QueuePairState.READY_TO_SEND, ends.getLast().state(), "it does not know");
        assertTrue(world.clock.nowNs() - startNs >= retries * LONGEST_NS, "all retries were used as long as can be");
        world.pass(10 * MS + world.server.store.nextDeadlineNs() - world.clock.nowNs());
    }

    /** Faults that took long are expected again: then all retries together count, up to six times the longest time. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6})
    void allRetriesTogetherCoverFaultsThatAreKnownToTakeLong(int retries) {
        try (PagedWorld world = world(retries * LONGEST_NS - MS, true)) {
            teach(world);
            long tookNs = coldWrite(world, world.connect(with(retries)).getFirst(), 0);
            assertTrue(tookNs <= retries * LONGEST_NS + MS, () -> "took " + tookNs);
        }
        try (PagedWorld world = world(retries * LONGEST_NS + MS, true)) {
            teach(world);
            failsAtTheBoundary(world, retries);
        }
    }

    /** A peer that retries for ever has such a fault. */
    private static void teach(PagedWorld world) {
        coldWrite(world, world.connect(with(7)).getFirst(), 1);
    }

    /** A peer with several retries does not pay for the last: its first time follows the faults. */
    @Test
    void usualFaultsDoNotCostTheLongTimes() {
        for (int retries = 2; retries <= 6; retries++) {
            try (PagedWorld world = world(20 * MS, true)) {
                QueuePair client = world.connect(with(retries)).getFirst();
                coldWrite(world, client, 0);
                long before = world.server.counted(Counter.SENT_FAULT_RNR_NAKS);
                for (int fault = 1; fault < 5; fault++) {
                    long tookNs = coldWrite(world, client, fault);
                    long mostNs = retries == 2 ? 41 * MS : 31 * MS;
                    assertTrue(tookNs <= mostNs, tookNs + " ns with " + retries + " retries");
                }
                assertEquals(4, world.server.counted(Counter.SENT_FAULT_RNR_NAKS) - before, "one for each fault");
            }
        }
    }

    /** A peer that retries for ever is told short times, whatever the store. */
    @Test
    void endlessRetriesAreToldShortTimes() {
        try (PagedWorld world = world(100 * MS, true)) {
            QueuePair client = world.connect(with(7)).getFirst();
            for (int fault = 0; fault < 4; fault++) {
                long tookNs = coldWrite(world, client, fault);
                assertTrue(tookNs < 109 * MS, () -> "took " + tookNs);
            }
            assertTrue(world.server.counted(Counter.SENT_FAULT_RNR_NAKS) > 4 * 8);
        }
    }

    /** The last retry lasts no longer than a fault may. */
    @Test
    void aShortFaultLimitMakesTheWaitsShort() {
        Duration limit = Duration.ofMillis(42);
        for (int retries = 1; retries <= 6; retries++) {
            try (PagedWorld world = world(41 * MS, true, limit)) {
                long tookNs = coldWrite(world, world.connect(with(retries)).getFirst(), 0);
                // With two retries 2.56 ms, then 40.96 ms, which is enough for the rest.
                long mostNs = retries == 2 ? 44 * MS : 2 * 61_440_000;
                assertTrue(tookNs < mostNs, tookNs + " ns with " + retries + " retries");
            }
            try (PagedWorld world = world(43 * MS, true, limit)) {
                List<QueuePair> ends = world.connect(with(retries));
                world.server.evict(0, 1);
                long startNs = world.clock.nowNs();
                write(world, ends.getFirst(), 8, 16);
                assertEquals(Status.REMOTE_OPERATIONAL_ERROR, next(world).status());
                assertTrue(world.clock.nowNs() - startNs < 43 * MS, "the peer is told when the limit is reached");
                assertEquals(QueuePairState.ERROR, ends.getFirst().state());
                assertEquals(QueuePairState.ERROR, ends.getLast().state());
                assertEquals(1, world.server.counted(Counter.PAGE_FAULT_LIMITS));
                world.pass(10 * MS);
            }
        }
    }

    /** The only retry ends long after the page is present: nothing evicts the page until then. */
    @Test
    void thePageIsKeptUntilThePeerComes() {
        try (PagedWorld world = world(MS, true)) {
            QueuePair client = world.connect(with(1)).getFirst();
            world.server.evict(0, 1);
            write(world, client, 8, 16);
            world.pass(600 * MS);
            assertEquals(0, world.client.drain().size());
            var side = world.server;
            assertEquals(1, Eviction.evict(side.hypervisor, side.store, side.memory, 0, 1), "pages that stay");
            assertEquals(Status.SUCCESS, next(world).status());
            assertEquals(1, world.server.counted(Counter.SENT_FAULT_RNR_NAKS));
            assertEquals(0, world.server.counted(Counter.PAGE_LEASES_EXPIRED));
        }
    }

    /** A message that waited for a receive has used retries when it meets the fault of the receive's page. */
    @Test
    void aRefusalForWantOfAReceiveIsCounted() {
        try (PagedWorld world = world(100 * MS, true)) {
            List<QueuePair> ends = world.connect(with(2));
            world.server.evict(0, 1);
            assertTrue(
                    ends.getFirst().post(new WorkRequest.Send(1, Payload.inline(new byte[8]), SendOptions.SIGNALLED)));
            world.pass(MS / 2);
            assertEquals(1, world.server.counted(Counter.SENT_RNR_NAKS));
            assertTrue(ends.getLast().post(new WorkRequest.Receive(2, world.server.segment(0, 64))));
            assertEquals(Status.SUCCESS, next(world).status());
            assertEquals(1, world.server.counted(Counter.SENT_FAULT_RNR_NAKS), "the last retry, so a long time");
        }
    }

    /** Sends and atomics wait as writes do. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void sendsAndAtomicsSurviveToo(int retries) {
        try (PagedWorld world = world(300 * MS, true)) {
            List<QueuePair> ends = world.connect(with(retries));
            world.server.evict(0, 2);
            assertTrue(ends.getLast().post(new WorkRequest.Receive(2, world.server.segment(0, 64))));
            assertTrue(
                    ends.getFirst().post(new WorkRequest.Send(1, Payload.inline(new byte[8]), SendOptions.SIGNALLED)));
            assertEquals(Status.SUCCESS, next(world).status());
            assertTrue(ends.getFirst()
                    .post(new WorkRequest.FetchAdd(
                            3, world.client.segment(64, 8), world.server.remote(PAGE), 1, SendOptions.SIGNALLED)));
            assertEquals(Status.SUCCESS, next(world).status());
            assertEquals(1, world.server.counted(Counter.SEND_PAGE_FAULTS));
            assertEquals(1, world.server.counted(Counter.ATOMIC_PAGE_FAULTS));
        }
    }

    /** The peer's retries need not be those of this end. */
    @Test
    void thePeersRetriesAreThoseThatTheOptionsSay() {
        try (PagedWorld world = world(300 * MS, true)) {
            QueuePair client = world.client.queuePair();
            QueuePair server = world.server.queuePair();
            client.connect(server.address(), with(1));
            server.connect(client.address(), with(7).withPeerRnrRetries(1));
            coldWrite(world, client, 0);
        }
        try (PagedWorld world = world(300 * MS, true)) {
            QueuePair client = world.client.queuePair();
            QueuePair server = world.server.queuePair();
            client.connect(server.address(), with(1));
            server.connect(client.address(), with(1).withPeerRnrRetries(7));
            world.server.evict(0, 1);
            write(world, client, 8, 16);
            assertEquals(Status.RNR_RETRY_EXCEEDED, next(world).status(), "its retries were not known");
            world.pass(400 * MS);
        }
    }
}
