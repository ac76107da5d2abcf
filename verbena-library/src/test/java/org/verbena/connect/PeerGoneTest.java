package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.RegisterFailure;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.Region;
import org.verbena.trace.Counter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.PreparedMemory;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** A peer that is gone, or a queue pair that fails, ends the connection; a peer that is only silent does not. */
@OverEachWire
final class PeerGoneTest {
    private static final int PORT = 7174;
    private static final long SECOND_NS = 1_000_000_000;

    private final Wire wire;
    private final Sites sites;
    private final Site client;
    private final Site server;
    private QueuePair mine;
    private final QueuePair theirs;

    PeerGoneTest(Wire wire) {
        this.wire = wire;
        sites = new Sites(wire);
        client = sites.a;
        server = sites.b;
        mine = client.queuePair(RegisterFailure.TERMINATE);
        theirs = server.queuePair();
    }

    @AfterEach
    void close() {
        sites.close();
    }

    private List<Connection> connect(Duration keepalive) {
        ConnectionOptions options = ConnectorOptions.DEFAULT.connection().withKeepalive(keepalive);
        try (Listener listener = Listener.open(server.adapter, server.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(
                    client.adapter, server.at(PORT), mine, ConnectorOptions.DEFAULT.withConnection(options));
            Connection there = sites.get(listener.acceptAsync()).accept(theirs, AcceptOptions.DEFAULT);
            sites.get(there.whenEstablished());
            return List.of(sites.get(connecting), there);
        }
    }

    private List<Status> statuses() {
        List<Status> found = new ArrayList<>();
        for (Completion next = client.completions.poll(); next != null; next = client.completions.poll()) {
            found.add(next.status());
        }
        return found;
    }

    @Test
    void anAccessViolationEndsTheConnectionAtBothEnds() {
        List<Connection> both = connect(Duration.ZERO);
        assertTrue(
                mine.post(new WorkRequest.Write(1, LocalSegment.of(client.region, 0, 8), new RemoteMemory(0, 12345))));
        for (Connection end : both) {
            sites.get(end.whenDisconnected());
            assertEquals(Connection.State.DISCONNECTED, end.state());
        }
        assertEquals(List.of(wire == Wire.IWARP ? Status.SUCCESS : Status.REMOTE_ACCESS_ERROR), statuses());
    }

    /** Over RoCE the communication manager tells the peer, over iWARP a terminate message. */
    @Test
    void aRegistrationThatTerminatesEndsTheConnectionAtBothEnds() {
        List<Connection> both = connect(Duration.ZERO);
        assertTrue(theirs.post(new WorkRequest.Receive(3, LocalSegment.of(server.region, 0, 8))));
        registerTooMuch();
        for (Connection end : both) {
            sites.get(end.whenDisconnected());
            assertEquals(Connection.State.DISCONNECTED, end.state());
        }
        assertEquals(List.of(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED), statuses());
        assertEquals(QueuePairState.ERROR, mine.state());
        assertEquals(QueuePairState.ERROR, theirs.state());
        assertEquals(
                Status.FLUSHED,
                Objects.requireNonNull(server.completions.poll()).status());
    }

    @Test
    void aRegistrationThatDrainsKeepsTheConnection() {
        mine.close();
        mine = client.queuePair(RegisterFailure.DRAIN);
        List<Connection> both = connect(Duration.ZERO);
        registerTooMuch();
        sites.pass(100 * SECOND_NS);
        assertEquals(List.of(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR, Status.FLUSHED), statuses());
        both.forEach(end -> assertEquals(Connection.State.ESTABLISHED, end.state()));
        assertEquals(QueuePairState.SEND_QUEUE_ERROR, mine.state());
        mine.resume();
        assertTrue(mine.post(
                new WorkRequest.Write(5, LocalSegment.of(client.region, 0, 8), RemoteMemory.of(server.region))));
        sites.pass(SECOND_NS);
        assertEquals(List.of(Status.SUCCESS), statuses());
    }

    private void registerTooMuch() {
        Region region = client.adapter.reserve(client.domain, 1);
        var memory = PreparedMemory.of(Arena.ofAuto().allocate(8192, 4096), EnumSet.allOf(Right.class));
        assertTrue(mine.post(new WorkRequest.Register(1, region.key(), memory, SendOptions.SIGNALLED)));
        assertTrue(mine.post(new WorkRequest.Send(2, LocalSegment.of(client.region, 0, 8))));
    }

    @Test
    void withoutKeepaliveASilentPeerIsKept() {
        Connection here = connect(Duration.ZERO).getFirst();
        sites.asleep = server;
        sites.pass(100 * SECOND_NS);
        assertFalse(here.whenDisconnected().isDone());
        assertEquals(0, client.adapter.counters().value(Counter.KEEPALIVE_PROBES));
        assertThrows(
                IllegalArgumentException.class, () -> ConnectionOptions.DEFAULT.withKeepalive(Duration.ofNanos(-1)));
    }

    /** Over RoCE the communication managers tell each other, over iWARP the streams end. */
    @Test
    void anAdapterThatClosesEndsTheConnectionsOfItsPeers() {
        Connection here = connect(Duration.ZERO).getFirst();
        assertTrue(mine.post(new WorkRequest.Receive(1, LocalSegment.of(client.region, 0, 8))));
        sites.asleep = server;
        server.close();
        sites.get(here.whenDisconnected());
        assertEquals(QueuePairState.ERROR, mine.state());
        assertEquals(List.of(Status.FLUSHED), statuses());
        sites.until(() -> client.remembered() == 0);
    }
}
