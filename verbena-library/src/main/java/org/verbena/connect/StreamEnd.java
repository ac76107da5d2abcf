package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.link.Endpoint;
import org.verbena.link.stream.StreamFailure;
import org.verbena.time.Durations;
import org.verbena.time.WheelTimer;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AsyncEvents;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.Service;
import org.verbena.verbs.StreamPort;
import org.verbena.wire.mad.DataAnswer;

/**
 * The end of a {@link Connection} over a stream of iWARP: stands between the opening of the stream and the queue pair. It brings the queue
 * pair to RTS when both ends agree, and to ERROR when the connection is over. The engine's thread calls everything.
 */
final class StreamEnd implements ConnectionEnd, StreamPort.OpeningEnd {
    /** All that a peer can be allowed; the options of the connection say which of them it gets. */
    private static final Set<Right> REMOTE_RIGHTS = Set.of(Right.REMOTE_READ, Right.REMOTE_WRITE, Right.REMOTE_ATOMIC);

    private final Agent agent;
    private final QueuePair queuePair;
    private final Connection connection;
    private final QueuePairUse use;
    private final AcceptOptions wish;
    private final long startNs;
    private final WheelTimer limit = new WheelTimer(nowNs -> onLimit());
    /** Fires as soon as the queue pair has failed: the end of the connection must not run in the middle of the failure. */
    private final WheelTimer failure = new WheelTimer(nowNs -> onFailure());

    private final Watch watch = new Watch();
    private StreamPort.@Nullable Opening opening;

    private StreamEnd(Agent agent, QueuePair queuePair, InetSocketAddress peer, AcceptOptions wish) {
        this.agent = agent;
        this.queuePair = queuePair;
        this.connection = new Connection(agent, this, queuePair, peer);
        this.use = new QueuePairUse(agent, queuePair, connection, this);
        this.wish = wish;
        this.startNs = agent.nowNs();
    }

    // --- beginnings

    /** Refuses options that streams do not have. */
    static void require(Adapter adapter, ConnectorOptions options) {
        requireStream(adapter, options.handedOver(), options.data());
        if (options.serviceId() != 0) {
            throw new IllegalArgumentException("service id 0x" + Long.toHexString(options.serviceId())
                    + " found, a port expected: iWARP has no service ids");
        }
        if (options.peerToPeer()) {
            throw new IllegalArgumentException(
                    "a connection that both ends ask for found; over iWARP one end asks and the other accepts");
        }
    }

    private static void requireStream(Adapter adapter, PrivateData handedOver, @Nullable PrivateData data) {
        AcceptOptions.requireRoom(handedOver, adapter.streams().privateDataMax(data != null));
    }

    /** Asks for a connection. */
    static Connection ask(Agent agent, QueuePair queuePair, InetSocketAddress to, ConnectorOptions options) {
        AcceptOptions wish =
                new AcceptOptions(options.connection(), options.privateData(), options.memory(), options.data());
        StreamEnd end = new StreamEnd(agent, queuePair, to, wish);
        Adapter adapter = queuePair.adapter();
        Endpoint remote = new Endpoint(Agent.remote(adapter, to, 0).address(), to.getPort());
        agent.claim(queuePair, end);
        try {
            end.initialize();
            end.opening =
                    adapter.streams().connect(remote, options.sourcePort(), end.offer(), options.timeLimit(), end);
        } catch (RuntimeException e) {
            agent.release(queuePair, end);
            throw e;
        }
        agent.schedule(end.limit, Durations.deadlineNs(agent.nowNs(), options.timeLimit()));
        return end.connection;
    }

    /** Accepts a request. */
    static Connection accept(
            Agent agent, StreamPort.Opening asked, QueuePair queuePair, InetSocketAddress from, AcceptOptions options) {
        requireStream(queuePair.adapter(), options.handedOver(), options.data());
        StreamEnd end = new StreamEnd(agent, queuePair, from, options);
        end.opening = asked;
        end.connection.received(asked.peerData());
        agent.claim(queuePair, end);
        try {
            end.initialize();
        } catch (RuntimeException e) {
            agent.release(queuePair, end);
            throw e;
        }
        if (options.data() != null && !asked.announcesData()) {
            asked.reject(PrivateData.NONE);
            end.fail(ConnectFailedException.dataRefused(end.peer(), DataAnswer.UNWANTED));
            return end.connection;
        }
        agent.schedule(end.limit, agent.nowNs() + CmLimits.ESTABLISH_MAX_NS);
        asked.owner(end);
        asked.accept(end.offer());
        return end.connection;
    }

