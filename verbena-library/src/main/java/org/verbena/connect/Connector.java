package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.RejectReason;
import org.verbena.Wire;
import org.verbena.connect.protocol.Resolution;
import org.verbena.link.Endpoint;
import org.verbena.time.Durations;
import org.verbena.time.WheelTimer;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.QueuePair;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** Asks peers for connections, and for the queue pairs of datagram services. Any thread may call everything. */
public final class Connector {
    private Connector() {}

    /**
     * Connects a queue pair to a listener, and waits until the connection is established. Drives an adapter that runs inline.
     * An interrupt gives the attempt up.
     *
     * @param to address and port of the listener; the address must be of the family of one of the adapter's addresses
     * @param queuePair in RESET or INIT, of the adapter; it stays the consumer's
     * @throws ConnectFailedException if there is no listener, the peer rejects the request, or the time limit is over
     * @throws IllegalStateException if the queue pair has a connection, the adapter is run by hand or closed, or the caller is on
     *     the engine's thread
     * @throws IllegalArgumentException if the queue pair, the address or the private data do not fit
     */
    public static Connection connect(
            Adapter adapter, InetSocketAddress to, QueuePair queuePair, ConnectorOptions options)
            throws InterruptedException {
        adapter.management().requireMayWait();
        Connection connection = begin(adapter, to, queuePair, options);
        try {
            // The connection ends the wait by its own time limit; the wait only has to be longer.
            return connection.awaitEstablished(options.timeLimit().plusSeconds(1));
        } catch (InterruptedException | RuntimeException e) {
            connection.close(); // the caller does not get it
            throw e;
        }
    }

    /**
     * Like {@link #connect}, without waiting, and for an adapter that is run by hand too.
     *
     * @return completed on the engine's thread, with the established connection or a {@link ConnectFailedException}. Cancelling it gives
     *     the attempt up
     * @throws IllegalStateException if the queue pair has a connection, or the adapter is closed
     * @throws IllegalArgumentException if the queue pair, the address or the private data do not fit
     */
    public static CompletableFuture<Connection> connectAsync(
            Adapter adapter, InetSocketAddress to, QueuePair queuePair, ConnectorOptions options) {
        Connection connection = begin(adapter, to, queuePair, options);
        return onCancel(connection.whenEstablished(), connection::close);
    }

    private static <T> CompletableFuture<T> onCancel(CompletableFuture<T> future, Runnable action) {
        var _ = future.whenComplete((value, failed) -> {
            if (future.isCancelled()) {
                action.run();
            }
        });
        return future;
    }

    private static Connection begin(
            Adapter adapter, InetSocketAddress to, QueuePair queuePair, ConnectorOptions options) {
        if (queuePair.adapter() != adapter) {
            throw new IllegalArgumentException(queuePair + " belongs to another adapter than " + adapter.name());
        }
        boolean streams = adapter.wire() == Wire.IWARP;
        if (streams) {
            StreamEnd.require(adapter, options);
        } else {
            options.requireRoomIn(Req.PRIVATE_DATA_MAX);
        }
        Agent agent = Agent.of(adapter);
        var connection = new AtomicReference<Connection>();
        agent.port()
                .call(() -> connection.set(
                        streams
                                ? StreamEnd.ask(agent, queuePair, to, options)
                                : ConversationEnd.ask(agent, queuePair, to, options)));
        return Objects.requireNonNull(connection.get());
    }

    /** @param ofPort the service of the port, which counts unless the options name another */
    static Terms.Way way(Agent agent, Adapter adapter, InetSocketAddress to, long ofPort, ConnectorOptions options) {
        Endpoint remote = Agent.remote(adapter, to, options.peerPort());
        Endpoint local = Agent.localFor(adapter, remote.address());
        int sourcePort = options.sourcePort() != 0 ? options.sourcePort() : agent.ephemeralPort();
        return new Terms.Way(local, remote, options.serviceId() != 0 ? options.serviceId() : ofPort, sourcePort);
    }

    /**
     * Asks a peer for the queue pair that takes the datagrams of a port, and waits for the answer. Drives an adapter that runs
     * inline. An interrupt gives the question up.
     *
     * @param to address of the peer, and the datagram port
     * @throws ConnectFailedException if the peer has no such service, or no answer comes in time
     * @throws IllegalStateException if the adapter is run by hand or closed, or the caller is on the engine's thread
     * @throws IllegalArgumentException if the address does not fit, or the options have data at connect
     */
    public static DatagramPeer resolve(Adapter adapter, InetSocketAddress to, ConnectorOptions options)
            throws InterruptedException {
        adapter.management().requireMayWait();
        CompletableFuture<DatagramPeer> answer = resolveAsync(adapter, to, options);
        try {
            adapter.management().await(answer, options.timeLimit().plusSeconds(1));
        } finally {
            answer.cancel(false);
        }
        if (answer.isCancelled()) {
            throw ConnectFailedException.timedOut(
                    to.toString(), "waited longer than the time limit of " + options.timeLimit());
        }
        return Connection.join(answer);
    }

