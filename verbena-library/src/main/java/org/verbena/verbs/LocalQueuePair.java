package org.verbena.verbs;

import java.util.Set;
import org.verbena.adapter.Engine;
import org.verbena.adapter.ib.Peer;
import org.verbena.adapter.ib.datagram.DatagramParameters;
import org.verbena.adapter.ib.datagram.DatagramQueuePair;
import org.verbena.adapter.ib.message.ConnectedTransport;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.ib.raw.RawQueuePair;
import org.verbena.adapter.ib.reliable.ReliableConnection;
import org.verbena.adapter.ib.unreliable.UnreliableConnection;
import org.verbena.adapter.pair.QueuePairTransport;
import org.verbena.adapter.pair.Queues;
import org.verbena.link.Endpoint;
import org.verbena.link.Flow;
import org.verbena.memory.Right;
import org.verbena.queue.QueuePairState;
import org.verbena.time.Durations;

/** Control of a queue pair whose engine is in this process: each call becomes a command on the engine's thread. */
final class LocalQueuePair implements QueuePairControl {
    private final LocalAdapter adapter;
    private final QueuePairs registry;
    private final QueuePairOptions options;
    private final int number;
    private final int firstPsn;
    private final QueuePairTransport transport;
    private volatile boolean closed;

    LocalQueuePair(
            LocalAdapter adapter,
            QueuePairs registry,
            QueuePairOptions options,
            int number,
            int firstPsn,
            Queues queues) {
        this.adapter = adapter;
        this.registry = registry;
        this.options = options;
        this.number = number;
        this.firstPsn = firstPsn;
        this.transport = transport(adapter.engine(), queues);
    }

    private QueuePairTransport transport(Engine engine, Queues queues) {
        return switch (options.service()) {
            case RC -> new ReliableConnection(number, engine, options.domain(), queues);
            case UC -> new UnreliableConnection(number, engine, options.domain(), queues);
            case UD -> new DatagramQueuePair(number, engine, options.domain(), queues);
            case RAW -> new RawQueuePair(number, engine, options.domain(), queues);
        };
    }

    /** The subject of the engine's events about this queue pair. */
    QueuePairTransport transport() {
        return transport;
    }

    int number() {
        return number;
    }

    QueuePairOptions options() {
        return options;
    }

    /** Makes the engine know the queue pair. Called once, before any other command. */
    void open() {
        adapter.runner().call(() -> adapter.engine().add(transport));
    }

    @Override
    public QueuePairState state() {
        return transport.state();
    }

    // --- connections

    @Override
    public void initialize(Set<Right> remoteRights) {
        call(() -> connected().initialize(remoteRights));
    }

    @Override
    public void readyToReceive(QueuePairAddress peer, ConnectionOptions how) {
        adapter.requireMtu(how.mtu());
        adapter.port().requirePartition(how.pkey());
        Flow flow = how.route().flow(number);
        call(() -> connected()
                .readyToReceive(new ReceiveParameters(
                        new Peer(
                                adapter.engine().link().path(peer.endpoint(), flow),
                                peer.number(),
                                how.pkey(),
                                how.mtu()),
                        peer.firstPsn(),
                        how.inboundReads(),
                        how.rnrTimer(),
                        how.endToEndCredits())));
    }

    @Override
    public void readyToSend(ConnectionOptions how, int psn) {
        call(() -> connected()
                .readyToSend(new SendParameters(
                        psn,
                        how.outstandingReads(),
                        Durations.toNanos(how.ackTimeout()),
                        how.retries(),
                        how.rnrRetries())));
    }

    private ConnectedTransport connected() {
        if (transport instanceof ConnectedTransport connection) {
            return connection;
        }
        throw new IllegalStateException(
                "queue pair " + number + " has service " + options.service() + " and no peer; only RC and UC connect");
    }

    // --- datagrams

    @Override
    public void initialize() {
        call(datagrams()::initialize);
    }

    @Override
    public void activate(DatagramOptions how) {
        DatagramQueuePair datagrams = datagrams();
        adapter.port().requirePartition(how.pkey());
        call(() -> datagrams.activate(new DatagramParameters(adapter.mtuMax(), firstPsn, how.pkey(), how.qkey())));
    }

    @Override
    public void join(Endpoint group) {
        DatagramQueuePair datagrams = datagrams();
        call(() -> adapter.engine().groups().join(datagrams, group));
    }

    @Override
    public void leave(Endpoint group) {
        DatagramQueuePair datagrams = datagrams();
        call(() -> adapter.engine().groups().leave(datagrams, group));
    }

    private DatagramQueuePair datagrams() {
        if (transport instanceof DatagramQueuePair datagrams) {
            return datagrams;
        }
        throw new IllegalStateException(
                "queue pair " + number + " has service " + options.service() + "; only UD has datagrams and groups");
    }

    @Override
    public void activateRaw(int etherType) {
        QueuePairOptions.require("etherType", etherType, 0, 0xffff);
        if (!(transport instanceof RawQueuePair raw)) {
            throw new IllegalStateException("queue pair " + number + " has service " + options.service()
                    + "; only RAW has packets of an EtherType");
        }
        call(() -> raw.activate(etherType, adapter.mtuMax()));
    }

    // --- any service

    @Override
    public void drain() {
        call(transport::drain);
    }

    @Override
    public void resume() {
        call(transport::resume);
    }

    @Override
    public void abort() {
        call(transport::abort);
    }

    @Override
    public void reset() {
        call(transport::reset);
    }

    private void call(Runnable command) {
        requireOpen();
        adapter.runner().call(() -> {
            requireOpen(); // it may have been closed while the command waited for its turn
            command.run();
        });
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("queue pair " + number + " is closed");
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        try {
            adapter.runner().call(() -> {
                if (!closed) {
                    closed = true;
                    transport.reset();
                    adapter.engine().remove(transport);
                    adapter.events().onClosed(transport);
                }
            });
        } finally {
            closed = true; // the engine may have failed and run no command any more
            registry.release(this);
        }
    }
}
