package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.trace.Counter;

/** Durations that no {@code long} of nanoseconds holds mean: without an end. */
@OverEachWire
final class LongTimesTest {
    private static final Duration ALWAYS = Duration.ofSeconds(Long.MAX_VALUE);

    private final Wire wire;

    LongTimesTest(Wire wire) {
        this.wire = wire;
    }

    @Test
    void anAckTimeoutWithoutAnEndNeverComes() {
        try (var pair = new Pair(wire, 1 << 12, 8, ConnectionOptions.DEFAULT.withRetries(7, ALWAYS))) {
            pair.clock.advance(1_000_000_000);
            pair.a.queuePair.post(new WorkRequest.Write(1, pair.a.segment(0, 8), pair.b.remote(0)));
            for (int turn = 0; turn < 100; turn++) {
                pair.clock.advance(100_000_000);
                pair.a.adapter.work(pair.clock.nowNs());
            }
            assertEquals(0, pair.a.adapter.counters().value(Counter.ACK_TIMEOUTS));
            pair.run();
            assertEquals(1, pair.a.drain().size());
        }
    }

    @Test
    void aFaultLimitWithoutAnEndIsAccepted() {
        try (var pair = new Pair(wire)) {
            var options =
                    AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withFaultLimit(ALWAYS);
            pair.wires.open(pair.clock, options).close();
        }
    }

    @Test
    void anEventThatIsThereIsTakenThoughTheWaitHasNoEnd() throws InterruptedException {
        try (var pair = new Pair(wire, 1 << 12, 8, ConnectionOptions.DEFAULT)) {
            pair.a.queuePair.drain();
            pair.run();
            assertNotNull(pair.a.adapter.events().poll(ALWAYS));
        }
    }
}
