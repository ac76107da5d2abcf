package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Mtu;
import org.verbena.RnrTimer;
import org.verbena.Status;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.PagedWorld;
import org.verbena.exchange.Wires;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.store.StoreFaults;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Two adapters of ours, page faults at either side, over a wire with delay: the time and the packets of each flow. */
@OverSwitches
final class FaultFlowTest {
    private static final int PAGE = PagedWorld.PAGE;
    private static final SimulatedWire WIRE = new SimulatedWire(5_000, 12_500_000_000L, 1024);
    /** A round trip, with the time of the engines' turns. */
    private static final long ROUND_TRIP_NS = 2 * WIRE.latencyNs() + 2_000;

    private static final long STORE_NS = 80_000;
    private static final ConnectionOptions HOW = ConnectionOptions.DEFAULT
            .withMtu(Mtu.MTU_4096)
            .withRetries(7, Duration.ofMillis(20))
            .withRnr(7, RnrTimer.US_640)
            .withReads(16, 16);

    private static PagedWorld world(long machineMiB, long memoryMiB, long serviceNs) {
        return new PagedWorld(
                new PagedWorld.Sizes(machineMiB << 20, memoryMiB << 20, serviceNs), WIRE, LinkFaults.NONE, 3);
    }

    private static void write(QueuePair from, long id, LocalSegment data, PagedWorld world, long target) {
        assertTrue(from.post(
                new WorkRequest.Write(id, Payload.of(data), world.server.remote(target), SendOptions.SIGNALLED)));
    }

    private static void read(QueuePair from, long id, LocalSegment into, PagedWorld world, long source) {
        assertTrue(
                from.post(new WorkRequest.Read(id, List.of(into), world.server.remote(source), SendOptions.SIGNALLED)));
    }

    /** Time until this number of the client's requests has completed with success. */
    private static long complete(PagedWorld world, int count) {
        List<Completion> all = new ArrayList<>();
        long tookNs = world.runUntil(
                () -> {
                    all.addAll(world.client.drain());
                    return all.size() >= count;
                },
                10_000_000_000L);
        all.forEach(c -> assertEquals(Status.SUCCESS, c.status(), c::toString));
        return tookNs;
    }

    private static void noTimeouts(PagedWorld world) {
        for (PagedWorld.Side side : List.of(world.client, world.server)) {
            assertEquals(0, side.counted(Counter.ACK_TIMEOUTS));
            assertEquals(0, side.counted(Counter.RESUMED_BY_ACK_TIMEOUT));
            assertEquals(0, side.counted(Counter.RESUMED_BY_PROBE));
        }
    }

    @Test
    void aColdWriteTakesTheStoresTimeAndTwoRoundTrips() {
        try (PagedWorld world = world(1, 1, STORE_NS)) {
            QueuePair client = world.connect(HOW).getFirst();
            byte[] data = world.client.fill(0, 100, 3);
            world.server.fill(0, PAGE, 9);
            for (int i = 1; i <= 5; i++) {
                world.server.evict(0, 1);
                write(client, i, world.client.segment(0, 100), world, 10);
                long tookNs = complete(world, 1);
                assertTrue(tookNs <= STORE_NS + 2 * ROUND_TRIP_NS, i + ": " + tookNs);
                assertArrayEquals(data, world.server.bytesAt(10, 100));
                assertEquals(i, world.server.counted(Counter.SENT_FAULT_RNR_NAKS));
                assertEquals(i, world.client.counted(Counter.RESUMED_BY_ACK));
            }
            assertEquals(0, world.client.counted(Counter.RESUMED_BY_TIMER));
            noTimeouts(world);
        }
    }

    /** Packet damming: a read of a cold page, and at once one of a warm page. */
    @Test
    void aReadBehindAColdOneIsNotDammed() {
        for (long storeNs : new long[] {10_000, STORE_NS, 3_000_000}) {
            try (PagedWorld world = world(1, 1, storeNs)) {
                QueuePair client = world.connect(HOW).getFirst();
                world.client.fill(0, 2 * PAGE, 1);
                byte[] data = world.server.fill(0, 2 * PAGE, 9);
                world.server.evict(0, 1);
                read(client, 1, world.client.segment(0, 64), world, 0);
                read(client, 2, world.client.segment(64, 64), world, PAGE);
                long tookNs = complete(world, 2);
                assertTrue(tookNs <= storeNs + 3 * ROUND_TRIP_NS, storeNs + ": " + tookNs);
                assertEquals(data[5], world.client.bytesAt(5, 1)[0]);
                assertEquals(data[PAGE + 5], world.client.bytesAt(69, 1)[0]);
                noTimeouts(world);
            }
        }
    }

