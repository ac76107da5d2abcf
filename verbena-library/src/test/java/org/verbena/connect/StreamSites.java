package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.MemoryStreams;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.MetricRegistry;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.IwarpOptions;

/** Two adapters over iWARP on streams in memory, in one virtual time, run by hand. */
final class StreamSites implements AutoCloseable {
    private static final long TURN_NS = 400;

    final VirtualClock clock = new VirtualClock(1_000_000);
    final MetricRegistry metrics = new MetricRegistry();
    final MemoryStreams streams;
    final Site a;
    final Site b;

    StreamSites() {
        this(IwarpOptions.DEFAULT, IwarpOptions.DEFAULT, 0);
    }

    StreamSites(IwarpOptions ofA, IwarpOptions ofB, int pieceMax) {
        streams = new MemoryStreams(1 << 16, 1448, pieceMax, new Seed(3));
        a = site("a", "192.0.2.1", ofA);
        b = site("b", "192.0.2.2", ofB);
    }

    private Site site(String name, String address, IwarpOptions how) {
        return new Site(
                streams.open(Endpoint.of(address, 0).address()),
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(name.hashCode())
                        .withMetrics(metrics)
                        .withIwarp(how));
    }

    void until(BooleanSupplier condition) {
        long endNs = clock.nowNs() + Sites.FOREVER_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(clock.nowNs() < endNs, "what was waited for never came");
            step();
        }
    }

    <T> T get(CompletableFuture<T> future) {
        until(future::isDone);
        return Connection.join(future);
    }

    void pass(long durationNs) {
        long endNs = clock.nowNs() + durationNs;
        while (clock.nowNs() < endNs) {
            step();
        }
    }

    private void step() {
        long nowNs = clock.nowNs();
        if (a.adapter.work(nowNs) + b.adapter.work(nowNs) > 0) {
            clock.advance(TURN_NS);
            return;
        }
        long next = Math.min(a.adapter.nextDeadlineNs(), b.adapter.nextDeadlineNs());
        clock.advanceTo(Math.max(nowNs + TURN_NS, Math.min(next, nowNs + 1_000_000)));
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
