package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.link.Endpoint;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Adapters over iWARP at IPv4 and IPv6 addresses of this machine, and listeners at one of them or at a wildcard. */
@Timeout(60)
@EnabledIf(value = "hasIpv6", disabledReason = "no IPv6 loopback address here")
final class StreamAddressesTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    static boolean hasIpv6() throws SocketException {
        return NetworkInterface.getByInetAddress(address("::1")) != null;
    }

    private static InetAddress address(String literal) {
        return Endpoint.of(literal, 0).address();
    }

    private static Site site(String literal) {
        return new Site(
                Adapter.open(new InetSocketAddress(address(literal), 0), AdapterOptions.DEFAULT.withWire(Wire.IWARP)));
    }

    private record Arrival(InetAddress peer, QueuePair queuePair) {}

    private static Listener listen(Site site, String at, BlockingQueue<Arrival> arrivals) {
        return Listener.open(site.adapter, new InetSocketAddress(address(at), 0), ListenerOptions.DEFAULT, request -> {
            QueuePair theirs = site.queuePair();
            request.accept(theirs, AcceptOptions.DEFAULT);
            arrivals.add(new Arrival(request.peer().getAddress(), theirs));
        });
    }

    /** A wildcard of either family takes streams to the adapter's address. */
    @ParameterizedTest(name = "adapters at {0}, listener at {1}")
    @CsvSource({"::1, ::1", "::1, '::'", "::1, 0.0.0.0", "127.0.0.1, 127.0.0.1", "127.0.0.1, 0.0.0.0", "127.0.0.1, '::'"
    })
    void aConnectionCarriesData(String adapters, String at) throws InterruptedException {
        var arrivals = new LinkedBlockingQueue<Arrival>();
        try (Site server = site(adapters);
                Site client = site(adapters);
                Listener listener = listen(server, at, arrivals)) {
            QueuePair mine = client.queuePair();
            Connection here = Connector.connect(
                    client.adapter, server.at(listener.address().getPort()), mine, ConnectorOptions.DEFAULT);
            Arrival arrival = arrivals.poll(50, TimeUnit.SECONDS);
            assertNotNull(arrival);
            assertEquals(address(adapters), arrival.peer);
            server.memory.set(ValueLayout.JAVA_LONG, 0, 4711);
            assertTrue(mine.post(
                    new WorkRequest.Read(1, LocalSegment.of(client.region, 0, 64), RemoteMemory.of(server.region))));
            Completion read = client.completions.poll(LONG);
            assertNotNull(read);
            assertEquals(Status.SUCCESS, read.status());
            assertEquals(4711, client.memory.get(ValueLayout.JAVA_LONG, 0));
            here.disconnect().join();
        }
    }

    @Test
    void anAddressOfTheOtherFamilyIsRefusedAtTheCall() {
        try (Site site = site("::1")) {
            var to = new InetSocketAddress(address("127.0.0.1"), 7174);
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Connector.connectAsync(site.adapter, to, site.queuePair(), ConnectorOptions.DEFAULT));
            assertThrows(
                    IllegalArgumentException.class, () -> Listener.open(site.adapter, to, ListenerOptions.DEFAULT));
        }
    }

    /** A listener at one address leaves the port of the other free. */
    @Test
    void aPortIsTakenOncePerAddress() {
        try (Site six = site("::1");
                Site four = site("127.0.0.1");
                Listener first = Listener.open(six.adapter, six.at(0), ListenerOptions.DEFAULT)) {
            int port = first.address().getPort();
            assertThrows(
                    IllegalStateException.class,
                    () -> Listener.open(six.adapter, six.at(port), ListenerOptions.DEFAULT));
            Listener.open(four.adapter, four.at(port), ListenerOptions.DEFAULT).close();
        }
    }
}
