package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;

/** A consumer that is done with a queue pair as soon as it has a message has acknowledged the message. */
@OverEachWire
final class FarewellTest {
    private final Wire wire;

    FarewellTest(Wire wire) {
        this.wire = wire;
    }

    static Stream<Arguments> waysToEnd() {
        return Stream.of(
                way("abort", QueuePair::abort), way("reset", QueuePair::reset), way("close", QueuePair::close));
    }

    private static Arguments way(String name, Consumer<QueuePair> end) {
        return Arguments.argumentSet(name, end);
    }

    @ParameterizedTest
    @MethodSource("waysToEnd")
    void theLastMessageIsAcknowledged(Consumer<QueuePair> end) {
        try (Pair pair = new Pair(wire)) {
            pair.b.queuePair.post(new WorkRequest.Receive(1, pair.b.segment(0, 64)));
            pair.a.queuePair.post(new WorkRequest.Send(2, pair.a.segment(0, 64)));
            pair.a.adapter.work(pair.clock.nowNs());
            pair.b.adapter.work(pair.clock.nowNs());
            assertEquals(Status.SUCCESS, pair.b.drain().getFirst().status());
            end.accept(pair.b.queuePair);
            pair.run();
            assertEquals(Status.SUCCESS, pair.a.drain().getFirst().status());
        }
    }
}
