package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.verbena.connect.protocol.Resolution;
import org.verbena.link.Endpoint;
import org.verbena.time.Timer;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.QueuePair;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;
import org.verbena.wire.mad.SidrRep;
import org.verbena.wire.mad.SidrReq;

/** Asks for connections. */
public final class Connector {
    private Connector() {}

    /**
     * Connects a queue pair, in RESET or INIT, to whoever listens at an address and port, and waits for it.
     *
     * @throws ConnectException when nobody does, the peer refuses, or the time is over
     * @throws IllegalStateException if the queue pair is connected, or the adapter is run by hand
     */
    public static Connection connect(
            Adapter adapter, InetSocketAddress to, QueuePair queuePair, ConnectorOptions options)
            throws InterruptedException {
        adapter.management().requireMayWait();
        Connection connection = begin(adapter, to, queuePair, options);
        try {
            // The connection has a time limit of its own; the wait need not know it.
            return connection.awaitEstablished(options.timeLimit().plusSeconds(1));
        } catch (InterruptedException | RuntimeException e) {
            connection.close(); // nobody has it
            throw e;
        }
    }

    /** The same without waiting. The future is completed on the engine's thread; who cancels it gives the connection up. */
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
        options.requireRoomIn(Req.PRIVATE_DATA_MAX);
        Agent agent = Agent.of(adapter);
        var connection = new AtomicReference<Connection>();
        agent.port().call(() -> connection.set(Connection.ask(agent, queuePair, to, options)));
        return Objects.requireNonNull(connection.get());
    }

    /** @param ofPort the service of the port asked for, unless the options name another */
    static Terms.Way way(Agent agent, Adapter adapter, InetSocketAddress to, long ofPort, ConnectorOptions options) {
        Endpoint remote = Agent.remote(adapter, to);
        Endpoint local = Agent.localFor(adapter, remote.address());
        int sourcePort = options.sourcePort() != 0 ? options.sourcePort() : agent.ephemeralPort();
        return new Terms.Way(local, remote, options.serviceId() != 0 ? options.serviceId() : ofPort, sourcePort);
    }

    /**
     * Asks for the queue pair that takes datagrams for a port, and waits for the answer.
     *
     * @throws ConnectException when there is none, or no answer in time
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
            throw ConnectException.timedOut(to.toString());
        }
        return Connection.join(answer);
    }

    /** The same without waiting. The future is completed on the engine's thread; who cancels it gives the question up. */
    public static CompletableFuture<DatagramPeer> resolveAsync(
            Adapter adapter, InetSocketAddress to, ConnectorOptions options) {
        Agent agent = Agent.of(adapter);
        Question question = new Question(agent, Agent.remote(adapter, to), to);
        agent.port().call(() -> question.ask(adapter, options));
        return onCancel(question.answer.copy(), () -> agent.callIfOpen(question::cancel));
    }

    /** A service being resolved. */
    private static final class Question implements Resolution.Asker {
        private final Agent agent;
        private final Endpoint remote;
        private final InetSocketAddress to;
        private final CompletableFuture<DatagramPeer> answer = new CompletableFuture<>();
        private final Timer limit = new Timer(nowNs -> onLimit());
        private final AtomicReference<Resolution> resolution = new AtomicReference<>();

        Question(Agent agent, Endpoint remote, InetSocketAddress to) {
            this.agent = agent;
            this.remote = remote;
            this.to = to;
        }

        void ask(Adapter adapter, ConnectorOptions options) {
            Terms.Way way = way(agent, adapter, to, ServiceId.udp(to.getPort()), options);
            resolution.set(agent.conversations()
                    .resolve(
                            remote,
                            id -> new SidrReq(id, Bth.DEFAULT_PKEY, way.serviceId(), way.with(options.privateData())),
                            this,
                            new Resolution.Patience(options.responseTimeout(), options.cmRetries())));
            agent.schedule(limit, agent.nowNs() + options.timeLimit().toNanos());
        }

        private void cancel() {
            agent.cancel(limit);
            Resolution asked = resolution.get();
            if (asked != null) {
                asked.cancel();
            }
        }

        private void onLimit() {
            cancel();
            answer.completeExceptionally(ConnectException.timedOut(to.toString()));
        }

        @Override
        public void onAnswer(SidrRep rep) {
            agent.cancel(limit);
            if (rep.status() == SidrRep.VALID) {
                answer.complete(new DatagramPeer(remote, rep.queuePair(), rep.qkey(), rep.privateData()));
            } else {
                answer.completeExceptionally(
                        ConnectException.unresolved(to.toString(), rep.status(), rep.privateData()));
            }
        }

        @Override
        public void onTimedOut() {
            agent.cancel(limit);
            answer.completeExceptionally(ConnectException.timedOut(to.toString()));
        }

        @Override
        public void onClosed() {
            agent.cancel(limit);
            answer.completeExceptionally(ConnectException.closed(to.toString()));
        }
    }
}
