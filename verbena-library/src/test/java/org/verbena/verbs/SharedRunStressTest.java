package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;

/**
 * Consumers of every kind share two adapters: threads that wait, that poll, that are virtual, and that pause. Each request gets its answer: a
 * wake-up that was lost would be missed for good. The seed decides the kinds, the pauses and the number of connections.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@OverEachWire
final class SharedRunStressTest {
    private static final int ROUNDS = 40;
    private static final Duration LONG = Duration.ofHours(1);

    private final Wire wire;

    SharedRunStressTest(Wire wire) {
        this.wire = wire;
    }

    private enum Kind {
        WAITS,
        POLLS,
        WAITS_VIRTUALLY
    }

    /** One end of a connection: a node and its habits. */
    private record End(Node node, Kind kind, Random random) {
        /** The next completion. */
        Completion next() throws InterruptedException {
            Completion found = kind == Kind.POLLS ? null : node.completions.poll(LONG);
            while (found == null) {
                found = node.completions.poll();
                if (found == null) {
                    LockSupport.parkNanos(20_000);
                }
            }
            return found;
        }

        void pause() {
            int chance = random.nextInt(40);
            if (chance == 0) {
                LockSupport.parkNanos(2_500_000); // the adapter's thread takes over meanwhile
            } else if (chance < 10) {
                LockSupport.parkNanos(random.nextInt(100_000));
            }
        }

        void send() {
            assertTrue(node.queuePair.post(
                    new WorkRequest.Send(2, Payload.inline(new byte[] {1}), SendOptions.UNSIGNALLED)));
        }

        void receive() {
            assertTrue(node.queuePair.post(new WorkRequest.Receive(1, node.segment(0, 64))));
        }

        /** The end that begins sends first. */
        CompletableFuture<Integer> start(boolean begins) {
            var done = new CompletableFuture<Integer>();
            Runnable exchange = () -> {
                try {
                    for (int i = 0; i < ROUNDS; i++) {
                        if (begins) {
                            send();
                        }
                        Completion completion = next();
                        assertNotNull(completion);
                        assertEquals(Status.SUCCESS, completion.status());
                        receive();
                        pause();
                        if (!begins) {
                            send();
                        }
                    }
                    done.complete(ROUNDS);
                } catch (Throwable e) {
                    done.completeExceptionally(e);
                }
            };
            if (kind == Kind.WAITS_VIRTUALLY) {
                Thread.ofVirtual().start(exchange);
            } else {
                Thread.ofPlatform().daemon().start(exchange);
            }
            return done;
        }
    }

    private static End end(Adapter adapter, Random random) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        return new End(new Node(adapter, 4096, 16), kind, new Random(random.nextLong()));
    }

    private static void exchange(Function<AdapterOptions, Adapter> opening, long seed) throws Exception {
        Random random = new Random(seed);
        try (Adapter near = opening.apply(AdapterOptions.DEFAULT.withName("near"));
                Adapter far = opening.apply(AdapterOptions.DEFAULT.withName("far"))) {
            List<CompletableFuture<Integer>> all = new ArrayList<>();
            List<String> kinds = new ArrayList<>();
            int connections = 1 + random.nextInt(4);
            for (int i = 0; i < connections; i++) {
                End asking = end(near, random);
                End answering = end(far, random);
                Node.connect(asking.node, answering.node, Node.PATIENT);
                asking.receive();
                answering.receive();
                kinds.add(asking.kind + " and " + answering.kind);
                all.add(answering.start(false));
                all.add(asking.start(true));
            }
            for (int i = 0; i < all.size(); i++) {
                try {
                    all.get(i).get(50, TimeUnit.SECONDS);
                } catch (Exception e) {
                    throw new AssertionError("seed " + seed + ", end " + i + " of " + kinds, e);
                }
            }
        }
    }

    @Test
    void everyRequestIsAnswered() throws Exception {
        for (long seed = 1; seed <= 60; seed++) {
            exchange(new Wires(wire)::openLive, seed);
        }
    }

    @Test
    void everyRequestIsAnsweredOverSockets() throws Exception {
        for (long seed = 1; seed <= 30; seed++) {
            exchange(new Wires(wire)::openBySockets, seed);
        }
    }
}