    /**
     * Like {@link #resolve}, without waiting, and for an adapter that is run by hand too.
     *
     * @return completed on the engine's thread, with the answer or a {@link ConnectFailedException}. Cancelling it gives the question up
     * @throws IllegalStateException if the adapter is closed
     * @throws IllegalArgumentException if the address does not fit, or the options have data at connect
     */
    public static CompletableFuture<DatagramPeer> resolveAsync(
            Adapter adapter, InetSocketAddress to, ConnectorOptions options) {
        if (options.data() != null) {
            throw new IllegalArgumentException(
                    "data at connect need a connection: a question for a datagram service has none; found "
                            + options.data().length() + " bytes");
        }
        Agent.requireDatagrams(adapter);
        options.requireRoomIn(SidrReq.PRIVATE_DATA_MAX);
        Agent agent = Agent.of(adapter);
        Question question = new Question(adapter, agent, Agent.remote(adapter, to, options.peerPort()), to);
        agent.port().call(() -> question.ask(options));
        return onCancel(question.answer.copy(), () -> agent.callIfOpen(question::cancel));
    }

    /** A question for a datagram service, and the consumer's future. */
    private static final class Question implements Resolution.Asker {
        private final Adapter adapter;
        private final Agent agent;
        private final Endpoint remote;
        private final InetSocketAddress to;
        private final CompletableFuture<DatagramPeer> answer;
        private final WheelTimer limit = new WheelTimer(nowNs -> onLimit());
        private final long startNs;
        private final RefusalWatch refusals;
        private final AtomicReference<Resolution> resolution = new AtomicReference<>();

        Question(Adapter adapter, Agent agent, Endpoint remote, InetSocketAddress to) {
            this.adapter = adapter;
            this.agent = agent;
            this.remote = remote;
            this.to = to;
            this.startNs = agent.nowNs();
            this.answer = new DrivenFuture<>(agent.port());
            this.refusals = new RefusalWatch(agent, remote, this::onUnreachable);
        }

        void ask(ConnectorOptions options) {
            Terms.Way way = way(agent, adapter, to, ServiceId.udp(to.getPort()), options);
            resolution.set(agent.conversations()
                    .resolve(
                            remote,
                            id -> new SidrReq(
                                    id, Partitions.DEFAULT_KEY, way.serviceId(), way.with(options.privateData())),
                            this,
                            new Resolution.Patience(options.responseTimeout(), options.cmRetries())));
            refusals.begin();
            agent.schedule(limit, Durations.deadlineNs(agent.nowNs(), options.timeLimit()));
        }

        private void onUnreachable() {
            cancel();
            answer.completeExceptionally(ConnectFailedException.unreachable(to.toString(), remote));
        }

        private void cancel() {
            refusals.end();
            agent.cancel(limit);
            Resolution asked = resolution.get();
            if (asked != null) {
                asked.cancel();
            }
        }

        private void onLimit() {
            cancel();
            answer.completeExceptionally(timedOut());
        }

        @Override
        public void onAnswer(SidrRep rep) {
            refusals.end();
            agent.cancel(limit);
            if (rep.status() == SidrRep.VALID) {
                answer.complete(new DatagramPeer(remote, rep.queuePair(), rep.qkey(), rep.privateData()));
            } else if (adapter.port().endpoints().contains(remote)) {
                answer.completeExceptionally(ConnectFailedException.refusedByItself(
                        to.toString(), remote, RejectReason.INVALID_SERVICE_ID.code()));
            } else {
                answer.completeExceptionally(
                        ConnectFailedException.unresolved(to.toString(), rep.status(), rep.privateData()));
            }
        }

        @Override
        public void onTimedOut() {
            refusals.end();
            agent.cancel(limit);
            answer.completeExceptionally(timedOut());
        }

        private ConnectFailedException timedOut() {
            Resolution asked = resolution.get();
            int messages = asked == null ? 0 : asked.messagesSent();
            return ConnectFailedException.timedOut(
                    to.toString(), Agent.tried(remote, messages, agent.nowNs() - startNs));
        }

        @Override
        public void onClosed() {
            refusals.end();
            agent.cancel(limit);
            answer.completeExceptionally(ConnectFailedException.closed(to.toString()));
        }
    }
}
