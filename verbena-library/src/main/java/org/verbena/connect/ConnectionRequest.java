package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.connect.protocol.Conversation;
import org.verbena.connect.protocol.Party;
import org.verbena.verbs.QueuePair;
import org.verbena.wire.ib.Gid;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.mad.IpCmHeader;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.Rej;
import org.verbena.wire.mad.RejectReason;
import org.verbena.wire.mad.Rep;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/** Somebody wants to connect: accept it with a queue pair, or reject it. After about a minute without an answer it is void. */
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

    /** Who asks, and the port it says to come from: 0 if it does not say. */
    public InetSocketAddress peer() {
        IpCmHeader header = header(request);
        return new InetSocketAddress(conversation.peer().address(), header == null ? 0 : header.sourcePort());
    }

    /** What the peer's consumer sent along; zeros fill the field up. */
    public PrivateData privateData() {
        return privateData(request);
    }

    static PrivateData privateData(Req req) {
        return header(req) == null ? req.privateData() : req.privateData().from(IpCmHeader.LENGTH);
    }

    private static @Nullable IpCmHeader header(Req req) {
        return ServiceId.isIp(req.serviceId()) ? IpCmHeader.of(req.privateData()) : null;
    }

    /** The service asked for. */
    public long serviceId() {
        return request.serviceId();
    }

    /** The path's MTU, or null if the request has none that exists. */
    public @Nullable Mtu mtu() {
        return Mtu.of(request.paths().mtu());
    }

    /** Reads and atomics that the peer wants to have outstanding. */
    public int initiatorDepth() {
        return request.reads().initiatorDepth();
    }

    /** Reads and atomics of this end's that the peer keeps. */
    public int responderResources() {
        return request.reads().responderResources();
    }

    /**
     * Says yes, with a queue pair in RESET or INIT, which is ready to send when this returns. The consumer sends when the
     * connection is {@linkplain Connection#whenEstablished established}: before, the peer may not be ready.
     *
     * @throws ConnectException if the peer has given up meanwhile
     * @throws IllegalStateException if the request was answered before
     */
    public Connection accept(QueuePair queuePair, AcceptOptions options) {
        var connection = new AtomicReference<Connection>();
        agent.port().call(() -> connection.set(acceptNow(queuePair, options)));
        return Objects.requireNonNull(connection.get());
    }

    private Connection acceptNow(QueuePair queuePair, AcceptOptions options) {
        requireUnanswered();
        return Connection.accept(agent, conversation, queuePair, peer(), options);
    }

    /** Says no. The peer's consumer gets the data, at most 148 bytes. Does nothing if the peer has given up meanwhile. */
    public void reject(PrivateData data) {
        reject(RejectReason.CONSUMER, data);
    }

    /** Says no, with a reason of the standard. */
    public void reject(RejectReason reason, PrivateData data) {
        AcceptOptions.requireRoom(data, Rej.PRIVATE_DATA_MAX);
        agent.callIfOpen(() -> {
            if (isOpen()) {
                conversation.refuse(reason, PrivateData.NONE, data);
            }
        });
    }

    /** Whether it waits for an answer. Engine's thread. */
    boolean isOpen() {
        return conversation.state() == Conversation.State.REQ_RECEIVED;
    }

    /** The address it asks for. */
    Gid target() {
        IpCmHeader header = header(request);
        return header == null ? request.paths().primary().remote().gid() : header.target();
    }

    private void requireUnanswered() {
        if (waiting.gone) {
            throw ConnectException.timedOut(peer().toString());
        }
        if (!isOpen()) {
            throw new IllegalStateException("the request of " + peer() + " is answered already");
        }
    }

    /** Whether the peer has given up, or the time for an answer is over. */
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

    /** Whose conversation it is until it is answered: only that the peer goes away is of interest. */
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
