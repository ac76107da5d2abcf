package org.verbena.message;

import java.time.Duration;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.udp.UdpNetwork;
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

    private Ends(Link first, Link second) {
        a = Adapter.open(first, AdapterOptions.DEFAULT.withName("a"));
        b = Adapter.open(second, AdapterOptions.DEFAULT.withName("b"));
    }

    static Ends inProcess() {
        var network = new InProcessNetwork();
        return new Ends(network.open(), network.open());
    }

    static Ends lossy(double rate) {
        var network = new InProcessNetwork();
        return new Ends(
                new LossyLink(network.open(), new Seed(1), LinkFaults.all(rate), LinkFaults.NONE),
                new LossyLink(network.open(), new Seed(2), LinkFaults.all(rate), LinkFaults.NONE));
    }

    static Ends udp() {
        return new Ends(UdpNetwork.open(Endpoint.of("127.0.0.1", 0)), UdpNetwork.open(Endpoint.of("127.0.0.1", 0)));
    }

    static void connect(QueuePair one, QueuePair other) {
        one.connect(other.address(), PATIENT);
        other.connect(one.address(), PATIENT);
    }

    @Override
    public void close() {
        a.close();
        b.close();
    }
}
