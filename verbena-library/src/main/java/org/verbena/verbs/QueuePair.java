package org.verbena.verbs;

import java.lang.foreign.Arena;
import java.util.Set;
import org.verbena.adapter.Engine;
import org.verbena.adapter.Runner;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.datagram.DatagramParameters;
import org.verbena.adapter.ib.datagram.DatagramQueuePair;
import org.verbena.adapter.ib.message.ConnectedTransport;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.ib.raw.RawQueuePair;
import org.verbena.adapter.ib.reliable.ReliableConnection;
import org.verbena.adapter.ib.unreliable.UnreliableConnection;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.QueuePairTransport;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.memory.Right;
import org.verbena.queue.QueuePairState;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;

/**
 * A send queue and a receive queue, with the {@link Service} of its options.
 *
 * <p>Posting is for one thread at a time per direction; a second one gets a {@link
 * java.util.ConcurrentModificationException}. State changes may come from any thread and take effect before they return.
 */
public final class QueuePair implements EventSource, AutoCloseable {
    private final Adapter adapter;
    private final Engine engine;
    private final Runner runner;
    private final QueuePairOptions options;
    private final Ring sends;
    private final ReceiveSource receives;
    private final OperationCount operations;
    private final QueuePairTransport transport;
    private final int number;
    private final int index;
    private final int firstPsn;
    private volatile boolean closed;

    QueuePair(Adapter adapter, Engine engine, Runner runner, int number, int firstPsn, QueuePairOptions options) {
        this.adapter = adapter;
        this.engine = engine;
        this.runner = runner;
        this.number = number;
        this.index = number & Engine.DOORBELL_MASK;
        this.firstPsn = firstPsn;
        this.options = options;
        this.sends = sendRing(options);
        this.operations = new OperationCount(engine.memory(), options.domain());
        SharedReceiveQueue shared = options.sharedReceives();
        this.receives = shared != null ? shared.source() : ownReceives();
        this.transport = createTransport();
    }

    private QueuePairTransport createTransport() {
        Queues queues = new Queues(
                sends,
                receives,
                options.sendCompletions().ring(),
                options.receiveCompletions().ring());
        return switch (options.service()) {
            case RC -> new ReliableConnection(number, engine, options.domain(), queues);
            case UC -> new UnreliableConnection(number, engine, options.domain(), queues);
            case UD -> new DatagramQueuePair(number, engine, options.domain(), queues);
            case RAW -> new RawQueuePair(number, engine, options.domain(), queues);
        };
    }

    private static Ring sendRing(QueuePairOptions options) {
        int slots = Adapter.powerOfTwo(options.sendCapacity());
        int slotLength = SendSlot.length(options.segmentsMax(), options.inlineMax());
        return Ring.over(Arena.ofAuto().allocate(Ring.lengthOf(slots, slotLength), 128), slots, slotLength);
    }

    private ReceiveSource ownReceives() {
        Ring ring = SharedReceiveQueue.receiveRing(options.receiveCapacity(), options.segmentsMax());
        return new ReceiveSource(ring, false, adapter.asyncEvents().sink(), operations);
    }

    // --- work

    /**
     * Posts to the send queue.
     *
     * @return false, and nothing posted, when the queue is full
     * @throws IllegalStateException before the queue pair is ready to send
     * @throws org.verbena.memory.QuiescingException if a segment lies in a region that is being swapped out, or is
     * @throws IllegalArgumentException for a request that this queue pair was not made for, with what is wrong
     */
    public boolean post(WorkRequest.Sending request) {
        if (!transport.state().takesSends() || closed) {
            throw wrongState("takes no sends");
        }
        boolean posted = WorkEncoder.post(sends, request, options, operations);
        if (posted) {
            engine.doorbell().ring(index);
        }
        return posted;
    }

    /**
     * Posts to the receive queue.
     *
     * @return false, and nothing posted, when the queue is full
     * @throws IllegalStateException before the queue pair is initialized, or when it uses a shared receive queue
     * @throws org.verbena.memory.QuiescingException if a segment lies in a region that is being swapped out, or is
     */
    public boolean post(WorkRequest.Receive request) {
        QueuePairState state = transport.state();
        if (receives.shared() || !state.takesReceives() || closed) {
            throw wrongState(receives.shared() ? "takes receives from a shared queue" : "takes no receives");
        }
        boolean posted = WorkEncoder.post(receives.ring(), request, options.segmentsMax(), operations);
        // The state is looked at once more: what was posted while the engine flushed must be flushed as well.
        if (posted && (receives.ring().takeWanted() || transport.state() == QueuePairState.ERROR)) {
            engine.doorbell().ring(index);
        }
        return posted;
    }

    private IllegalStateException wrongState(String why) {
        return new IllegalStateException("queue pair " + number + " is "
                + (closed ? "closed" : transport.state().label()) + " and " + why);
    }

    // --- connection

    /** What a peer must know to connect to this queue pair. */
    public QueuePairAddress address() {
        return address(adapter.endpoint());
    }

    /** The same, for a peer that shall reach it at this one of the port's addresses: the {@link Route}'s source. */
    public QueuePairAddress address(Endpoint local) {
        return new QueuePairAddress(local, number, firstPsn);
    }

