package org.verbena.connect;

import org.verbena.verbs.QueuePair;

/** The use that the end of a connection makes of its queue pair, until the queue pair is the consumer's again. The engine's thread calls everything. */
final class QueuePairUse {
    private final Agent agent;
    private final QueuePair queuePair;
    private final Connection connection;
    private final ConnectionEnd end;

    QueuePairUse(Agent agent, QueuePair queuePair, Connection connection, ConnectionEnd end) {
        this.agent = agent;
        this.queuePair = queuePair;
        this.connection = connection;
        this.end = end;
    }

    /** Whether the connection uses its queue pair. */
    boolean isLive() {
        return connection.state() == Connection.State.CONNECTING || connection.state() == Connection.State.ESTABLISHED;
    }

    /** Gives the queue pair back to the consumer, in ERROR. */
    void over() {
        boolean live = isLive();
        connection.over();
        // A consumer that disconnected may use the queue pair for another connection by now.
        if (agent.release(queuePair, end) && live && queuePair.state().answers()) {
            abort();
        }
    }

    /** Brings the queue pair to ERROR. */
    void abort() {
        try {
            queuePair.abort();
        } catch (IllegalStateException closed) {
            // The consumer has closed the queue pair.
        }
    }
}
