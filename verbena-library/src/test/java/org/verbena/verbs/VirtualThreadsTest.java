package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;

/** Consumers on virtual threads: their waits hold no carrier thread. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@OverEachWire
final class VirtualThreadsTest {
    private static final int CONNECTIONS = 32;
    private static final int ROUNDS = 20;
    private static final Duration LONG = Duration.ofSeconds(40);

    private final Wires wires;

    VirtualThreadsTest(Wire wire) {
        wires = new Wires(wire);
    }

    private Adapter open(AdapterOptions.Run run) {
        return wires.openBySockets(AdapterOptions.DEFAULT.withRun(run));
    }

    private static CompletableFuture<Integer> virtually(ThrowingCall call) {
        var result = new CompletableFuture<Integer>();
        Thread.ofVirtual().start(() -> {
            try {
                result.complete(call.run());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    @FunctionalInterface
    private interface ThrowingCall {
        int run() throws Exception;
    }

    /** Sends a request and waits for the answer, again and again. */
    private static int ask(Node node) throws InterruptedException {
        int answers = 0;
        for (int i = 0; i < ROUNDS; i++) {
            assertTrue(node.queuePair.post(new WorkRequest.Receive(1, node.segment(0, 64))));
            assertTrue(node.queuePair.post(
                    new WorkRequest.Send(2, Payload.inline(new byte[] {1}), SendOptions.UNSIGNALLED)));
            Completion answer = node.completions.poll(LONG);
            assertNotNull(answer, () -> "no answer on queue pair " + node.queuePair.number());
            assertEquals(Status.SUCCESS, answer.status());
            answers++;
        }
        return answers;
    }

    private static int answer(Node node) throws InterruptedException {
        for (int i = 0; i < ROUNDS; i++) {
            Completion request = node.completions.poll(LONG);
            assertNotNull(request, () -> "no request on queue pair " + node.queuePair.number());
            assertTrue(node.queuePair.post(new WorkRequest.Receive(1, node.segment(0, 64))));
            assertTrue(node.queuePair.post(
                    new WorkRequest.Send(2, Payload.inline(new byte[] {2}), SendOptions.UNSIGNALLED)));
        }
        return ROUNDS;
    }

    /** Starts all consumers of 32 connections on virtual threads. */
    private static List<CompletableFuture<Integer>> exchange(Adapter client, Adapter server) {
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Node asking = new Node(client, 4096, 16);
            Node answering = new Node(server, 4096, 16);
            Node.connect(asking, answering, Node.PATIENT);
            assertTrue(answering.queuePair.post(new WorkRequest.Receive(1, answering.segment(0, 64))));
            all.add(virtually(() -> answer(answering)));
            all.add(virtually(() -> ask(asking)));
        }
        return all;
    }

    @ParameterizedTest
    @EnumSource(names = {"SHARED", "THREAD"})
    void manyConnectionsEachWithAVirtualThread(AdapterOptions.Run run) throws Exception {
        try (Adapter client = open(run);
                Adapter server = open(run)) {
            for (CompletableFuture<Integer> each : exchange(client, server)) {
                assertEquals(ROUNDS, each.get(50, TimeUnit.SECONDS));
            }
        }
    }

    /** They would hold all carriers in the system, and none would be left for the thread that could wake them. */
    @Test
    void aVirtualThreadThatWaitsForAnInlineAdapterIsRefused() {
        Adapter client = open(AdapterOptions.Run.INLINE);
        Adapter server = open(AdapterOptions.Run.INLINE);
        for (CompletableFuture<Integer> each : exchange(client, server)) {
            ExecutionException e = assertThrows(ExecutionException.class, () -> each.get(20, TimeUnit.SECONDS));
            assertTrue(e.getCause() instanceof IllegalStateException, () -> "cause " + e.getCause());
            String reason = String.valueOf(e.getCause().getMessage());
            assertTrue(reason.contains("SHARED") && reason.contains("THREAD"), reason);
        }
        client.close(); // not where a thread is left in the adapter: it would not return
        server.close();
    }

    @Test
    void aVirtualThreadMayPollAnInlineAdapter() throws Exception {
        try (Adapter adapter = open(AdapterOptions.Run.INLINE)) {
            Node node = new Node(adapter, 4096, 16);
            Node peer = new Node(adapter, 4096, 16);
            Node.connect(node, peer, ConnectionOptions.DEFAULT);
            assertEquals(
                    1,
                    virtually(() -> {
                                assertTrue(node.queuePair.post(
                                        new WorkRequest.Write(1, node.segment(0, 64), peer.remote(64))));
                                while (node.completions.poll() == null) {
                                    Thread.onSpinWait();
                                }
                                return 1;
                            })
                            .get(50, TimeUnit.SECONDS));
        }
    }

    @Test
    void aVirtualThreadThatWaitsForAFutureOfAnInlineAdapterIsRefused() throws Exception {
        try (Adapter adapter = open(AdapterOptions.Run.INLINE)) {
            var refused = virtually(() -> {
                assertThrows(IllegalStateException.class, adapter.management()::requireMayWait);
                adapter.management().await(CompletableFuture.completedFuture(1), LONG);
                return 1;
            });
            assertEquals(1, refused.get(50, TimeUnit.SECONDS));
        }
    }
}
