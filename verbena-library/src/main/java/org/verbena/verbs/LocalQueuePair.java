package org.verbena.verbs;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.adapter.ib.datagram.DatagramParameters;
import org.verbena.adapter.ib.message.ConnectParameters;
import org.verbena.adapter.ib.message.ReceiveParameters;
import org.verbena.adapter.ib.message.SendParameters;
import org.verbena.adapter.ib.raw.RawParameters;
import org.verbena.adapter.pair.Pair;
import org.verbena.adapter.pair.PairService;
import org.verbena.adapter.pair.Queues;
import org.verbena.adapter.pair.RegisterWork;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkFlow;
import org.verbena.time.Durations;

/** Control of a queue pair whose engine is in this process: each call becomes a command on the engine's thread. */
final class LocalQueuePair implements QueuePairControl {
    private final LocalAdapter adapter;
    private final QueuePairs registry;
    private final QueuePairOptions options;
    private final int number;
    private final int firstPsn;
    private final Pair pair;
    private volatile boolean closed;

    LocalQueuePair(
            LocalAdapter adapter,
            QueuePairs registry,
            QueuePairOptions options,
            int number,
            int firstPsn,
            Queues queues,
            @Nullable RegisterWork registers) {
        this.adapter = adapter;
        this.registry = registry;
        this.options = options;
        this.number = number;
        this.firstPsn = firstPsn;
        this.pair = new Pair(number, options.domain(), queues, adapter.parts(), adapter.carriers(), registers);
    }

    /** The subject of the engine's events about this queue pair. */
    Pair pair() {
        return pair;
    }

    int number() {
        return number;
    }

    QueuePairOptions options() {
        return options;
    }

    /** Makes the engine know the queue pair. Called once, before any other command. */
    void open() {
        adapter.runner().call(() -> adapter.engine().add(pair));
    }

    @Override
    public QueuePairState state() {
        return pair.state();
    }

    // --- connections

    @Override
    public void initialize(Set<Right> remoteRights) {
        requireConnected();
        call(() -> pair.initialize(remoteRights));
    }

    @Override
    public void readyToReceive(QueuePairAddress peer, ConnectionOptions how) {
        PairService service = requireConnected();
        adapter.requireMtu(how.mtu());
        adapter.port().requirePartition(how.pkey());
        LinkFlow flow = how.route().flow(number);
        var receive = new ReceiveParameters(
                peer.firstPsn(), how.inboundReads(), how.rnrTimer(), how.endToEndCredits(), how.peerRnrRetries());
        var parameters =
                new ConnectParameters(service, peer.endpoint(), peer.number(), flow, how.pkey(), how.mtu(), receive);
        call(() -> {
            pair.readyToReceive(parameters);
            pair.narrow(how.remoteRights());
        });
    }

    @Override
    public void readyToSend(ConnectionOptions how, int psn) {
        requireConnected();
        var parameters = new SendParameters(
                psn,
                how.outstandingReads(),
                Durations.toNanos(how.ackTimeout()),
                how.retries(),
                how.rnrRetries(),
                Durations.toNanos(how.keepalive()));
        call(() -> pair.readyToSend(parameters));
    }

    private PairService requireConnected() {
        return switch (options.service()) {
            case RC -> PairService.RELIABLE_CONNECTION;
            case UC -> PairService.UNRELIABLE_CONNECTION;
            case UD, RAW ->
                throw new IllegalStateException("queue pair " + number + " has service " + options.service()
                        + " and no peer; only RC and UC connect");
        };
    }

    // --- datagrams

    @Override
    public void initialize() {
        requireDatagrams();
        call(() -> pair.initialize(Set.of()));
    }

    @Override
    public void activate(DatagramOptions how) {
        requireDatagrams();
        adapter.port().requirePartition(how.pkey());
        var parameters = new DatagramParameters(adapter.mtuMax(), firstPsn, how.pkey(), how.qkey());
        call(() -> pair.activate(parameters));
    }

    @Override
    public void join(Endpoint group) {
        requireDatagrams();
        call(() -> adapter.infiniBand().groups().join(number, group));
    }

    @Override
    public void leave(Endpoint group) {
        requireDatagrams();
        call(() -> adapter.infiniBand().groups().leave(number, group));
    }

    private void requireDatagrams() {
        if (options.service() != Service.UD) {
            throw new IllegalStateException("queue pair " + number + " has service " + options.service()
                    + "; only UD has datagrams and groups");
        }
    }

    @Override
    public void activateRaw(int etherType) {
        QueuePairOptions.require("etherType", etherType, 0, 0xffff);
        if (options.service() != Service.RAW) {
            throw new IllegalStateException("queue pair " + number + " has service " + options.service()
                    + "; only RAW has packets of an EtherType");
        }
        call(() -> pair.activate(new RawParameters(etherType, adapter.mtuMax())));
    }

    // --- any service

    @Override
    public void drain() {
        call(pair::drain);
    }

    @Override
    public void resume() {
        call(pair::resume);
    }

    @Override
    public void abort() {
        call(pair::abort);
    }

    @Override
    public void reset() {
        call(pair::reset);
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
                    pair.reset();
                    adapter.engine().remove(pair);
                    adapter.events().onClosed(pair);
                }
            });
        } finally {
            closed = true; // the engine may have failed and run no command any more
            registry.release(this);
        }
    }
}
