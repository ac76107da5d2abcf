package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.exchange.OverSwitches;
import org.verbena.exchange.PagedWorld;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.trace.Counter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** Reads of pages that come late: a requester with default options outlasts every page fault, and shorter patience is told. */
@OverSwitches
final class ReadPatienceTest {
    private static final int PAGE = PagedWorld.PAGE;
    private static final long MS = 1_000_000;
    private static final ConnectionOptions SHORT =
            ConnectionOptions.DEFAULT.withRetries(7, Duration.ofNanos(67_108_864));

    private static PagedWorld world(long storeNs, Duration faultLimit) {
        var world = new PagedWorld(
                new PagedWorld.Sizes(1 << 20, 1 << 20, storeNs),
                new SimulatedWire(5_000, 12_500_000_000L, 1024),
                3,
                made -> made.withFaultLimit(faultLimit));
        world.client.fill(0, PAGE, 3);
        return world;
    }

    private static PagedWorld world(long storeNs) {
        return world(storeNs, AdapterOptions.DEFAULT.faultLimit());
    }

    private static Completion coldRead(PagedWorld world, QueuePair client) {
        world.server.evict(0, 1);
        assertTrue(client.post(new WorkRequest.Read(
                1, List.of(world.client.segment(0, 64)), world.server.remote(0), SendOptions.SIGNALLED)));
        List<Completion> all = new ArrayList<>();
        world.runUntil(
                () -> {
                    all.addAll(world.client.drain());
                    return !all.isEmpty();
                },
                60_000 * MS);
        return all.getFirst();
    }

    private static List<AsyncEvent> events(PagedWorld.Side side) {
        List<AsyncEvent> found = new ArrayList<>();
        for (AsyncEvent e = side.adapter.events().poll();
                e != null;
                e = side.adapter.events().poll()) {
            if (e.kind() != EventKind.COMMUNICATION_ESTABLISHED) {
                found.add(e);
            }
        }
        return found;
    }

    private static List<EventKind> kinds(PagedWorld.Side side) {
        return events(side).stream().map(AsyncEvent::kind).toList();
    }

    @Test
    void theDefaultPatienceIsLongerThanTheDefaultFaultLimit() {
        ConnectionOptions how = ConnectionOptions.DEFAULT;
        Duration patience = how.ackTimeout().multipliedBy(how.retries() + 1L);
        assertTrue(patience.minus(AdapterOptions.DEFAULT.faultLimit()).toMillis() >= 250, patience::toString);
    }

    @ParameterizedTest
    @CsvSource({"600", "2000", "3990"})
    void aDefaultRequesterOutlastsASlowStore(long storeMs) {
        try (PagedWorld world = world(storeMs * MS)) {
            byte[] data = world.server.fill(0, PAGE, 9);
            List<QueuePair> ends = world.connect(ConnectionOptions.DEFAULT);
            long startNs = world.clock.nowNs();
            assertEquals(Status.SUCCESS, coldRead(world, ends.getFirst()).status());
            long tookNs = world.clock.nowNs() - startNs;
            assertTrue(tookNs < (storeMs + 1) * MS, () -> "took " + tookNs);
            assertArrayEquals(Arrays.copyOf(data, 64), world.client.bytesAt(0, 64));
            assertEquals(0, world.client.counted(Counter.RETRY_EXCEEDED));
            world.pass(100 * MS);
            assertEquals(List.of(), kinds(world.client));
            assertEquals(List.of(), kinds(world.server));
        }
    }

    /** The documented end: after the fault limit, by an answer and not by silence. */
    @Test
    void aFaultBeyondTheLimitEndsAtTheLimit() {
        try (PagedWorld world = world(4_200 * MS)) {
            world.server.fill(0, PAGE, 9);
            List<QueuePair> ends = world.connect(ConnectionOptions.DEFAULT);
            long startNs = world.clock.nowNs();
            assertEquals(
                    Status.REMOTE_OPERATIONAL_ERROR,
                    coldRead(world, ends.getFirst()).status());
            long tookNs = world.clock.nowNs() - startNs;
            assertTrue(tookNs >= 4_000 * MS && tookNs < 4_002 * MS, () -> "took " + tookNs);
            assertEquals(1, world.server.counted(Counter.PAGE_FAULT_LIMITS));
            assertEquals(QueuePairState.ERROR, ends.getFirst().state());
            assertEquals(QueuePairState.ERROR, ends.getLast().state());
            world.pass(300 * MS);
        }
    }

    /** A requester with less patience gives up by itself, and the end with the memory has said so at connect. */
    @Test
    void shortPatienceIsToldAtConnectAndEndsEarly() {
        try (PagedWorld world = world(1_000 * MS)) {
            world.server.fill(0, PAGE, 9);
            List<QueuePair> ends = world.connect(SHORT);
            world.pass(MS);
            List<AsyncEvent> told = events(world.server);
            assertEquals(1, told.size());
            assertEquals(EventKind.TIMEOUT_BELOW_FAULT_LIMIT, told.getFirst().kind());
            assertEquals(ends.getLast(), told.getFirst().source());
            String detail = told.getFirst().detail();
            assertTrue(
                    detail.endsWith("gives up a read after 0.54 s without an answer; a page fault may last 4.00 s"),
                    detail);
            long startNs = world.clock.nowNs();
            assertEquals(Status.RETRY_EXCEEDED, coldRead(world, ends.getFirst()).status());
            long tookNs = world.clock.nowNs() - startNs;
            assertTrue(tookNs > 530 * MS && tookNs < 545 * MS, () -> "took " + tookNs);
            world.pass(1_000 * MS);
            assertEquals(List.of(), kinds(world.server), "once for a connection");
        }
    }

    /** Each connection is judged by its own options and the limit of its adapter; a patience equal to the limit is too short. */
    @ParameterizedTest
    @CsvSource({
        "100, 7, 801, 1",
        "100, 7, 800, 1",
        "100, 7, 799, 0",
        "1000, 0, 1001, 1",
        "1000, 0, 999, 0",
        "0, 0, 4000, 0"
    })
    void whatCountsIsTheTimeOfAllTriesAndTheLimitOfTheAdapter(int timeoutMs, int retries, int limitMs, int expected) {
        try (PagedWorld world = world(MS, Duration.ofMillis(limitMs))) {
            for (int connections = 0; connections < 2; connections++) {
                world.connect(ConnectionOptions.DEFAULT.withRetries(retries, Duration.ofMillis(timeoutMs)));
                world.pass(MS);
                assertEquals(expected, kinds(world.server).size());
                assertEquals(expected, kinds(world.client).size(), "its memory is paged too");
            }
        }
    }

    /** A queue pair that is connected again is judged again. */
    @Test
    void everyConnectionOfAQueuePairIsJudged() {
        try (PagedWorld world = world(MS)) {
            List<QueuePair> ends = world.connect(SHORT);
            world.pass(MS);
            assertEquals(1, kinds(world.server).size());
            ends.forEach(QueuePair::reset);
            ends.getFirst().connect(ends.getLast().address(), SHORT);
            ends.getLast().connect(ends.getFirst().address(), SHORT);
            world.pass(MS);
            assertEquals(1, kinds(world.server).size());
        }
    }
}
