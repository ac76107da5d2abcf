package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.link.Endpoint;
import org.verbena.verbs.QueuePair;

/** Adapters with an IPv4 and an IPv6 address on different UDP ports: a connection can be made over either. */
final class AddressFamiliesTest {
    private static final int PORT = 7174;

    /** The order of the local addresses, and which of them the connection uses. */
    @ParameterizedTest(name = "{0} first, connected over {1}")
    @CsvSource({"IPv4,IPv4", "IPv4,IPv6", "IPv6,IPv4", "IPv6,IPv6"})
    void aConnectionIsMadeOverEitherFamily(String first, String used) {
        try (Sites sites = new Sites(addresses(1, first), addresses(2, first));
                Listener listener = Listener.open(
                        sites.b.adapter, new InetSocketAddress(address(2, used), PORT), ListenerOptions.DEFAULT)) {
            QueuePair mine = sites.a.queuePair();
            var connecting =
                    Connector.connectAsync(sites.a.adapter, listener.address(), mine, ConnectorOptions.DEFAULT);
            ConnectionRequest request = sites.get(listener.acceptAsync());
            Connection there = request.accept(sites.b.queuePair(), AcceptOptions.DEFAULT);
            Connection here = sites.get(connecting);
            sites.get(there.whenEstablished());
            assertEquals(Connection.State.ESTABLISHED, here.state());
            assertEquals(
                    Endpoint.of(address(1, used), 0).address(), request.peer().getAddress());
        }
    }

    private static List<Endpoint> addresses(int host, String first) {
        Endpoint ipv4 = Endpoint.of(address(host, "IPv4"), 4791);
        Endpoint ipv6 = Endpoint.of(address(host, "IPv6"), 4792);
        return first.equals("IPv4") ? List.of(ipv4, ipv6) : List.of(ipv6, ipv4);
    }

    private static String address(int host, String family) {
        return family.equals("IPv4") ? "10.0.0." + host : "2001:db8::" + host;
    }
}
