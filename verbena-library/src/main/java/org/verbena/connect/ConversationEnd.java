package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.RejectReason;
import org.verbena.Right;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.connect.protocol.Conversation;
import org.verbena.connect.protocol.DataExchange;
import org.verbena.connect.protocol.Party;
import org.verbena.link.Endpoint;
import org.verbena.time.Durations;
import org.verbena.time.WheelTimer;
import org.verbena.verbs.AsyncEvents;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.wire.ib.Psn;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/**
 * The end of a {@link Connection} that was made by the communication manager: stands between the conversation and the queue pair. It brings the queue pair to RTS
 * when both ends agree, and to ERROR when the connection is over. The engine's thread calls everything.
 */
final class ConversationEnd implements ConnectionEnd, Party {
    /** All that a peer can be allowed; the options of the connection say which of them it gets. */
    private static final Set<Right> REMOTE_RIGHTS = Set.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC);

    private final Agent agent;
    private final QueuePair queuePair;
    private final Connection connection;
    private final QueuePairUse use;
    private final AcceptOptions wish;
    /** Sequence number of the first packet that the peer sends. */
    private final int psn;

    private final Watch watch = new Watch();
    private final WheelTimer limit = new WheelTimer(nowNs -> onLimit());
    /** Fires as soon as the queue pair has failed: the end of the connection must not run in the middle of the failure. */
    private final WheelTimer failure = new WheelTimer(nowNs -> onFailure());

    private final long startNs;
    private @Nullable RefusalWatch refusals;
    private @Nullable Conversation conversation;
    /** Data at connect; null if the consumer wants none. */
    private @Nullable DataExchange exchange;

    private ConversationEnd(Agent agent, QueuePair queuePair, InetSocketAddress peer, AcceptOptions wish) {
        this.agent = agent;
        this.queuePair = queuePair;
        this.connection = new Connection(agent, this, queuePair, peer);
        this.use = new QueuePairUse(agent, queuePair, connection, this);
        this.wish = wish;
        this.psn = agent.random() & Psn.MASK;
        this.startNs = agent.nowNs();
    }

    // --- beginnings

    /** Asks for a connection. */
    static Connection ask(Agent agent, QueuePair queuePair, InetSocketAddress to, ConnectorOptions options) {
        AcceptOptions wish =
                new AcceptOptions(options.connection(), options.privateData(), options.memory(), options.data());
        ConversationEnd end = new ConversationEnd(agent, queuePair, to, wish);
        Terms.Local local = Terms.Local.of(queuePair, agent.guid(), end.psn);
        Terms.Way way = Connector.way(agent, queuePair.adapter(), to, ServiceId.tcp(to.getPort()), options);
        agent.claim(queuePair, end);
        try {
            end.initialize();
            end.conversation = agent.conversations()
                    .connect(way.remote(), end, id -> Terms.request(id, local, way, options), options.peerToPeer());
        } catch (RuntimeException e) {
            agent.release(queuePair, end);
            throw e;
        }
        end.prepareExchange();
        if (!options.peerToPeer()) { // the peer may not have begun yet
            end.watchRefusals(way.remote());
        }
        agent.schedule(end.limit, Durations.deadlineNs(agent.nowNs(), options.timeLimit()));
        return end.connection;
    }

    /** Accepts a request. */
    static Connection accept(
            Agent agent, Conversation asked, QueuePair queuePair, InetSocketAddress from, AcceptOptions options) {
        AcceptOptions.requireRoom(options.handedOver(), Rep.PRIVATE_DATA_MAX);
        ConversationEnd end = new ConversationEnd(agent, queuePair, from, options);
        end.conversation = asked;
        end.connection.received(ConversationAsking.privateData(asked.request()));
        agent.claim(queuePair, end);
        try {
            end.accept(asked.request());
        } catch (RuntimeException e) {
            agent.release(queuePair, end);
            throw e;
        }
        end.prepareExchange();
        agent.schedule(end.limit, agent.nowNs() + CmLimits.ESTABLISH_MAX_NS);
        return end.connection;
    }

    private void accept(Req req) {
        Terms.Local local = Terms.Local.of(queuePair, agent.guid(), psn);
        if (req.transport().service() != local.transport()) {
            throw new IllegalArgumentException("the peer's queue pair is of another service than "
                    + queuePair.options().service());
        }
        int asked = req.paths().pkey();
        int own = Agent.partition(queuePair.adapter(), asked);
        var agreed = Terms.accepted(req, wish.connection()).withPkey(own < 0 ? asked : own);
        initialize();
        QueuePairAddress there =
                new QueuePairAddress(conversation().peer(), req.end().queuePair(), psn);
        Terms.apply(queuePair, agreed, there, req.end().startingPsn());
        conversation().owner(this);
        conversation().accept(Terms.reply(conversation().localId(), req, local, wish));
    }

    /**
     * RESET → INIT. A queue pair that the consumer has initialized keeps the rights of that call; the options of the connection
     * can only take some away, when it becomes ready to receive.
     */
    private void initialize() {
        if (queuePair.state() != QueuePairState.INIT) {
            queuePair.initialize(REMOTE_RIGHTS);
        }
    }

    /** Has the conversation exchange data at connect, if the consumer wants that. In the call that begins or accepts it. */
    private void prepareExchange() {
        PrivateData own = wish.data();
        if (own != null) {
            exchange = conversation().exchange(own, new Handover());
        }
    }

    private Conversation conversation() {
        Conversation known = conversation;
        assert known != null : "the connection has begun";
        return known;
    }

    // --- the end

    @Override
    public void end() {
        switch (connection.state()) {
            case CONNECTING -> {
                conversation().disconnect(PrivateData.NONE);
                fail(ConnectFailedException.closed(peer()));
            }
            case ESTABLISHED -> {
                connection.disconnecting();
                use.abort();
                conversation().disconnect(PrivateData.NONE);
            }
            case DISCONNECTING, DISCONNECTED -> {}
        }
    }

    private void watchRefusals(Endpoint remote) {
        RefusalWatch watching = new RefusalWatch(agent, remote, this::onUnreachable);
        refusals = watching;
        watching.begin();
    }

    private void forgetRefusals() {
        RefusalWatch watching = refusals;
        if (watching != null) {
            refusals = null;
            watching.end();
        }
    }

    /** The network has refused the request. */
    private void onUnreachable() {
        if (connection.state() == Connection.State.CONNECTING) {
            conversation().drop();
            fail(ConnectFailedException.unreachable(peer(), conversation().peer()));
        }
    }

    /** The queue pair has failed: nothing goes through the connection any more. */
    private void onFailure() {
        switch (connection.state()) {
            case CONNECTING -> {
                conversation().disconnect(PrivateData.NONE);
                fail(ConnectFailedException.broken(peer()));
            }
            case ESTABLISHED -> conversation().abandon();
            case DISCONNECTING, DISCONNECTED -> {}
        }
    }

    private void onLimit() {
        if (connection.state() == Connection.State.CONNECTING) {
            conversation().disconnect(PrivateData.NONE);
            fail(timedOut());
        }
    }

    private void fail(ConnectFailedException reason) {
        forgetRefusals();
        agent.cancel(limit);
        use.over();
        connection.failed(reason);
    }

    @Override
    public boolean isLive() {
        return use.isLive();
    }

    @Override
    public AsyncEvents.Watcher watcher() {
        return watch;
    }

    private String peer() {
        return connection.peer().toString();
    }

    @Override
    public String toString() {
        return connection.toString();
    }

    // --- events of the protocol

    @Override
    public void onPeerRequest(Req request) {
        connection.received(ConversationAsking.privateData(request));
        try {
            accept(request);
        } catch (RuntimeException e) {
            unfit(e);
        }
    }

    @Override
    public void onReply(Rep reply) {
        forgetRefusals();
        connection.received(reply.privateData());
        Conversation asked = conversation();
        try {
            QueuePairAddress there =
                    new QueuePairAddress(asked.peer(), reply.end().queuePair(), psn);
            Terms.apply(
                    queuePair,
                    Terms.replied(asked.request(), reply, wish.connection()),
                    there,
                    reply.end().startingPsn());
        } catch (RuntimeException e) {
            unfit(e);
            return;
        }
        asked.ready(PrivateData.NONE);
        onEstablished();
    }

    private void unfit(RuntimeException e) {
        conversation().refuse(RejectReason.CONSUMER, PrivateData.NONE, PrivateData.NONE);
        fail(ConnectFailedException.unfit(peer(), e));
    }

    /** Both ends may send. The consumer is told when the data at connect are exchanged too. */
    @Override
    public void onEstablished() {
        if (exchange == null) {
            establish();
        }
    }

    private void establish() {
        agent.cancel(limit);
        connection.established();
    }

    @Override
    public void onRefused(Rej rejection) {
        boolean itself = rejection.reason() == RejectReason.INVALID_SERVICE_ID.code()
                && queuePair
                        .adapter()
                        .port()
                        .endpoints()
                        .contains(conversation().peer());
        fail(
                itself
                        ? ConnectFailedException.refusedByItself(
                                peer(), conversation().peer(), rejection.reason())
                        : ConnectFailedException.refused(peer(), rejection));
    }

    /** The failure of an attempt without an answer, with what was tried. */
    private ConnectFailedException timedOut() {
        DataExchange data = exchange;
        return data != null && data.isBegun()
                ? ConnectFailedException.dataTimedOut(peer(), tried())
                : ConnectFailedException.timedOut(peer(), tried());
    }

    @Override
    public String tried() {
        Endpoint remote = conversation().peer();
        DataExchange data = exchange;
        long durationNs = agent.nowNs() - startNs;
        return data != null && data.isBegun()
                ? Agent.tried(data.progress(), remote, durationNs)
                : Agent.tried(remote, conversation().messagesSent(), durationNs);
    }

    @Override
    public void onTimedOut() {
        fail(timedOut());
    }

    @Override
    public void onDisconnected() {
        DataExchange data = exchange;
        if (connection.state() == Connection.State.CONNECTING && data != null) {
            fail(ConnectFailedException.ended(peer(), data.progress()));
            return;
        }
        use.over();
        connection.disconnected();
    }

    @Override
    public void onClosed() {
        if (connection.state() == Connection.State.CONNECTING) {
            fail(ConnectFailedException.closed(peer()));
        } else {
            onDisconnected();
        }
    }

    /** What becomes of the data at connect. */
    private final class Handover implements DataExchange.Owner {
        @Override
        public void onExchanged(PrivateData theirs) {
            connection.exchanged(theirs);
            establish();
        }

        @Override
        public void onDataRefused(int status) {
            conversation().disconnect(PrivateData.NONE);
            fail(ConnectFailedException.dataRefused(peer(), status));
        }

        @Override
        public void onDataUnanswered() {
            conversation().disconnect(PrivateData.NONE);
            fail(timedOut());
        }
    }

    /** Events of the queue pair. */
    private final class Watch implements AsyncEvents.Watcher {
        @Override
        public boolean onEvent(EventKind kind) {
            return switch (kind) {
                case COMMUNICATION_ESTABLISHED -> {
                    conversation().onCommunication();
                    yield true;
                }
                case QUEUE_PAIR_FATAL, QUEUE_PAIR_REQUEST_ERROR, QUEUE_PAIR_ACCESS_ERROR -> {
                    agent.schedule(failure, agent.nowNs());
                    yield false;
                }
                default -> false;
            };
        }

        @Override
        public void onClosed() {
            if (connection.state() == Connection.State.ESTABLISHED) {
                connection.disconnecting();
                conversation().disconnect(PrivateData.NONE);
            } else {
                end();
            }
        }
    }
}
