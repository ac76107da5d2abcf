package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.RejectReason;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.NanoClock;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.ConnectionOptions;

/** Who may connect, and to which address. */
@Timeout(60)
final class AdmissionTest {
    private static final int PORT = 7174;

    private final InProcessNetwork network = new InProcessNetwork();

    private static Listener open(Site site, InetSocketAddress at, BlockingQueue<Connection> accepted) {
        return Listener.open(
                site.adapter,
                at,
                ListenerOptions.DEFAULT,
                request -> accepted.add(request.accept(site.queuePair(), AcceptOptions.DEFAULT)));
    }

    /** What the peer calls the partition is not in this port's table, and yet the same one. */
    @Test
    void limitedAndFullMembersMeet() throws InterruptedException {
        var accepted = new LinkedBlockingQueue<Connection>();
        try (Site server = new Site(network.open(), NanoClock.system(), AdapterOptions.DEFAULT);
                Site client = new Site(
                        network.open(), NanoClock.system(), AdapterOptions.DEFAULT.withPartitions(0x7fff, 0x7001));
                Listener listener = open(server, server.at(PORT), accepted)) {
            var options = ConnectorOptions.DEFAULT.withConnection(ConnectionOptions.DEFAULT.withPkey(0x7fff));
            Connection here = Connector.connect(client.adapter, listener.address(), client.queuePair(), options);
            assertEquals(Connection.State.ESTABLISHED, here.state());
            ConnectFailedException e = assertThrows(
                    ConnectFailedException.class,
                    () -> Connector.connect(
                            client.adapter,
                            listener.address(),
                            client.queuePair(),
                            options.withConnection(ConnectionOptions.DEFAULT.withPkey(0x7001))));
            assertEquals(RejectReason.UNSUPPORTED, e.reason());
            assertEquals(1, accepted.size());
        }
    }

    @Test
    void aListenerAtOneAddressIsNotThereForTheOthers() throws InterruptedException {
        var accepted = new LinkedBlockingQueue<Connection>();
        List<Endpoint> both =
                List.of(Endpoint.of("10.7.0.1", Endpoint.ROCE_PORT), Endpoint.of("fd00::7", Endpoint.ROCE_PORT));
        InetSocketAddress one = new InetSocketAddress("10.7.0.1", PORT);
        InetSocketAddress other = new InetSocketAddress("fd00::7", PORT);
        try (Site server = new Site(network.open(both), NanoClock.system(), AdapterOptions.DEFAULT);
                Site client = new Site(network.open(), NanoClock.system(), AdapterOptions.DEFAULT)) {
            try (Listener listener = open(server, other, accepted)) {
                assertEquals(other, listener.address());
                ConnectFailedException e = assertThrows(
                        ConnectFailedException.class,
                        () -> Connector.connect(client.adapter, one, client.queuePair(), ConnectorOptions.DEFAULT));
                assertEquals(RejectReason.INVALID_SERVICE_ID, e.reason());
            }
            try (Listener wildcard = open(server, new InetSocketAddress("0.0.0.0", PORT), accepted)) {
                assertEquals(PORT, wildcard.address().getPort());
                Connector.connect(client.adapter, one, client.queuePair(), ConnectorOptions.DEFAULT);
            }
        }
    }
}
