package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.EventKind;
import org.verbena.QueuePairState;
import org.verbena.Status;
import org.verbena.exchange.OverSwitches;
import org.verbena.trace.Counter;
import org.verbena.verbs.AsyncEvent;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** A peer that is gone is noticed by requests without an answer, and by probes. Over RoCE: over iWARP TCP has its own retries and probes. */
@OverSwitches
final class KeepaliveTest {
    private static final int PORT = 7174;
    private static final long SECOND_NS = 1_000_000_000;

    private final Sites sites = new Sites();
    private final Site client = sites.a;
    private final Site server = sites.b;
    private final QueuePair mine = client.queuePair();
    private final QueuePair theirs = server.queuePair();

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
    void aSendToAPeerThatIsGoneEndsTheConnection() {
        Connection here = connect(Duration.ZERO).getFirst();
        var over = here.whenDisconnected();
        sites.asleep = server;
        long startNs = sites.clock.nowNs();
        assertTrue(mine.post(
                new WorkRequest.Write(1, LocalSegment.of(client.region, 0, 8), RemoteMemory.of(server.region))));
        sites.until(over::isDone);
        assertEquals(Connection.State.DISCONNECTED, here.state());
        assertEquals(QueuePairState.ERROR, mine.state());
        assertEquals(List.of(Status.RETRY_EXCEEDED), statuses());
        // The time of the guide: eight waits of 0.54 s.
        long tookNs = sites.clock.nowNs() - startNs;
        assertTrue(tookNs > 4 * SECOND_NS && tookNs < 5 * SECOND_NS, "took " + tookNs + " ns");
        AsyncEvent event = client.adapter.events().poll();
        assertNotNull(event);
        assertEquals(EventKind.QUEUE_PAIR_FATAL, event.kind());
        // The queue pair can be used again.
        sites.asleep = null;
        mine.reset();
        theirs.close();
        assertEquals(QueuePairState.RESET, mine.state());
    }

    @Test
    void anIdlePeerThatIsGoneIsNoticedByKeepalive() {
        Connection here = connect(Duration.ofSeconds(5)).getFirst();
        sites.pass(20 * SECOND_NS);
        assertEquals(Connection.State.ESTABLISHED, here.state(), "a peer that answers is kept");
        long probes = client.adapter.counters().value(Counter.KEEPALIVE_PROBES);
        assertTrue(probes >= 5, probes + " probes");
        sites.asleep = server;
        long startNs = sites.clock.nowNs();
        var over = here.whenDisconnected();
        sites.until(over::isDone);
        long tookNs = sites.clock.nowNs() - startNs;
        assertTrue(tookNs > 3 * SECOND_NS && tookNs <= 5 * SECOND_NS, "took " + tookNs + " ns");
        assertEquals(QueuePairState.ERROR, mine.state());
    }

    @Test
    void probesChangeNothingAtThePeer() {
        List<Connection> both = connect(Duration.ofMillis(50));
        theirs.post(new WorkRequest.Receive(7, LocalSegment.of(server.region, 0, 64)));
        sites.pass(SECOND_NS);
        for (int i = 0; i < 3; i++) {
            assertTrue(mine.post(
                    new WorkRequest.Write(i, LocalSegment.of(client.region, 0, 8), RemoteMemory.of(server.region))));
            sites.pass(SECOND_NS);
        }
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS), statuses());
        assertEquals(null, server.completions.poll(), "no receive was taken");
        assertTrue(mine.post(new WorkRequest.Send(4, LocalSegment.of(client.region, 0, 8))));
        sites.pass(SECOND_NS);
        Completion received = server.completions.poll();
        assertNotNull(received);
        assertEquals(7, received.id());
        both.forEach(end -> assertEquals(Connection.State.ESTABLISHED, end.state()));
        assertEquals(0, server.adapter.counters().value(Counter.KEEPALIVE_PROBES));
    }
}