    /** RESET → INIT → RTR → RTS in one call. The other end does the same with this one's {@link #address}. */
    public void connect(QueuePairAddress peer, ConnectionOptions how) {
        initialize(how.remoteRights());
        readyToReceive(peer, how);
        readyToSend(how);
    }

    /** RESET → INIT: receives may be posted; says what the peer may do at all. */
    public void initialize(Set<Right> remoteRights) {
        call(() -> connected().initialize(remoteRights));
    }

    /** INIT → RTR: requests of the peer's are answered. */
    public void readyToReceive(QueuePairAddress peer, ConnectionOptions how) {
        adapter.requireMtu(how.mtu());
        adapter.port().requirePartition(how.pkey());
        Flow flow = how.route().flow(number);
        call(() -> connected()
                .readyToReceive(new ReceiveParameters(
                        new Peer(engine.link().path(peer.endpoint(), flow), peer.number(), how.pkey(), how.mtu()),
                        peer.firstPsn(),
                        how.inboundReads(),
                        how.rnrTimer(),
                        how.endToEndCredits())));
    }

    /** RTR → RTS: sends may be posted. */
    public void readyToSend(ConnectionOptions how) {
        readyToSend(how, firstPsn);
    }

    /** RTR → RTS with a first sequence number of the peer's choice, as a connection manager agrees it. */
    public void readyToSend(ConnectionOptions how, int psn) {
        call(() -> connected()
                .readyToSend(new SendParameters(
                        psn, how.outstandingReads(), how.ackTimeout().toNanos(), how.retries(), how.rnrRetries())));
    }

    /** RESET → INIT for datagrams: receives may be posted, so that the first datagram finds one. */
    public void initialize() {
        call(datagrams()::initialize);
    }

    /**
     * RESET or INIT → RTR → RTS in one call, for datagrams: it receives from anybody who knows its Q_Key.
     */
    public void activate(DatagramOptions how) {
        DatagramQueuePair datagrams = datagrams();
        adapter.port().requirePartition(how.pkey());
        call(() -> datagrams.activate(new DatagramParameters(adapter.mtuMax(), firstPsn, how.pkey(), how.qkey())));
    }

    /**
     * RESET → INIT → RTR → RTS in one call, for raw packets of this EtherType.
     *
     * @throws IllegalStateException if another queue pair of the adapter has the type, or the link carries no raw packets
     */
    public void activateRaw(int etherType) {
        QueuePairOptions.require("etherType", etherType, 0, 0xffff);
        if (!(transport instanceof RawQueuePair raw)) {
            throw new IllegalStateException("queue pair " + number + " has service " + options.service()
                    + "; only RAW has packets of an EtherType");
        }
        call(() -> raw.activate(etherType, adapter.mtuMax()));
    }

    /**
     * Receives what is sent to a multicast group, too. Joining again does nothing.
     *
     * @throws org.verbena.link.LinkException if the link can't join it
     */
    public void join(Endpoint group) {
        DatagramQueuePair datagrams = datagrams();
        call(() -> engine.groups().join(datagrams, group));
    }

    /** The opposite of {@link #join}; does nothing if it is no member. */
    public void leave(Endpoint group) {
        DatagramQueuePair datagrams = datagrams();
        call(() -> engine.groups().leave(datagrams, group));
    }

    private DatagramQueuePair datagrams() {
        if (transport instanceof DatagramQueuePair datagrams) {
            return datagrams;
        }
        throw new IllegalStateException(
                "queue pair " + number + " has service " + options.service() + "; only UD has datagrams and groups");
    }

    /** RTS → SQD: finishes what is begun, begins nothing; {@code SEND_QUEUE_DRAINED} tells when all is done. */
    public void drain() {
        call(transport::drain);
    }

    /** SQD → RTS; with an unreliable service also SQE → RTS, after a request that failed. */
    public void resume() {
        call(transport::resume);
    }

    /** Any → ERROR: everything posted comes back flushed. */
    public void abort() {
        call(transport::abort);
    }

    /** Any → RESET: everything posted is forgotten, without a completion. */
    public void reset() {
        call(transport::reset);
    }

    private ConnectedTransport connected() {
        if (transport instanceof ConnectedTransport connection) {
            return connection;
        }
        throw new IllegalStateException(
                "queue pair " + number + " has service " + options.service() + " and no peer; only RC and UC connect");
    }

    private void call(Runnable command) {
        requireOpen();
        runner.call(() -> {
            requireOpen(); // it may have been closed while the command waited for its turn
            command.run();
        });
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("queue pair " + number + " is closed");
        }
    }

    public QueuePairState state() {
        return transport.state();
    }

    /** Its number, 24 bits. */
    public int number() {
        return number;
    }

    public Adapter adapter() {
        return adapter;
    }

    public QueuePairOptions options() {
        return options;
    }

    QueuePairTransport transport() {
        return transport;
    }

    /**
     * Ends it, with everything posted forgotten. The peer is told if a connection manager made the connection; else it will find
     * out by its retries.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        try {
            runner.call(() -> {
                if (!closed) {
                    closed = true;
                    transport.reset();
                    engine.remove(transport);
                    adapter.asyncEvents().onClosed(this);
                }
            });
        } finally {
            closed = true; // though the engine may be dead
            adapter.release(this);
        }
    }

    @Override
    public String toString() {
        return "queue pair " + number + " (" + transport.state().label() + ")";
    }
}
