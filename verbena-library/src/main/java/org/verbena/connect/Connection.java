package org.verbena.connect;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.connect.protocol.Conversation;
import org.verbena.connect.protocol.Party;
import org.verbena.queue.EventKind;
import org.verbena.time.Timer;
import org.verbena.verbs.AsyncEvents;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.RejectReason;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/**
 * A connection made by a {@link Connector} or accepted from a {@link Listener}. The queue pair belongs to the consumer, who
 * closes it; when the connection is over it is in ERROR, and what was posted has come back flushed.
 */
public final class Connection implements AutoCloseable {
    /** How far a connection has come. */
    public enum State {
        CONNECTING,
        /** Both ends may send. */
        ESTABLISHED,
        /** This end wants to be off; the peer has not answered yet. */
        DISCONNECTING,
        /** Over, or never made. */
        DISCONNECTED
    }

    private final Agent agent;
    private final QueuePair queuePair;
    private final InetSocketAddress peer;
    private final int psn;
    private final End end = new End();
    private final Watch watch = new Watch();
    private final Timer limit = new Timer(nowNs -> onLimit());
    private final CompletableFuture<Connection> established = new CompletableFuture<>();
    private final CompletableFuture<Connection> disconnected = new CompletableFuture<>();
    private @Nullable Conversation conversation;
    private AcceptOptions wish = AcceptOptions.DEFAULT;
    private volatile State state = State.CONNECTING;
    private volatile PrivateData privateData = PrivateData.NONE;

    private Connection(Agent agent, QueuePair queuePair, InetSocketAddress peer) {
        this.agent = agent;
        this.queuePair = queuePair;
        this.peer = peer;
        this.psn = agent.random() & Psn.MASK;
    }

    // --- beginnings; engine's thread

    /** Asks for a connection. */
    static Connection ask(Agent agent, QueuePair queuePair, InetSocketAddress to, ConnectorOptions options) {
        Connection connection = new Connection(agent, queuePair, to);
        connection.wish = new AcceptOptions(options.connection(), options.privateData());
        Terms.Local local = Terms.Local.of(queuePair, agent.guid(), connection.psn);
        Terms.Way way = Connector.way(agent, queuePair.adapter(), to, ServiceId.tcp(to.getPort()), options);
        agent.claim(queuePair, connection);
        try {
            queuePair.initialize(options.connection().remoteRights());
            connection.conversation = agent.conversations()
                    .connect(
                            way.remote(),
                            connection.end,
                            id -> Terms.request(id, local, way, options),
                            options.peerToPeer());
        } catch (RuntimeException e) {
            agent.release(queuePair, connection);
            throw e;
        }
        agent.schedule(connection.limit, agent.nowNs() + options.timeLimit().toNanos());
        return connection;
    }

    /** Says yes to a request. */
    static Connection accept(
            Agent agent, Conversation asked, QueuePair queuePair, InetSocketAddress from, AcceptOptions options) {
        Connection connection = new Connection(agent, queuePair, from);
        connection.conversation = asked;
        connection.privateData = ConnectionRequest.privateData(asked.request());
        connection.wish = options;
        agent.claim(queuePair, connection);
        try {
            connection.accept(asked.request());
        } catch (RuntimeException e) {
            agent.release(queuePair, connection);
            throw e;
        }
        agent.schedule(connection.limit, agent.nowNs() + CmLimits.ESTABLISH_MAX_NS);
        return connection;
    }

    private void accept(Req req) {
        Terms.Local local = Terms.Local.of(queuePair, agent.guid(), psn);
        if (req.transport().service() != local.transport()) {
            throw new IllegalArgumentException("the peer's queue pair is of another service than "
                    + queuePair.options().service());
        }
        int pkey = Agent.partition(queuePair.adapter(), req.paths().pkey());
        var agreed = Terms.accepted(req, wish.connection())
                .withPkey(pkey < 0 ? req.paths().pkey() : pkey);
        queuePair.initialize(agreed.remoteRights());
        QueuePairAddress there = new QueuePairAddress(talk().peer(), req.end().queuePair(), psn);
        Terms.apply(queuePair, agreed, there, req.end().startingPsn());
        talk().owner(end);
        talk().accept(Terms.reply(talk().localId(), req, local, wish));
    }

    private Conversation talk() {
        Conversation known = conversation;
        assert known != null : "the connection has begun";
        return known;
    }

    // --- what the consumer asks for

