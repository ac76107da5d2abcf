package org.verbena.verbs;

import java.util.Set;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.link.Endpoint;

/**
 * Control of one queue pair: everything that is not posting or polling.
 *
 * <p>{@link QueuePair} posts on rings alone and hands every other call to its control. {@link LocalQueuePair} is the
 * control of a queue pair whose engine is in this process. A control plane to an engine in another process implements the
 * same interface; no signature names an engine, a thread or a packet.
 *
 * <p>Any thread may call every method. A change of state has taken effect when the method returns. A method whose service
 * or state does not fit, or that is called after {@link #close}, throws {@link IllegalStateException} and changes nothing.
 */
interface QueuePairControl extends AutoCloseable {
    /** The present state; RESET once it is closed. Does not wait for the engine. */
    QueuePairState state();

    /** RESET or INIT → INIT, of a connection. */
    void initialize(Set<Right> remoteRights);

    /** INIT → RTR, of a connection. */
    void readyToReceive(QueuePairAddress peer, ConnectionOptions how);

    /** RTR → RTS, of a connection; {@code firstPsn} is the sequence number of its first packet. */
    void readyToSend(ConnectionOptions how, int firstPsn);

    /** RESET or INIT → INIT, of a datagram queue pair. */
    void initialize();

    /** RESET or INIT → RTR → RTS, of a datagram queue pair. */
    void activate(DatagramOptions how);

    /** RESET → INIT → RTR → RTS, of a raw queue pair. */
    void activateRaw(int etherType);

    /** Makes a datagram queue pair a member of a multicast group. */
    void join(Endpoint group);

    /** Ends the membership of a datagram queue pair in a multicast group. */
    void leave(Endpoint group);

    /** RTS → SQD. */
    void drain();

    /** SQD or SQE → RTS. */
    void resume();

    /** Any → ERROR. */
    void abort();

    /** Any → RESET. */
    void reset();

    /** Resets the queue pair and gives its number and its parts back. A second call does nothing. */
    @Override
    void close();
}
