package org.verbena.adapter.ib.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.Status;
import org.verbena.adapter.Limits;
import org.verbena.exchange.PagedWorld;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.WorkRequest;

/**
 * Many queue pairs wait for one page, which comes for all of them at once, while another queue pair, the hot one, needs no page:
 * neither group delays the other. Measured in packets and turns of the engines.
 */
final class FaultFairnessTest {
    private static final int FAULTING = 64;
    private static final int HOT = FAULTING;
    private static final int PAGE = PagedWorld.PAGE;
    private static final long STORE_NS = 300_000;
    /** A wire so short that a round trip is a few turns of both engines, as it is with two adapters of one machine. */
    private static final SimulatedWire WIRE = new SimulatedWire(50, 12_500_000_000L, 1024);

    private final PagedWorld world =
            new PagedWorld(new PagedWorld.Sizes(1 << 20, 1 << 20, STORE_NS), WIRE, LinkFaults.NONE, 5);
    private final List<QueuePair> clients = new ArrayList<>();
    private int coldDone;
    private int hotDone;
    /** Packets of all queue pairs while a request of the hot one was under way. */
    private final List<Long> during = new ArrayList<>();

    private long packetsBefore;

    private void connect() {
        for (int i = 0; i <= FAULTING; i++) {
            clients.add(world.connect(ConnectionOptions.DEFAULT).getFirst());
        }
        world.client.fill(0, PAGE, 3);
        world.server.fill(0, 2 * PAGE, 9);
    }

    private long packets() {
        long sum = 0;
        for (PagedWorld.Side side : List.of(world.client, world.server)) {
            sum += side.counted(Counter.SENT_PACKETS) + side.counted(Counter.RECEIVED_PACKETS);
        }
        return sum;
    }

    private void write(int queuePair, long target) {
        assertTrue(clients.get(queuePair)
                .post(new WorkRequest.Write(queuePair, world.client.segment(0, 8), world.server.remote(target))));
    }

    private void postHot() {
        packetsBefore = packets();
        write(HOT, PAGE);
    }

    private void refuseAll() {
        world.server.evict(0, 1);
        for (int i = 0; i < FAULTING; i++) {
            write(i, 8L * i + 8);
        }
        long before = world.server.counted(Counter.SENT_FAULT_RNR_NAKS);
        world.runUntil(() -> world.server.counted(Counter.SENT_FAULT_RNR_NAKS) == before + FAULTING, STORE_NS / 2);
        coldDone = 0;
    }

    /** Polls completions; the hot queue pair posts its next request at once if it is to. */
    private void drain(boolean hot) {
        for (Completion c : world.client.drain()) {
            assertEquals(Status.SUCCESS, c.status(), c::toString);
            if (c.id() == HOT) {
                hotDone++;
                during.add(packets() - packetsBefore);
                if (hot) {
                    postHot();
                }
            } else {
                coldDone++;
            }
        }
    }

    /** The hot queue pair posts request after request until the queue pairs that wait for the page are done. */
    private void runOn() {
        world.runUntil(
                () -> {
                    drain(true);
                    return coldDone == FAULTING;
                },
                1_000_000_000);
        int last = hotDone + 1;
        world.runUntil(
                () -> {
                    drain(false);
                    return hotDone == last;
                },
                1_000_000_000);
    }

    /** Has the engine know the hot queue pair as one without faults. */
    private void warmUp() {
        for (int i = 0; i < 2 * Limits.CALM_SENDS; i++) {
            postHot();
            int next = hotDone + 1;
            world.runUntil(
                    () -> {
                        drain(false);
                        return hotDone == next;
                    },
                    1_000_000_000);
        }
    }

    @Test
    void whoHasNoFaultMeetsFewPacketsOfThoseWhoHave() {
        try (world) {
            connect();
            warmUp();
            long alone = during.getLast();
            assertEquals(4, alone, "a request and its answer, sent and received");
            for (int round = 0; round < 5; round++) {
                refuseAll();
                during.clear();
                postHot();
                runOn();
                long most = during.stream().mapToLong(Long::longValue).max().orElseThrow();
                // One of the others, from being called to being acknowledged, and the beginning of the next.
                assertTrue(most <= alone + 8, "met " + (most - alone) + " packets of others: " + during);
            }
        }
    }

    @Test
    void whoIsAlwaysBusyKeepsNobodyFromGoingOn() {
        try (world) {
            connect();
            warmUp();
            refuseAll();
            postHot();
            world.runUntil(
                    () -> {
                        drain(true);
                        return world.server.store.underWay() == 0;
                    },
                    1_000_000_000);
            hotDone = 0;
            runOn();
            // Each is called by the server and comes again by the client; both have a turn for one every few turns.
            assertTrue(hotDone <= FAULTING * Limits.RESUMED_PRICE / 2, "took " + hotDone + " requests of the busy one");
        }
    }

    /** While no other queue pair sends, the queue pairs with faults do not wait. */
    @Test
    void whereNobodyIsKeptWaitingAllGoOnAtOnce() {
        try (world) {
            connect();
            refuseAll();
            long tookNs = world.runUntil(
                    () -> {
                        drain(false);
                        return coldDone == FAULTING;
                    },
                    1_000_000_000);
            // A turn takes 200 ns here, and one is for several.
            long turnsNs = 200L * FAULTING;
            assertTrue(tookNs <= STORE_NS + turnsNs, () -> "took " + tookNs + " ns, the store " + STORE_NS);
        }
    }
}