    /** RESET → INIT. A queue pair that the consumer has initialized keeps the rights of that call. */
    private void initialize() {
        if (queuePair.options().service() != Service.RC) {
            throw new IllegalArgumentException(
                    queuePair + " is of service " + queuePair.options().service() + ", RC expected");
        }
        if (queuePair.state() != QueuePairState.INIT) {
            queuePair.initialize(REMOTE_RIGHTS);
        }
    }

    private StreamPort.Offer offer() {
        ConnectionOptions own = wish.connection();
        return new StreamPort.Offer(own.inboundReads(), own.outstandingReads(), wish.handedOver(), wish.data());
    }

    // --- the opening

    @Override
    public void onAgreed(StreamPort.Agreed agreed) {
        connection.received(agreed.privateData());
        PrivateData data = agreed.data();
        if (data != null) {
            connection.exchanged(data);
        } else if (wish.data() != null) {
            abandon();
            fail(ConnectFailedException.dataRefused(peer(), DataAnswer.UNWANTED));
            return;
        }
        ConnectionOptions options = wish.connection().withReads(agreed.outstandingReads(), agreed.inboundReads());
        try {
            Terms.apply(queuePair, options, new QueuePairAddress(agreed.remote(), agreed.number(), 0), 0);
        } catch (RuntimeException e) {
            abandon();
            fail(ConnectFailedException.unfit(peer(), e));
            return;
        }
        opening = null; // the queue pair has the stream: nothing is left to give up, and the frames need not stay
        if (!agreed.awaitsReady()) {
            establish();
        }
    }

    private void establish() {
        agent.cancel(limit);
        connection.established();
    }

    @Override
    public void onRejected(PrivateData data) {
        fail(ConnectFailedException.rejected(peer(), data));
    }

    @Override
    public void onFailed(StreamFailure why, String detail) {
        fail(
                why == StreamFailure.TIMED_OUT
                        ? ConnectFailedException.timedOut(peer(), detail + "; " + tried())
                        : ConnectFailedException.noStream(peer(), detail));
    }

    private void abandon() {
        StreamPort.Opening begun = opening;
        if (begun != null) {
            begun.abandon();
        }
    }

    // --- the end

    @Override
    public void end() {
        switch (connection.state()) {
            case CONNECTING -> {
                abandon();
                fail(ConnectFailedException.closed(peer()));
            }
            case ESTABLISHED -> disconnect();
            case DISCONNECTING, DISCONNECTED -> {}
        }
    }

    /** The peer is told by the end of the stream; no answer is awaited. */
    private void disconnect() {
        connection.disconnecting();
        use.abort();
        use.over();
        connection.disconnected();
    }

    private void onFailure() {
        switch (connection.state()) {
            case CONNECTING -> fail(ConnectFailedException.broken(peer()));
            case ESTABLISHED -> {
                use.over();
                connection.disconnected();
            }
            case DISCONNECTING, DISCONNECTED -> {}
        }
    }

    private void onLimit() {
        if (connection.state() == Connection.State.CONNECTING) {
            abandon();
            fail(ConnectFailedException.timedOut(peer(), tried()));
        }
    }

    private void fail(ConnectFailedException reason) {
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
    public String tried() {
        return "a stream to TCP port " + connection.peer().getPort() + " for " + (agent.nowNs() - startNs) / 1_000_000
                + " ms";
    }

    @Override
    public String toString() {
        return connection.toString();
    }

    /** Events of the queue pair. */
    private final class Watch implements AsyncEvents.Watcher {
        @Override
        public boolean onEvent(EventKind kind) {
            return switch (kind) {
                case COMMUNICATION_ESTABLISHED -> {
                    if (connection.state() == Connection.State.CONNECTING) {
                        establish();
                    }
                    yield true;
                }
                case STREAM_ENDED -> {
                    agent.schedule(failure, agent.nowNs());
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
            end();
        }
    }
}
