package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.Status;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.time.NanoClock;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** An attempt to connect to a UDP port without an adapter ends by the ICMP message of the system, long before its time limit. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a wait that never ends ignores interrupts
@SuppressWarnings("AddressSelection") // literal addresses have no other
final class NetworkRefusalTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private static Link link() {
        Link link = UdpNetwork.open(Endpoint.of("127.0.0.1", 0));
        assumeTrue(link.name().contains("Linux"), "only the Linux driver hears of refusals");
        return link;
    }

    private static Site site(AdapterOptions.Run run) {
        return site(link(), run);
    }

    private static Site site(Link link, AdapterOptions.Run run) {
        return new Site(link, NanoClock.system(), AdapterOptions.DEFAULT.withRun(run));
    }

    /**
     * A UDP port that no adapter and no other program can have. Its socket is connected to another peer, so the system refuses packets
     * of all others.
     */
    private static DatagramSocket refusing() throws IOException {
        DatagramSocket socket = new DatagramSocket(0, InetAddress.getByName("127.0.0.1"));
        socket.connect(InetAddress.getByName("127.0.0.2"), 9);
        return socket;
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MANUAL")
    void theAttemptEnds(AdapterOptions.Run run) throws IOException {
        try (Site site = site(run);
                DatagramSocket refusing = refusing()) {
            int port = refusing.getLocalPort();
            InetSocketAddress to = new InetSocketAddress("127.0.0.1", 7174);
            ConnectorOptions options =
                    ConnectorOptions.DEFAULT.withPeerPort(port).withTimeLimit(LONG);
            for (int i = 0; i < 3; i++) {
                ConnectFailedException e = assertThrows(
                        ConnectFailedException.class,
                        () -> Connector.connect(site.adapter, to, site.queuePair(), options));
                assertEquals(ConnectFailedException.Kind.REFUSED, e.kind());
                assertEquals(null, e.reason());
                assertTrue(String.valueOf(e.getMessage()).contains("UDP port " + port), e.getMessage());
            }
            ConnectFailedException question =
                    assertThrows(ConnectFailedException.class, () -> Connector.resolve(site.adapter, to, options));
            assertTrue(String.valueOf(question.getMessage()).contains("ICMP"), question.getMessage());
        }
    }

    /** The system tells of a refusal at the next send of the socket, to whichever peer: that packet must not be lost. */
    @Test
    void otherConnectionsLoseNothing() throws IOException, InterruptedException {
        Link link = link();
        try (Site server = site(AdapterOptions.Run.THREAD);
                Site client = site(link, AdapterOptions.Run.THREAD);
                DatagramSocket refusing = refusing();
                Listener listener = Listener.open(
                        server.adapter,
                        server.at(0),
                        ListenerOptions.DEFAULT,
                        request -> request.accept(server.queuePair(), AcceptOptions.DEFAULT))) {
            QueuePair mine = client.queuePair();
            int port = server.adapter.endpoint().port();
            Connector.connect(client.adapter, listener.address(), mine, ConnectorOptions.DEFAULT.withPeerPort(port));
            ConnectorOptions nowhere = ConnectorOptions.DEFAULT
                    .withPeerPort(refusing.getLocalPort())
                    .withTimeLimit(LONG);
            List<Status> found = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                var refused = Connector.connectAsync(client.adapter, client.at(7174), client.queuePair(), nowhere);
                assertTrue(mine.post(new WorkRequest.Write(
                        i, LocalSegment.of(client.region, 0, 64), RemoteMemory.of(server.region))));
                Completion done = client.completions.poll(Duration.ofSeconds(30));
                assertNotNull(done);
                found.add(done.status());
                assertThrows(RuntimeException.class, refused::join);
            }
            assertTrue(found.stream().allMatch(status -> status == Status.SUCCESS), found.toString());
            // A packet that is lost is sent again, and its write succeeds all the same.
            assertEquals(0, link.counters().sendDropped());
        }
    }
}
