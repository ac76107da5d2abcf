package org.verbena.connect;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.verbena.PrivateData;
import org.verbena.connect.protocol.CmLimits;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;

/**
 * A connection made by a {@link Connector} or accepted from a {@link Listener}. The queue pair belongs to the consumer, who
 * closes it. When the connection is over the queue pair is in ERROR, and its work requests are completed as flushed. A queue pair
 * that fails, because the peer does not answer for example, ends its connection at once.
 *
 * <p>Any thread may call everything.
 */
public final class Connection implements AutoCloseable {
    /** The stages of a connection, in order. */
    public enum State {
        /** The ends negotiate. */
        CONNECTING,
        /** Both ends may send. */
        ESTABLISHED,
        /** This end has disconnected; the peer has not answered yet. */
        DISCONNECTING,
        /** The connection is over, or was never made. */
        DISCONNECTED
    }

    /** Bytes of data at connect that an end can hand over. */
    public static final int DATA_MAX_BYTES = CmLimits.DATA_MAX_BYTES;

    private final Agent agent;
    private final ConnectionEnd end;
    private final QueuePair queuePair;
    private final InetSocketAddress peer;
    private final CompletableFuture<Connection> established;
    private final CompletableFuture<Connection> disconnected;
    private volatile State state = State.CONNECTING;
    private volatile PrivateData privateData = PrivateData.NONE;
    private volatile PrivateData peerData = PrivateData.NONE;

    Connection(Agent agent, ConnectionEnd end, QueuePair queuePair, InetSocketAddress peer) {
        this.agent = agent;
        this.end = end;
        this.queuePair = queuePair;
        this.peer = peer;
        this.established = new DrivenFuture<>(agent.port());
        this.disconnected = new DrivenFuture<>(agent.port());
    }

    /** The stage the connection is in now. */
    public State state() {
        return state;
    }

    /** The queue pair of this end, given by the consumer. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** The peer's address, with the port it listens at or the source port of its request. */
    public InetSocketAddress peer() {
        return peer;
    }

    /**
     * The private data of the peer's request or reply, filled up with zeros; empty until one has arrived. If the peer has handed over
     * memory they begin with its descriptor, and the peer's own data follow behind {@value RemoteMemory#ENCODED_LENGTH} bytes.
     */
    public PrivateData privateData() {
        return privateData;
    }

    /**
     * The data at connect of the peer, by {@code withData} of its options: exactly its bytes. They are there when the connection is
     * {@linkplain #whenEstablished established}; empty before, and without the option.
     */
    public PrivateData peerData() {
        return peerData;
    }

    /**
     * The memory that the peer has handed over, by {@code withMemory} of its options.
     *
     * @throws IllegalStateException if the peer has handed over none, or no message of it has arrived yet
     */
    public RemoteMemory memory() {
        return memory(privateData, peer);
    }

    static RemoteMemory memory(PrivateData data, InetSocketAddress peer) {
        try {
            return RemoteMemory.decode(data.bytes());
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException(peer + " has handed over no memory: " + e.getMessage(), e);
        }
    }

    /**
     * Gives a future that is completed when both ends may send and have exchanged their data at connect, or with a {@link ConnectFailedException} when the connection fails.
     * It is completed on the engine's thread. Completing or cancelling it changes nothing. Its {@code join} and {@code get} wait as
     * those of {@link #whenDisconnected} do.
     */
    public CompletableFuture<Connection> whenEstablished() {
        return established.copy();
    }

    /**
     * Gives a future that is completed when the connection is over or has failed, or its queue pair has failed. It is completed on the
     * engine's thread. Completing or cancelling it changes nothing. Its {@code join} and {@code get} drive an adapter that runs
     * inline; they throw {@link IllegalStateException} if the adapter is run by hand, or the caller is on the engine's thread.
     */
    public CompletableFuture<Connection> whenDisconnected() {
        return disconnected.copy();
    }

    /**
     * Waits until both ends may send. Drives an adapter that runs inline.
     *
     * @return this connection
     * @throws ConnectFailedException if the connection fails, or the timeout is over
     * @throws IllegalStateException if the adapter is run by hand or has failed, or the caller is on the engine's thread
     */
    public Connection awaitEstablished(Duration timeout) throws InterruptedException {
        agent.port().await(established, timeout);
        if (!established.isDone()) {
            throw ConnectFailedException.timedOut(peer.toString(), end.tried());
        }
        return join(established);
    }

    /**
     * Waits until the connection is over. Drives an adapter that runs inline.
     *
     * @return false if the timeout is over first
     * @throws IllegalStateException if the adapter is run by hand or has failed, or the caller is on the engine's thread
     */
    public boolean awaitDisconnected(Duration timeout) throws InterruptedException {
        agent.port().await(disconnected, timeout);
        return disconnected.isDone();
    }

    static <T> T join(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ConnectFailedException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /**
     * Ends the connection: the queue pair goes to ERROR at once, and the peer is told. Does nothing if either end has
     * disconnected before.
     *
     * @return {@link #whenDisconnected}
     * @throws IllegalStateException if the adapter is closed
     */
    public CompletableFuture<Connection> disconnect() {
        agent.port().call(end::end);
        return whenDisconnected();
    }

    /** Disconnects without waiting for the peer. Does nothing if the connection is over, or its adapter is closed. */
    @Override
    public void close() {
        if (state != State.DISCONNECTED) {
            agent.callIfOpen(end::end);
        }
    }

    @Override
    public String toString() {
        return "connection with " + peer + " (" + state + ")";
    }

    ConnectionEnd end() {
        return end;
    }

    // --- for its end; engine's thread

    void received(PrivateData data) {
        privateData = data;
    }

    void exchanged(PrivateData data) {
        peerData = data;
    }

    void established() {
        state = State.ESTABLISHED;
        established.complete(this);
    }

    void disconnecting() {
        state = State.DISCONNECTING;
    }

    void over() {
        state = State.DISCONNECTED;
    }

    void failed(ConnectFailedException reason) {
        established.completeExceptionally(reason);
        disconnected.complete(this);
    }

    void disconnected() {
        disconnected.complete(this);
    }
}