    public State state() {
        return state;
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    /** The other end: its address, and the port it listens at or said to come from. */
    public InetSocketAddress peer() {
        return peer;
    }

    /** What the peer's consumer sent with its request or reply; zeros fill the field up. */
    public PrivateData privateData() {
        return privateData;
    }

    /** Completed when both ends may send, with a {@link ConnectException} when that will not be. On the engine's thread. */
    public CompletableFuture<Connection> whenEstablished() {
        return established.copy();
    }

    /** Completed when the connection is over, or did not come about. On the engine's thread. */
    public CompletableFuture<Connection> whenDisconnected() {
        return disconnected.copy();
    }

    /**
     * Waits until both ends may send.
     *
     * @throws ConnectException when that will not be, or not in this time
     */
    public Connection awaitEstablished(Duration timeout) throws InterruptedException {
        agent.port().await(established, timeout);
        if (!established.isDone()) {
            throw ConnectException.timedOut(peer.toString());
        }
        return join(established);
    }

    /** Waits until the connection is over; false when the time is. */
    public boolean awaitDisconnected(Duration timeout) throws InterruptedException {
        agent.port().await(disconnected, timeout);
        return disconnected.isDone();
    }

    static <T> T join(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ConnectException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Ends the connection: the queue pair goes to ERROR at once, the peer is told. Again, or later than the peer: does nothing. */
    public CompletableFuture<Connection> disconnect() {
        agent.port().call(this::end);
        return whenDisconnected();
    }

    private void end() {
        switch (state) {
            case CONNECTING -> {
                talk().disconnect(PrivateData.NONE);
                fail(ConnectException.closed(peer.toString()));
            }
            case ESTABLISHED -> {
                state = State.DISCONNECTING;
                abort();
                talk().disconnect(PrivateData.NONE);
            }
            case DISCONNECTING, DISCONNECTED -> {}
        }
    }

    /** Disconnects without waiting for the peer. Does nothing when the connection is over, or its adapter is closed. */
    @Override
    public void close() {
        if (state != State.DISCONNECTED) {
            agent.callIfOpen(this::end);
        }
    }

    @Override
    public String toString() {
        return "connection with " + peer + " (" + state + ")";
    }

    // --- what happens; engine's thread

    private void onLimit() {
        if (state == State.CONNECTING) {
            talk().disconnect(PrivateData.NONE);
            fail(ConnectException.timedOut(peer.toString()));
        }
    }

    private void succeed() {
        agent.cancel(limit);
        state = State.ESTABLISHED;
        established.complete(this);
    }

    private void fail(ConnectException why) {
        agent.cancel(limit);
        over();
        established.completeExceptionally(why);
        disconnected.complete(this);
    }

    private void over() {
        boolean aborted = state == State.DISCONNECTING || state == State.DISCONNECTED;
        state = State.DISCONNECTED;
        // The consumer may long use the queue pair for something else.
        if (agent.release(queuePair, this) && !aborted && queuePair.state().answers()) {
            abort();
        }
    }

    /** Whether the queue pair is of use to it. */
    boolean isLive() {
        return state == State.CONNECTING || state == State.ESTABLISHED;
    }

    AsyncEvents.Watcher watcher() {
        return watch;
    }

    private void abort() {
        try {
            queuePair.abort();
        } catch (IllegalStateException closed) {
            // Its consumer was faster.
        }
    }

    /** What happens to the queue pair. */
    private final class Watch implements AsyncEvents.Watcher {
        @Override
        public boolean onEvent(EventKind kind) {
            if (kind != EventKind.COMMUNICATION_ESTABLISHED) {
                return false;
            }
            talk().onCommunication();
            return true;
        }

        @Override
        public void onClosed() {
            if (state == State.ESTABLISHED) {
                state = State.DISCONNECTING;
                talk().disconnect(PrivateData.NONE);
            } else {
                end();
            }
        }
    }

    /** The protocol's view of this end. */
    private final class End implements Party {
        @Override
        public void onPeerRequest(Req request) {
            privateData = ConnectionRequest.privateData(request);
            try {
                accept(request);
            } catch (RuntimeException e) {
                unfit(e);
            }
        }

        @Override
        public void onReply(Rep reply) {
            privateData = reply.privateData();
            Conversation talk = talk();
            try {
                QueuePairAddress there =
                        new QueuePairAddress(talk.peer(), reply.end().queuePair(), psn);
                Terms.apply(
                        queuePair,
                        Terms.replied(talk.request(), reply, wish.connection()),
                        there,
                        reply.end().startingPsn());
            } catch (RuntimeException e) {
                unfit(e);
                return;
            }
            talk.ready(PrivateData.NONE);
            succeed();
        }

        private void unfit(RuntimeException e) {
            talk().refuse(RejectReason.CONSUMER, PrivateData.NONE, PrivateData.NONE);
            fail(ConnectException.unfit(peer.toString(), e));
        }

        @Override
        public void onEstablished() {
            succeed();
        }

        @Override
        public void onRefused(Rej rejection) {
            fail(ConnectException.refused(peer.toString(), rejection));
        }

        @Override
        public void onTimedOut() {
            fail(ConnectException.timedOut(peer.toString()));
        }

        @Override
        public void onDisconnected() {
            over();
            disconnected.complete(Connection.this);
        }

        @Override
        public void onClosed() {
            if (state == State.CONNECTING) {
                fail(ConnectException.closed(peer.toString()));
            } else {
                onDisconnected();
            }
        }
    }
}
