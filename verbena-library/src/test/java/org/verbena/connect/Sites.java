package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.Wire;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.simulated.SimulatedNetwork;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.AdapterOptions;

/** Two adapters in one virtual time, run by hand: on one simulated network, at ports of a fabric, or over streams in memory. Each packet meets the faults once, on its way out. */
final class Sites implements AutoCloseable {
    private static final long TURN_NS = 400;
    private static final long STREAM_STEP_NS = 5_000_000;
    /** Longer than the longest wait of the protocol: 16 times 4.3 s. */
    static final long FOREVER_NS = 1_000_000_000_000L;

    final VirtualClock clock = new VirtualClock(1_000_000);
    final Site a;
    final Site b;
    /** A site whose adapter does no work for now; null if both work. */
    @Nullable
    Site asleep;

    private final SimulatedNetwork network = new SimulatedNetwork(clock, SimulatedWire.usual());
    private final Wires fabric = Wires.ofFabric();

    Sites() {
        this(new Seed(1), LinkFaults.NONE);
    }

    /** Without faults, over one of the wires. */
    Sites(Wire wire) {
        Seed seed = new Seed(1);
        if (wire == Wire.IWARP) {
            Wires wires = new Wires(wire);
            a = new Site(wires.open(clock, options("a", seed.fork("a"))));
            b = new Site(wires.open(clock, options("b", seed.fork("b"))));
        } else {
            a = site("a", openLink(), seed.fork("a"), LinkFaults.NONE);
            b = site("b", openLink(), seed.fork("b"), LinkFaults.NONE);
        }
    }

    Sites(Seed seed, LinkFaults faults) {
        a = site("a", openLink(), seed.fork("a"), faults);
        b = site("b", openLink(), seed.fork("b"), faults);
    }

    private Link openLink() {
        return Wires.isOnFabric() ? fabric.openLink() : network.open();
    }

    /** Without faults, each adapter at its own addresses. */
    Sites(List<Endpoint> ofA, List<Endpoint> ofB) {
        Seed seed = new Seed(1);
        a = site("a", network.open(ofA), seed.fork("a"), LinkFaults.NONE);
        b = site("b", network.open(ofB), seed.fork("b"), LinkFaults.NONE);
    }

    private Site site(String name, Link link, Seed seed, LinkFaults faults) {
        return new Site(new LossyLink(link, seed.fork("faults"), faults, LinkFaults.NONE), clock, options(name, seed));
    }

    private static AdapterOptions options(String name, Seed seed) {
        return AdapterOptions.DEFAULT
                .withName(name)
                .withRun(AdapterOptions.Run.MANUAL)
                .withSeed(seed.nextLong());
    }

    /** An address that no adapter has, of the kind that these have. */
    InetSocketAddress silent(int port) {
        return new InetSocketAddress(Wires.isOnFabric() ? "fe80::77" : "10.0.0.77", port);
    }

    /** Lets time pass until the condition holds; fails if it does not hold within {@link #FOREVER_NS}. */
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
        long delivery = network.nextDeliveryNs();
        if (delivery <= nowNs && asleep != null) {
            delivery = Long.MAX_VALUE; // for the one that sleeps
        }
        long next = Math.min(delivery, Math.min(deadlineNs(a), deadlineNs(b)));
        if (a.adapter.wire() == Wire.IWARP) {
            next = Math.min(next, nowNs + STREAM_STEP_NS); // a time limit is far away, a test may wait less
        }
        clock.advanceTo(Math.max(nowNs + TURN_NS, next == Long.MAX_VALUE ? nowNs + 1_000_000_000 : next));
    }

    private long deadlineNs(Site site) {
        return site == asleep ? Long.MAX_VALUE : site.adapter.nextDeadlineNs();
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
