package org.verbena.connect;

import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.PrivateData;
import org.verbena.RejectReason;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;

/**
 * A peer's request for a connection, for the consumer to accept with a queue pair or to reject. Without an answer it becomes
 * void after 69 s. Any thread may call everything.
 */
public final class ConnectionRequest {
    private final Agent agent;
    private final Asking asking;

    ConnectionRequest(Agent agent, Asking asking) {
        this.agent = agent;
        this.asking = asking;
    }

    /** The peer's address, with the source port that the request states; port 0 if it states none. */
    public InetSocketAddress peer() {
        return asking.peer();
    }

    /** The private data of the request; over RoCEv2 filled up with zeros. */
    public PrivateData privateData() {
        return asking.privateData();
    }

    /**
     * The memory that the peer has handed over, by {@link ConnectorOptions#withMemory}.
     *
     * @throws IllegalStateException if the peer has handed over none
     */
    public RemoteMemory memory() {
        return Connection.memory(privateData(), peer());
    }

    /** The service id that the request asks for; over iWARP that of the listener's port. */
    public long serviceId() {
        return asking.serviceId();
    }

    /** The path's MTU; null if the code in the request is not one of an MTU, and over iWARP. */
    public @Nullable Mtu mtu() {
        return asking.mtu();
    }

    /** Reads and atomics that the peer wants to have outstanding at once; -1 if it does not say, which iWARP allows. */
    public int initiatorDepth() {
        return asking.initiatorDepth();
    }

    /** Reads and atomics of this end that the peer serves at once; -1 if it does not say, which iWARP allows. */
    public int responderResources() {
        return asking.responderResources();
    }

    /**
     * Accepts the request. The queue pair is in RTS when this returns; over iWARP it is when the connection is established. The consumer must
     * not send before the connection is {@linkplain Connection#whenEstablished established}: until then the peer may not be ready.
     *
     * @param queuePair in RESET or INIT, of the listener's adapter and of the peer's service; it stays the consumer's
     * @throws ConnectFailedException if the request is void
     * @throws IllegalStateException if the request was answered before, the queue pair has a connection, or the adapter is closed
     * @throws IllegalArgumentException if the queue pair or the options do not fit the request
     */
    public Connection accept(QueuePair queuePair, AcceptOptions options) {
        var connection = new AtomicReference<Connection>();
        agent.port().call(() -> connection.set(acceptNow(queuePair, options)));
        return Objects.requireNonNull(connection.get());
    }

    private Connection acceptNow(QueuePair queuePair, AcceptOptions options) {
        requireUnanswered();
        return asking.accept(queuePair, options);
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
     * Rejects the request with a reason of the standard, which iWARP does not carry. Does nothing if the request is void, was answered before,
     * or the adapter is closed.
     *
     * @param data for the peer's consumer, at most 148 bytes
     * @throws IllegalArgumentException if the data are longer
     */
    public void reject(RejectReason reason, PrivateData data) {
        AcceptOptions.requireRoom(data, asking.rejectionDataMax());
        agent.callIfOpen(() -> {
            if (asking.isOpen()) {
                asking.refuse(reason, data);
            }
        });
    }

    /** Whether the request has no answer yet. Engine's thread. */
    boolean isOpen() {
        return asking.isOpen();
    }

    private void requireUnanswered() {
        if (asking.isVoid()) {
            throw ConnectFailedException.isVoid(peer().toString());
        }
        if (!isOpen()) {
            throw new IllegalStateException("the request of " + peer() + " is answered already");
        }
    }

    /** Whether the request cannot be answered any more: the peer has given up, or the time for an answer is over. */
    public boolean isVoid() {
        return asking.isVoid();
    }

    @Override
    public String toString() {
        return "request of " + peer();
    }
}
