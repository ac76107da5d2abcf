package org.verbena.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.verbs.Completion;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** A connection never gives the peer a right that the consumer has not given. */
final class RightsTest {
    private static final int PORT = 7174;
    private static final Set<Right> NONE = EnumSet.noneOf(Right.class);
    private static final Set<Right> ALL = ConnectionOptions.DEFAULT.remoteRights();

    private final Sites sites = new Sites();

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

    /** Outcome of a write by one end into the memory of the other. */
    private Status write(Site from, QueuePair writer, Site to) {
        assertTrue(
                writer.post(new WorkRequest.Write(1, LocalSegment.of(from.region, 0, 8), RemoteMemory.of(to.region))));
        @Nullable Completion[] found = new @Nullable Completion[1];
        sites.until(() -> (found[0] = from.completions.poll()) != null);
        return Objects.requireNonNull(found[0]).status();
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
        assertEquals(Status.REMOTE_INVALID_REQUEST, write(sites.a, mine, sites.b));
    }

    @Test
    void aConnectionThatWasAskedForKeepsTheRightsOfInitialize() {
        QueuePair mine = sites.a.queuePair();
        mine.initialize(NONE);
        QueuePair theirs = sites.b.queuePair();
        connect(mine, ConnectorOptions.DEFAULT, theirs, AcceptOptions.DEFAULT);
        assertEquals(Status.REMOTE_INVALID_REQUEST, write(sites.b, theirs, sites.a));
    }

    @Test
    void theOptionsOfTheConnectionTakeRightsAway() {
        QueuePair mine = sites.a.queuePair();
        QueuePair theirs = sites.b.queuePair();
        theirs.initialize(ALL);
        connect(mine, asking(ALL), theirs, accepting(NONE));
        assertEquals(Status.REMOTE_INVALID_REQUEST, write(sites.a, mine, sites.b));
    }

    @Test
    void theRightsOfAnAttemptThatFailedDoNotCountForTheNext() {
        QueuePair mine = sites.a.queuePair();
        var refused = Connector.connectAsync(sites.a.adapter, sites.b.at(PORT + 1), mine, asking(NONE));
        Agent.of(sites.b.adapter);
        sites.until(refused::isDone);
        QueuePair theirs = sites.b.queuePair();
        connect(mine, asking(ALL), theirs, accepting(ALL));
        assertEquals(Status.SUCCESS, write(sites.b, theirs, sites.a));
    }

    @Test
    void aQueuePairConnectedByHandKeepsTheRightsOfInitializeToo() {
        QueuePair mine = sites.a.queuePair();
        QueuePair theirs = sites.b.queuePair();
        theirs.initialize(NONE);
        mine.connect(theirs.address(), ConnectionOptions.DEFAULT);
        theirs.readyToReceive(mine.address(), ConnectionOptions.DEFAULT);
        theirs.readyToSend(ConnectionOptions.DEFAULT);
        assertEquals(Status.REMOTE_INVALID_REQUEST, write(sites.a, mine, sites.b));
    }
}
