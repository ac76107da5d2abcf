package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.PrivateData;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** Two adapters by sockets; over RoCE at one address, each at the UDP port that the system chose. On a fabric, which has no ports. */
@Timeout(60)
@OverEachWire
final class PeerPortTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Wire wire;
    private final Wires wires;

    PeerPortTest(Wire wire) {
        this.wire = wire;
        wires = new Wires(wire);
    }

    private Site site(String name) {
        return new Site(wires.openBySockets(AdapterOptions.DEFAULT.withName(name)));
    }

    @Test
    void theyConnectHandOverMemoryAndDisconnect() throws InterruptedException {
        try (Site server = site("server");
                Site client = site("client");
                Listener listener = Listener.open(server.adapter, server.at(0), ListenerOptions.DEFAULT)) {
            int port = server.adapter.endpoint().port();
            boolean onePort = wire == Wire.IWARP || Wires.isOnFabric(); // 0, and 4791
            assertEquals(onePort, port == client.adapter.endpoint().port());
            QueuePair mine = client.queuePair();
            var connecting = Connector.connectAsync(
                    client.adapter,
                    listener.address(),
                    mine,
                    ConnectorOptions.DEFAULT
                            .withPeerPort(port)
                            .withMemory(RemoteMemory.of(client.region))
                            .withPrivateData(PrivateData.of((byte) 7)));
            ConnectionRequest request = listener.accept(LONG);
            assertNotNull(request);
            assertEquals(RemoteMemory.of(client.region), request.memory());
            assertEquals(
                    PrivateData.of((byte) 7),
                    request.privateData().from(RemoteMemory.ENCODED_LENGTH).trimmed());
            Connection there = request.accept(
                    server.queuePair(), AcceptOptions.DEFAULT.withMemory(RemoteMemory.of(server.region)));
            Connection here = connecting.join();
            RemoteMemory target = here.memory();
            assertEquals(server.region.length(), target.length());
            assertEquals(EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC), target.rights());
            assertEquals(RemoteMemory.of(client.region), there.memory());
            assertTrue(mine.post(new WorkRequest.Write(1, LocalSegment.of(client.region, 0, 64), target)));
            Completion done = client.completions.poll(LONG);
            assertNotNull(done);
            assertEquals(Status.SUCCESS, done.status());
            here.disconnect().join();
            assertTrue(there.awaitDisconnected(LONG));
        }
    }

    @Test
    void memoryThatWasNotHandedOverIsMissed() throws InterruptedException {
        try (Site server = site("server");
                Site client = site("client");
                Listener listener = Listener.open(
                        server.adapter,
                        server.at(0),
                        ListenerOptions.DEFAULT,
                        request -> request.accept(server.queuePair(), AcceptOptions.DEFAULT))) {
            Connection here = Connector.connect(
                    client.adapter,
                    listener.address(),
                    client.queuePair(),
                    ConnectorOptions.DEFAULT.withPeerPort(
                            server.adapter.endpoint().port()));
            assertThrows(IllegalStateException.class, here::memory);
        }
    }

    @Test
    void memoryAndPrivateDataShareTheirRoom() {
        RemoteMemory memory = new RemoteMemory(1, 2);
        int room = wire == Wire.IWARP ? 508 : 56;
        try (Site site = site("site")) {
            ConnectorOptions tooMuch = ConnectorOptions.DEFAULT
                    .withMemory(memory)
                    .withPrivateData(PrivateData.of(new byte[room - RemoteMemory.ENCODED_LENGTH + 1]));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> Connector.connectAsync(site.adapter, site.at(1), site.queuePair(), tooMuch));
        }
        AcceptOptions full = AcceptOptions.DEFAULT.withPrivateData(PrivateData.of(new byte[484]));
        assertEquals(memory, full.withMemory(memory).memory());
        assertThrows(
                IllegalArgumentException.class,
                () -> AcceptOptions.DEFAULT
                        .withPrivateData(PrivateData.of(new byte[489]))
                        .withMemory(memory));
    }
}