    /** Makes round trips known, so that a probe is due in less time than the store takes. */
    private static void measureRoundTrips(PagedWorld world, QueuePair client) {
        for (int i = 0; i < 32; i++) {
            write(client, i, world.client.segment(0, 64), world, 0);
            complete(world, 1);
        }
    }

    /** Packet damming on a connection whose round trips are known, at a slow store: of a read, and of a write. */
    @Test
    void aWarmedConnectionIsNotDammedEither() {
        long storeNs = 10_000_000;
        for (boolean reads : new boolean[] {true, false}) {
            try (PagedWorld world = world(1, 1, storeNs)) {
                QueuePair client = world.connect(HOW).getFirst();
                world.client.fill(0, 2 * PAGE, 1);
                world.server.fill(0, 2 * PAGE, 9);
                measureRoundTrips(world, client);
                for (int i = 0; i < 5; i++) {
                    world.server.evict(0, 1);
                    if (reads) {
                        read(client, 1, world.client.segment(0, 64), world, 0);
                        read(client, 2, world.client.segment(64, 64), world, PAGE);
                    } else {
                        write(client, 1, world.client.segment(0, 64), world, 0);
                        write(client, 2, world.client.segment(64, 64), world, PAGE);
                    }
                    long tookNs = complete(world, 2);
                    assertTrue(tookNs <= storeNs + 3 * ROUND_TRIP_NS, i + ": " + tookNs);
                }
                noTimeouts(world);
                if (!reads) {
                    assertEquals(0, world.client.counted(Counter.PROBES));
                }
            }
        }
    }

