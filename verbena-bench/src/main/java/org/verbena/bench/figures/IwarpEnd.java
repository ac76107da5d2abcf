package org.verbena.bench.figures;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.verbena.Wire;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.memory.ProtectionDomain;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.SendSlot;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/** An adapter over iWARP on TCP loopback whose queue pairs share one completion queue. */
final class IwarpEnd implements AutoCloseable {
    private static final int CAPACITY = 8;

    private final Adapter adapter;
    private final QueuePairOptions options;

    IwarpEnd(String name) {
        adapter = Adapter.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                AdapterOptions.DEFAULT.withWire(Wire.IWARP).withName(name));
        ProtectionDomain domain = adapter.createProtectionDomain();
        CompletionQueue completions = adapter.createCompletionQueue(1 << 12);
        options = QueuePairOptions.of(domain, completions).withCapacity(CAPACITY, CAPACITY);
    }

    Adapter adapter() {
        return adapter;
    }

    QueuePair queuePair() {
        return adapter.createQueuePair(options);
    }

    /** Bytes of the send queue and the receive queue of one queue pair. */
    long queueBytes() {
        return Ring.lengthOf(CAPACITY, SendSlot.length(options.segmentsMax(), options.inlineMax()))
                + Ring.lengthOf(CAPACITY, ReceiveSlot.length(options.segmentsMax()));
    }

    /** Accepts every request, with a queue pair of its own that is closed when the connection is over. */
    Listener listen() {
        return Listener.open(
                adapter,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ListenerOptions.DEFAULT,
                this::accept);
    }

    /** On the engine's thread, as soon as the request arrives. */
    private void accept(ConnectionRequest request) {
        QueuePair queuePair = queuePair();
        Connection accepted = request.accept(queuePair, AcceptOptions.DEFAULT);
        var _ = accepted.whenDisconnected().thenRun(queuePair::close);
    }

    @Override
    public void close() {
        adapter.close();
    }
}
