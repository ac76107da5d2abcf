package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.Gid;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.connect.protocol.Conversation;
import org.verbena.connect.protocol.Party;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/**
 * A peer's request for a connection, for the consumer to accept with a queue pair or to reject. Without an answer it becomes
 * void after 69 s. Any thread may call everything.
 */
public final class ConnectionRequest {
    private final Agent agent;
    private final Conversation conversation;
    private final Req request;
    private final Waiting waiting = new Waiting();

    ConnectionRequest(Agent agent, Conversation conversation, Req request) {
        this.agent = agent;
        this.conversation = conversation;
        this.request = request;
    }

    /** The peer's address, with the source port that the request states; port 0 if it states none. */
    public InetSocketAddress peer() {
        IpCmHeader header = header(request);
        return new InetSocketAddress(conversation.peer().address(), header == null ? 0 : header.sourcePort());
    }

    /** The private data of the request, filled up with zeros. */
    public PrivateData privateData() {
        return privateData(request);
    }

    /**
     * The memory that the peer has handed over, by {@link ConnectorOptions#withMemory}.
     *
     * @throws IllegalStateException if the peer has handed over none
     */
    public RemoteMemory memory() {
        return Connection.memory(privateData(), peer());
    }

    static PrivateData privateData(Req req) {
        return header(req) == null ? req.privateData() : req.privateData().from(IpCmHeader.LENGTH);
    }

    private static @Nullable IpCmHeader header(Req req) {
        return ServiceId.isIp(req.serviceId()) ? IpCmHeader.of(req.privateData()) : null;
    }

    /** The service id that the request asks for. */
    public long serviceId() {
        return request.serviceId();
    }

    /** The path's MTU; null if the code in the request is not one of an MTU. */
    public @Nullable Mtu mtu() {
        return Mtu.of(request.paths().mtu());
    }

    /** Reads and atomics that the peer wants to have outstanding at once. */
    public int initiatorDepth() {
        return request.reads().initiatorDepth();
    }

    /** Reads and atomics of this end that the peer serves at once. */
    public int responderResources() {
        return request.reads().responderResources();
    }

    /**
     * Accepts the request. The queue pair is in RTS when this returns. The consumer must not send before the connection is
     * {@linkplain Connection#whenEstablished established}: until then the peer may not be ready.
     *
     * @param queuePair in RESET or INIT, of the listener's adapter and of the peer's service; it stays the consumer's
     * @throws ConnectFailedException if the request is void
     * @throws IllegalStateException if the request was answered before, the queue pair has a connection, or the adapter is closed
     * @throws IllegalArgumentException if the queue pair does not fit the request
     */
    public Connection accept(QueuePair queuePair, AcceptOptions options) {
        var connection = new AtomicReference<Connection>();
        agent.port().call(() -> connection.set(acceptNow(queuePair, options)));
        return Objects.requireNonNull(connection.get());
    }

    private Connection acceptNow(QueuePair queuePair, AcceptOptions options) {
        requireUnanswered();
        return ConnectionEnd.accept(agent, conversation, queuePair, peer(), options);
    }

    /**
     * Rejects the request with reason {@link RejectReason#CONSUMER}. Does nothing if the request is void, was answered before,
     * or the adapter is closed.
     *
     * @param data for the peer's consumer, at most 148 bytes
     * @throws IllegalArgumentException if the data are longer
     */
    public void reject(PrivateData data) {
        reject(RejectReason.CONSUMER, data);
    }

    /**
     * Rejects the request with a reason of the standard. Does nothing if the request is void, was answered before, or the
     * adapter is closed.
     *
     * @param data for the peer's consumer, at most 148 bytes
     * @throws IllegalArgumentException if the data are longer
     */
    public void reject(RejectReason reason, PrivateData data) {
        AcceptOptions.requireRoom(data, Rej.PRIVATE_DATA_MAX);
        agent.callIfOpen(() -> {
            if (isOpen()) {
                conversation.refuse(reason, PrivateData.NONE, data);
            }
        });
    }

    /** Whether the request has no answer yet. Engine's thread. */
    boolean isOpen() {
        return conversation.state() == Conversation.State.REQ_RECEIVED;
    }

    /** The address that the request asks for. */
    Gid target() {
        IpCmHeader header = header(request);
        return header == null ? request.paths().primary().remote().gid() : header.target();
    }

    private void requireUnanswered() {
        if (waiting.gone) {
            throw ConnectFailedException.isVoid(peer().toString());
        }
        if (!isOpen()) {
            throw new IllegalStateException("the request of " + peer() + " is answered already");
        }
    }

    /** Whether the request cannot be answered any more: the peer has given up, or the time for an answer is over. */
    public boolean isVoid() {
        return waiting.gone;
    }

    Party party() {
        return waiting;
    }

    @Override
    public String toString() {
        return "request of " + peer();
    }

    /** Owner of the conversation until the request is answered: notes that the peer has gone. */
    private static final class Waiting implements Party {
        private volatile boolean gone;

        @Override
        public void onPeerRequest(Req request) {}

        @Override
        public void onReply(Rep reply) {}

        @Override
        public void onEstablished() {}

        @Override
        public void onRefused(Rej rejection) {
            gone = true;
        }

        @Override
        public void onTimedOut() {
            gone = true;
        }

        @Override
        public void onDisconnected() {
            gone = true;
        }

        @Override
        public void onClosed() {
            gone = true;
        }
    }
}
