package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.link.LinkException;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;

/** A queue pair is one connection's at a time: those before leave it alone, those that want it too are refused. */
@OverEachWire
final class OwnershipTest {
    private static final int PORT = 7174;

    private final Wire wire;
    private final Sites sites;
    private final Site client;
    private final Site server;
    private final Listener listener;

    OwnershipTest(Wire wire) {
        this.wire = wire;
        sites = new Sites(wire);
        client = sites.a;
        server = sites.b;
        listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT);
    }

    @AfterEach
    void nothingIsLeft() {
        listener.close();
        sites.pass(200_000_000_000L);
        assertEquals(0, client.remembered(), "remembered at the client");
        assertEquals(0, server.remembered(), "remembered at the server");
        sites.close();
    }

    private record Both(Connection here, Connection there) {}

    private Both connect(QueuePair mine) {
        var connecting = Connector.connectAsync(client.adapter, server.at(PORT), mine, ConnectorOptions.DEFAULT);
        Connection there = sites.get(listener.acceptAsync()).accept(server.queuePair(), AcceptOptions.DEFAULT);
        Connection here = sites.get(connecting);
        sites.get(there.whenEstablished());
        return new Both(here, there);
    }

    @Test
    void theLateEndOfAConnectionLeavesItsSuccessorAlone() {
        QueuePair mine = client.queuePair();
        Both first = connect(mine);
        sites.asleep = server;
        var over = first.here().disconnect();
        mine.reset();
        Listener another = Listener.open(client.adapter, client.at(PORT), ListenerOptions.DEFAULT);
        var connecting = Connector.connectAsync(client.adapter, client.at(PORT), mine, ConnectorOptions.DEFAULT);
        Connection there = sites.get(another.acceptAsync()).accept(client.queuePair(), AcceptOptions.DEFAULT);
        Connection second = sites.get(connecting);
        sites.get(there.whenEstablished());
        sites.asleep = null;
        sites.get(over);
        assertEquals(Connection.State.ESTABLISHED, second.state());
        assertEquals(QueuePairState.READY_TO_SEND, mine.state());
        sites.get(second.disconnect());
        assertEquals(QueuePairState.ERROR, mine.state());
        another.close();
    }

    @Test
    void theLateEndOfAConnectionLeavesAQueuePairConnectedByHandAlone() {
        QueuePair mine = client.queuePair();
        Both first = connect(mine);
        var over = first.here().disconnect();
        mine.reset();
        QueuePair other = client.queuePair();
        if (wire == Wire.IWARP) {
            sites.get(over);
            assertThrows(LinkException.class, () -> mine.connect(other.address(), ConnectionOptions.DEFAULT));
            return;
        }
        mine.connect(other.address(), ConnectionOptions.DEFAULT);
        sites.get(over);
        assertEquals(QueuePairState.READY_TO_SEND, mine.state());
    }

    @Test
    void aQueuePairInUseIsRefused() {
        QueuePair mine = client.queuePair();
        Both both = connect(mine);
        assertThrows(
                IllegalStateException.class,
                () -> Connector.connectAsync(client.adapter, server.at(PORT), mine, ConnectorOptions.DEFAULT));
        mine.reset();
        assertThrows(
                IllegalStateException.class,
                () -> Connector.connectAsync(client.adapter, server.at(PORT), mine, ConnectorOptions.DEFAULT));
        var connecting =
                Connector.connectAsync(client.adapter, server.at(PORT), client.queuePair(), ConnectorOptions.DEFAULT);
        ConnectionRequest request = sites.get(listener.acceptAsync());
        assertThrows(
                IllegalStateException.class, () -> request.accept(both.there().queuePair(), AcceptOptions.DEFAULT));
        assertThrows(IllegalArgumentException.class, () -> request.accept(client.queuePair(), AcceptOptions.DEFAULT));
        Connection there = request.accept(server.queuePair(), AcceptOptions.DEFAULT);
        sites.get(sites.get(connecting).disconnect());
        sites.get(there.whenDisconnected());
        sites.get(both.here().disconnect());
        sites.get(both.there().whenDisconnected());
    }

    @Test
    void aClosedQueuePairEndsItsConnection() {
        QueuePair mine = client.queuePair();
        Both both = connect(mine);
        mine.close();
        sites.get(both.there().whenDisconnected());
        sites.get(both.here().whenDisconnected());
        assertEquals(QueuePairState.ERROR, both.there().queuePair().state());
        // And one that is being made.
        QueuePair unready = client.queuePair();
        var connecting = Connector.connectAsync(client.adapter, server.at(PORT), unready, ConnectorOptions.DEFAULT);
        ConnectionRequest request = sites.get(listener.acceptAsync());
        unready.close();
        ConnectFailedException e = assertThrows(ConnectFailedException.class, () -> sites.get(connecting));
        assertEquals(ConnectFailedException.Kind.CLOSED, e.kind());
        sites.until(request::isVoid);
    }
}
