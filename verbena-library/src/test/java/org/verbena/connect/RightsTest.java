package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.link.LinkException;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** A connection never gives the peer a right that the consumer has not given. */
@OverEachWire
final class RightsTest {
    private static final int PORT = 7174;
    private static final Set<Right> NONE = EnumSet.noneOf(Right.class);
    private static final Set<Right> ALL = ConnectionOptions.DEFAULT.remoteRights();

    private final Wire wire;
    private final Sites sites;

    RightsTest(Wire wire) {
        this.wire = wire;
        sites = new Sites(wire);
    }

    @AfterEach
    void close() {
        sites.close();
    }

    private AcceptOptions accepting(Set<Right> rights) {
        return AcceptOptions.DEFAULT.withConnection(
                AcceptOptions.DEFAULT.connection().withRemoteRights(rights));
    }

    private ConnectorOptions asking(Set<Right> rights) {
        return ConnectorOptions.DEFAULT.withConnection(
                ConnectorOptions.DEFAULT.connection().withRemoteRights(rights));
    }

    /**
     * Whether a write by one end into the memory of the other is done. If not, its completion says so over RoCE; over iWARP it is done before the
     * peer refuses it, and the queue pair fails then.
     */
    private boolean mayWrite(Site from, QueuePair writer, Site to) {
        from.memory.set(ValueLayout.JAVA_LONG, 0, 4711);
        assertTrue(
                writer.post(new WorkRequest.Write(1, LocalSegment.of(from.region, 0, 8), RemoteMemory.of(to.region))));
        @Nullable Completion[] found = new @Nullable Completion[1];
        sites.until(() -> (found[0] = from.completions.poll()) != null);
        sites.pass(1_000_000_000);
        boolean written = to.memory.get(ValueLayout.JAVA_LONG, 0) == 4711;
        assertEquals(
                written || wire == Wire.IWARP ? Status.SUCCESS : Status.REMOTE_INVALID_REQUEST,
                Objects.requireNonNull(found[0]).status());
        assertEquals(written ? QueuePairState.READY_TO_SEND : QueuePairState.ERROR, writer.state());
        return written;
    }

    private Connection connect(QueuePair mine, ConnectorOptions asking, QueuePair theirs, AcceptOptions accepting) {
        try (Listener listener = Listener.open(sites.b.adapter, sites.b.at(PORT), ListenerOptions.DEFAULT)) {
            var connecting = Connector.connectAsync(sites.a.adapter, sites.b.at(PORT), mine, asking);
            Connection there = sites.get(listener.acceptAsync()).accept(theirs, accepting);
            sites.get(there.whenEstablished());
            return sites.get(connecting);
        }
    }

    @Test
    void anAcceptedConnectionKeepsTheRightsOfInitialize() {
        QueuePair theirs = sites.b.queuePair();
        theirs.initialize(NONE);
        QueuePair mine = sites.a.queuePair();
        connect(mine, ConnectorOptions.DEFAULT, theirs, AcceptOptions.DEFAULT);
        assertFalse(mayWrite(sites.a, mine, sites.b));
    }

    @Test
    void aConnectionThatWasAskedForKeepsTheRightsOfInitialize() {
        QueuePair mine = sites.a.queuePair();
        mine.initialize(NONE);
        QueuePair theirs = sites.b.queuePair();
        connect(mine, ConnectorOptions.DEFAULT, theirs, AcceptOptions.DEFAULT);
        assertFalse(mayWrite(sites.b, theirs, sites.a));
    }

    @Test
    void theOptionsOfTheConnectionTakeRightsAway() {
        QueuePair mine = sites.a.queuePair();
        QueuePair theirs = sites.b.queuePair();
        theirs.initialize(ALL);
        connect(mine, asking(ALL), theirs, accepting(NONE));
        assertFalse(mayWrite(sites.a, mine, sites.b));
    }

    @Test
    void theRightsOfAnAttemptThatFailedDoNotCountForTheNext() {
        QueuePair mine = sites.a.queuePair();
        var refused = Connector.connectAsync(sites.a.adapter, sites.b.at(PORT + 1), mine, asking(NONE));
        Agent.of(sites.b.adapter);
        sites.until(refused::isDone);
        QueuePair theirs = sites.b.queuePair();
        connect(mine, asking(ALL), theirs, accepting(ALL));
        assertTrue(mayWrite(sites.b, theirs, sites.a));
    }

    @Test
    void aQueuePairConnectedByHandKeepsTheRightsOfInitializeToo() {
        QueuePair mine = sites.a.queuePair();
        QueuePair theirs = sites.b.queuePair();
        theirs.initialize(NONE);
        if (wire == Wire.IWARP) {
            assertThrows(LinkException.class, () -> mine.connect(theirs.address(), ConnectionOptions.DEFAULT));
            return;
        }
        mine.connect(theirs.address(), ConnectionOptions.DEFAULT);
        theirs.readyToReceive(mine.address(), ConnectionOptions.DEFAULT);
        theirs.readyToSend(ConnectionOptions.DEFAULT);
        assertFalse(mayWrite(sites.a, mine, sites.b));
    }
}