    /** Packet flood: many queue pairs whose reads have missing landings. */
    @Test
    void coldLandingsCauseNoTrafficOfTheirOwn() {
        int pairs = 128;
        int length = 60_000;
        int stride = 64 << 10;
        try (PagedWorld world = world(4, 16, STORE_NS)) {
            List<QueuePair> clients = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                clients.add(world.connect(HOW).getFirst());
            }
            byte[] data = world.server.fill(0, length, 7);
            for (int i = 0; i < pairs; i++) {
                world.client.fill((long) i * stride, stride, i);
            }
            world.client.evict(0, (long) pairs * stride / PAGE);
            long before = world.client.counted(Counter.SENT_BYTES) + world.server.counted(Counter.SENT_BYTES);
            for (int i = 0; i < pairs; i++) {
                read(clients.get(i), i, world.client.segment((long) i * stride + 100, length), world, 0);
            }
            complete(world, pairs);
            long bytes = world.client.counted(Counter.SENT_BYTES) + world.server.counted(Counter.SENT_BYTES) - before;
            long useful = (long) pairs * length;
            assertTrue(bytes <= useful * 11 / 10, bytes + " bytes for " + useful);
            for (int i = 0; i < pairs; i++) {
                assertArrayEquals(data, world.client.bytesAt((long) i * stride + 100, length), "pair " + i);
            }
            assertEquals(0, world.client.counted(Counter.DROPPED_PAGE_FAULT));
            noTimeouts(world);
        }
    }

    /** While the first answer waits for its page at the peer, the landings of the other answers keep their pages. */
    @Test
    void landingsAreKeptWhileThePeerWaitsForAPage() {
        int reads = 16;
        int length = 12_000;
        int stride = 16 << 10;
        try (PagedWorld world = world(1, 4, 10_000_000)) {
            QueuePair client = world.connect(HOW).getFirst();
            world.client.fill(1 << 20, 3 << 20, 2);
            world.client.fill(0, reads * stride, 1);
            measureRoundTrips(world, client);
            byte[] data = world.server.fill(0, reads * stride, 7);
            world.server.evict(0, 1);
            long before = world.client.counted(Counter.SENT_BYTES) + world.server.counted(Counter.SENT_BYTES);
            for (int i = 0; i < reads; i++) {
                read(client, i, world.client.segment((long) i * stride, length), world, (long) i * stride + 1);
            }
            world.pass(5_000_000);
            assertTrue(world.client.counted(Counter.PROBES) > 0);
            var side = world.client;
            long kept = Eviction.evict(side.hypervisor, side.store, side.memory, 0, reads * stride / PAGE);
            assertEquals(3L * reads, kept, "pages that stay though frames are needed");
            long tookNs = complete(world, reads);
            assertTrue(tookNs <= 5_000_000 + 5 * ROUND_TRIP_NS, () -> "took " + tookNs);
            long bytes = world.client.counted(Counter.SENT_BYTES) + world.server.counted(Counter.SENT_BYTES) - before;
            long useful = (long) reads * length;
            for (int i = 0; i < reads; i++) {
                byte[] expected = Arrays.copyOfRange(data, i * stride + 1, i * stride + 1 + length);
                assertArrayEquals(expected, world.client.bytesAt((long) i * stride, length), "read " + i);
            }
            assertEquals(0, world.client.counted(Counter.DROPPED_PAGE_FAULT));
            assertTrue(bytes <= useful * 11 / 10, bytes + " bytes for " + useful);
            noTimeouts(world);
        }
    }

    @Test
    void aLargeColdWriteIsRefusedOnce() {
        try (PagedWorld world = world(16, 6, STORE_NS)) {
            QueuePair client = world.connect(HOW).getFirst();
            int length = 4 << 20;
            byte[] data = world.client.fill(0, length, 3);
            world.server.fill(0, 5 << 20, 9);
            world.server.evict(0, (5 << 20) / PAGE);
            write(client, 1, world.client.segment(0, length), world, 100);
            complete(world, 1);
            assertEquals(1, world.server.counted(Counter.SENT_FAULT_RNR_NAKS));
            assertArrayEquals(data, world.server.bytesAt(100, length));
            noTimeouts(world);
        }
    }

    @Test
    void aStormOfFaultsCostsAtMostTwoRefusalsEachAndNoTimeout() {
        int pairs = 64;
        try (PagedWorld world = world(4, 4, STORE_NS)) {
            List<QueuePair> clients = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                clients.add(world.connect(HOW).getFirst());
            }
            world.client.fill(0, PAGE, 3);
            world.server.fill(0, pairs * PAGE, 9);
            for (int round = 0; round < 10; round++) {
                world.server.evict(0, pairs);
                for (int i = 0; i < pairs; i++) {
                    write(clients.get(i), i, world.client.segment(i, 8), world, (long) i * PAGE + 8);
                }
                complete(world, pairs);
            }
            long faults = world.server.counted(Counter.WRITE_PAGE_FAULTS);
            long refusals = world.server.counted(Counter.SENT_FAULT_RNR_NAKS);
            assertEquals(640, faults);
            assertTrue(refusals <= 2 * faults, refusals + " refusals for " + faults + " faults");
            noTimeouts(world);
        }
    }

    @Test
    void anErrorOfTheStoreHitsTheOneThatWaits() {
        try (PagedWorld world = world(1, 1, STORE_NS)) {
            QueuePair victim = world.connect(HOW).getFirst();
            QueuePair other = world.connect(HOW).getFirst();
            world.client.fill(0, PAGE, 3);
            world.server.fill(0, 3 * PAGE, 9);
            world.server.evict(0, 2);
            world.server.store.inject(StoreFaults.NONE.readErrorAt(1));
            write(victim, 1, world.client.segment(0, 8), world, 0);
            world.pass(10_000);
            write(other, 2, world.client.segment(0, 8), world, PAGE);
            write(other, 3, world.client.segment(0, 8), world, 2 * PAGE);
            List<Completion> all = new ArrayList<>();
            world.runUntil(
                    () -> {
                        all.addAll(world.client.drain());
                        return all.size() == 3;
                    },
                    1_000_000_000);
            for (Completion c : all) {
                assertEquals(c.id() == 1 ? Status.REMOTE_OPERATIONAL_ERROR : Status.SUCCESS, c.status(), c::toString);
            }
        }
    }

    /** Streams past a queue pair that faults all the time as fast as past one that does not. */
    @Test
    void othersAreUndisturbed() {
        long quietNs = stream(false);
        long faultingNs = stream(true);
        assertTrue(faultingNs <= quietNs * 102 / 100, faultingNs + " ns beside faults, " + quietNs + " ns without");
    }

    private static long stream(boolean faulting) {
        try (PagedWorld world = world(4, 2, 10_000_000)) {
            QueuePair cold = world.connect(HOW).getFirst();
            QueuePair hot = world.connect(HOW).getFirst();
            world.client.fill(0, 1 << 16, 3);
            world.server.fill(0, 1 << 20, 9);
            if (faulting) {
                world.server.evict(200, 1);
                write(cold, 1_000_000, world.client.segment(0, 8), world, 200L * PAGE);
            }
            int count = 2000;
            int[] posted = {0};
            int[] done = {0};
            return world.runUntil(
                    () -> {
                        for (Completion c : world.client.drain()) {
                            assertEquals(Status.SUCCESS, c.status());
                            done[0] += c.id() < count ? 1 : 0;
                        }
                        while (posted[0] < count && posted[0] - done[0] < 32) {
                            write(hot, posted[0]++, world.client.segment(0, 1 << 14), world, 0);
                        }
                        return done[0] == count;
                    },
                    1_000_000_000);
        }
    }

    /** Ten faults a second of 10 ms each on the stream's own queue pair: it waits for them, a tenth of the time, and little longer. */
    @Test
    void aStreamThatFaultsLosesLittleMoreThanTheStoresTime() {
        assumeFalse(Wires.isOnFabric(), "half a minute over a fabric: too long for each run");
        long periodNs = 100_000_000;
        long storeNs = 10_000_000;
        int periods = 5;
        long calm = streamed(false, storeNs, periodNs, periods);
        long disturbed = streamed(true, storeNs, periodNs, periods);
        double lost = 100.0 * (calm - disturbed) / calm;
        assertTrue(lost < 10.6, () -> lost + " % lost: " + disturbed + " of " + calm);
    }

    /** Number of 64 KiB writes, sixteen under way, that are done in this number of periods with a fault in each. */
    private static long streamed(boolean faulting, long storeNs, long periodNs, int periods) {
        int length = 64 << 10;
        var slow = new SimulatedWire(5_000, 3_000_000_000L, 1024);
        var sizes = new PagedWorld.Sizes(4 << 20, 2 << 20, storeNs);
        try (PagedWorld world = new PagedWorld(sizes, slow, LinkFaults.NONE, 3)) {
            QueuePair client = world.connect(HOW).getFirst();
            world.client.fill(0, length, 3);
            world.server.fill(0, 1 << 20, 9);
            world.server.evict(128, periods);
            long beginNs = world.clock.nowNs();
            long[] underWay = {0};
            long[] done = {0};
            int[] faults = {0};
            world.runUntil(
                    () -> {
                        for (Completion c : world.client.drain()) {
                            assertEquals(Status.SUCCESS, c.status());
                            underWay[0] -= c.id() == 0 ? 1 : 0;
                            done[0] += c.id() == 0 ? 1 : 0;
                        }
                        long nowNs = world.clock.nowNs() - beginNs;
                        if (faulting && nowNs >= faults[0] * periodNs + periodNs / 2) {
                            long page = 128L + faults[0]++;
                            write(client, 1, world.client.segment(0, 64), world, page * PAGE + 64);
                        }
                        while (underWay[0] < 16) {
                            underWay[0]++;
                            write(client, 0, world.client.segment(0, length), world, done[0] % 8 * length);
                        }
                        return nowNs >= periods * periodNs;
                    },
                    2L * periods * periodNs);
            assertEquals(faulting ? periods : 0, faults[0]);
            return done[0];
        }
    }

    /** With no retry at all a fault is an error; with one it is none, since the invitation comes in time. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6, 7})
    void retriesAtAReceiverThatFaults(int retries) {
        try (PagedWorld world = world(1, 1, STORE_NS)) {
            QueuePair client =
                    world.connect(HOW.withRnr(retries, RnrTimer.US_640)).getFirst();
            world.client.fill(0, PAGE, 3);
            world.server.fill(0, PAGE, 9);
            world.server.evict(0, 1);
            write(client, 1, world.client.segment(0, 8), world, 0);
            List<Completion> all = new ArrayList<>();
            world.runUntil(
                    () -> {
                        all.addAll(world.client.drain());
                        return !all.isEmpty();
                    },
                    1_000_000_000);
            assertEquals(
                    retries == 0 ? Status.RNR_RETRY_EXCEEDED : Status.SUCCESS,
                    all.getFirst().status());
        }
    }

    /** Atomics on pages that are evicted again and again, over a lossy wire: each is executed once, in order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void atomicsAreExecutedOnceWhateverIsLost(long seed) {
        int count = 300;
        var sizes = new PagedWorld.Sizes(1 << 20, 1 << 20, 20_000);
        try (PagedWorld world = new PagedWorld(sizes, WIRE, new LinkFaults(0.05, 0.05, 0.05, 0), seed)) {
            QueuePair client = world.connect(HOW).getFirst();
            world.server.fill(0, PAGE, 0);
            world.server.memory.write(0, MemorySegment.ofArray(new long[] {0}));
            world.client.fill(0, PAGE, 0);
            for (int i = 0; i < count; i++) {
                if (i % 3 == 0) {
                    world.server.evict(0, 1);
                }
                if (i % 7 == 0) {
                    world.client.evict(0, 1);
                }
                assertTrue(client.post(new WorkRequest.FetchAdd(
                        i, world.client.segment(8, 8), world.server.remote(0), 1, SendOptions.SIGNALLED)));
                complete(world, 1);
                var found = new long[1];
                world.client.memory.read(8, MemorySegment.ofArray(found));
                assertEquals(i, found[0], "what the atomic found");
            }
            var value = new long[1];
            world.server.memory.read(0, MemorySegment.ofArray(value));
            assertEquals(count, value[0]);
            assertTrue(world.server.counted(Counter.ATOMIC_PAGE_FAULTS) >= count / 3);
        }
    }
}
