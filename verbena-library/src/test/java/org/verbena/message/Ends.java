package org.verbena.message;

import java.time.Duration;
import org.verbena.Wire;
import org.verbena.exchange.Wires;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;

/** Two adapters that reach each other, each driven by itself. */
final class Ends implements AutoCloseable {
    /**
     * A machine may give a thread no time for half a second, after which the default options give up. These give up after 9 s, which
     * is how long the tests of peers that do not answer take.
     */
    private static final ConnectionOptions PATIENT = ConnectionOptions.DEFAULT.withRetries(7, Duration.ofSeconds(1));

    final Adapter a;
    final Adapter b;

    private Ends(Adapter a, Adapter b) {
        this.a = a;
        this.b = b;
    }

    private static AdapterOptions named(String name) {
        return AdapterOptions.DEFAULT.withName(name);
    }

    /** Over one of the wires. */
    static Ends over(Wire wire) {
        Wires wires = new Wires(wire);
        return new Ends(wires.openLive(named("a")), wires.openLive(named("b")));
    }

    static Ends lossy(double rate) {
        var network = new InProcessNetwork();
        return new Ends(
                Adapter.open(lossy(network.open(), 1, rate), named("a")),
                Adapter.open(lossy(network.open(), 2, rate), named("b")));
    }

    private static Link lossy(Link inner, long seed, double rate) {
        return new LossyLink(inner, new Seed(seed), LinkFaults.all(rate), LinkFaults.NONE);
    }

    /** Over one of the wires, by sockets. */
    static Ends bySockets(Wire wire) {
        Wires wires = new Wires(wire);
        return new Ends(wires.openBySockets(named("a")), wires.openBySockets(named("b")));
    }

    static void connect(QueuePair one, QueuePair other) {
        Wires.connect(one, other, PATIENT);
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
