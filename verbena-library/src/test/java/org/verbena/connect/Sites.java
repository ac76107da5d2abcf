package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.link.simulated.SimulatedNetwork;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.AdapterOptions;

/** Two adapters on one simulated network in one virtual time, run by hand. Each packet meets the faults once, on its way out. */
final class Sites implements AutoCloseable {
    private static final long TURN_NS = 400;
    /** Longer than the longest wait of the protocol: 16 times 4.3 s. */
    static final long FOREVER_NS = 1_000_000_000_000L;

    final VirtualClock clock = new VirtualClock(1_000_000);
    final Site a;
    final Site b;
    /** The one that does nothing at all for now. */
    @Nullable
    Site asleep;

    private final SimulatedNetwork network = new SimulatedNetwork(clock, SimulatedWire.usual());

    Sites() {
        this(new Seed(1), LinkFaults.NONE);
    }

    Sites(Seed seed, LinkFaults faults) {
        a = site("a", seed.fork("a"), faults);
        b = site("b", seed.fork("b"), faults);
    }

    private Site site(String name, Seed seed, LinkFaults faults) {
        return new Site(
                new LossyLink(network.open(), seed.fork("faults"), faults, LinkFaults.NONE),
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(seed.nextLong()));
    }

    /** Time passes until the condition holds, which it must do some day. */
    void until(BooleanSupplier condition) {
        long endNs = clock.nowNs() + FOREVER_NS;
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
        int done = (a == asleep ? 0 : a.adapter.work(nowNs)) + (b == asleep ? 0 : b.adapter.work(nowNs));
        if (done > 0) {
            clock.advance(TURN_NS);
            return;
        }
        long next =
                Math.min(network.nextDeliveryNs(), Math.min(a.adapter.nextDeadlineNs(), b.adapter.nextDeadlineNs()));
        clock.advanceTo(Math.max(nowNs + TURN_NS, next == Long.MAX_VALUE ? nowNs + 1_000_000_000 : next));
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
