package org.verbena.tools.perf;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.QueuePairState;
import org.verbena.connect.AcceptOptions;
import org.verbena.connect.Connection;
import org.verbena.connect.Connector;
import org.verbena.connect.ConnectorOptions;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.tools.console.ToolException;
import org.verbena.tools.link.Place;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;

/** One end of a measurement: an adapter with memory, a queue pair and the completion queue of both its directions. */
final class Side implements AutoCloseable {
    private static final int READS_MAX = 128;
    private static final long CONNECT_LIMIT_NS = 10_000_000_000L;

    /** Probes find losses much sooner; this time is for a peer whose threads wait for a core. */
    private static final Duration ACK_TIMEOUT = Duration.ofMillis(537);

    private final PerfPlan plan;
    private final LocalSetting setting;
    private final Layout layout;
    private final MessageMemory memory;
    private final Adapter adapter;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;
    /** Over streams: takes the connection of the peer, unless this side connects. */
    private final @Nullable Listener listener;

    /** At a place, which it closes. */
    Side(Place place, LocalSetting setting, PerfPlan plan) {
        this.plan = plan;
        this.setting = setting;
        this.layout = new Layout(plan);
        this.adapter = place.open(AdapterOptions.DEFAULT
                .withName("perf " + place.name())
                .withRun(setting.run())
                .withIdle(setting.idle())
                .withIwarp(setting.iwarp()));
        this.memory = allocate();
        try {
            ProtectionDomain domain = adapter.createProtectionDomain();
            region = memory.register(adapter, domain);
            // A verified write is two requests, and room for twice as many costs little.
            int sends = 4 * plan.depth();
            completions = adapter.createCompletionQueue(sends + layout.receives());
            queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withCapacity(sends, layout.receives())
                    .withSegmentsMax(1)
                    .withInlineMax(plan.inlineMax()));
            listener = place.hasStreams() ? listen() : null;
        } catch (RuntimeException e) {
            adapter.close();
            throw e;
        }
    }

    private MessageMemory allocate() {
        try {
            return new MessageMemory(setting.memory(), layout.bytes());
        } catch (RuntimeException e) {
            adapter.close();
            throw e;
        }
    }

    private Listener listen() {
        return Listener.open(
                adapter,
                new InetSocketAddress(adapter.endpoint().address(), 0),
                ListenerOptions.DEFAULT.withBacklog(1),
                request -> request.accept(queuePair, AcceptOptions.DEFAULT.withConnection(terms())));
    }

    /** Over streams, the queue pair's address has the port of the listener. */
    SideAddress address() {
        Listener there = listener;
        QueuePairAddress own = queuePair.address();
        QueuePairAddress reached = there == null
                ? own
                : new QueuePairAddress(
                        own.endpoint().withPort(there.address().getPort()), own.number(), own.firstPsn());
        return new SideAddress(reached, RemoteMemory.of(region).plus(layout.landing(0)), adapter.mtuMax());
    }

    private ConnectionOptions terms() {
        int reads = Math.clamp(plan.depth(), 16, READS_MAX);
        return ConnectionOptions.DEFAULT.withReads(reads, reads).withRetries(7, ACK_TIMEOUT);
    }

    /** Connects to a peer that connects as well, or over streams to a peer that is asked. */
    void connect(SideAddress peer, Mtu mtu) {
        if (listener == null) {
            queuePair.connect(peer.queuePair(), terms().withMtu(mtu));
            return;
        }
        CompletableFuture<Connection> connecting = ask(peer);
        awaitReady(connecting::isDone);
        connecting.join();
    }

    private CompletableFuture<Connection> ask(SideAddress peer) {
        InetSocketAddress there = new InetSocketAddress(
                peer.queuePair().endpoint().address(),
                peer.queuePair().endpoint().port());
        return Connector.connectAsync(adapter, there, queuePair, ConnectorOptions.DEFAULT.withConnection(terms()));
    }

    /** The part of the end that is connected to: over streams it waits for the peer. */
    void accept(SideAddress peer, Mtu mtu) {
        if (listener == null) {
            connect(peer, mtu);
        } else {
            awaitReady(() -> queuePair.state() == QueuePairState.READY_TO_SEND);
        }
    }

    /** Connects two ends of this process. */
    static void connect(Side initiator, Side target, Mtu mtu) {
        if (initiator.listener == null) {
            target.connect(initiator.address(), mtu);
            initiator.connect(target.address(), mtu);
            return;
        }
        CompletableFuture<Connection> connecting = initiator.ask(target.address());
        initiator.awaitReady(() -> {
            boolean none = target.completions.poll() == null; // drives a target without a thread
            return none && connecting.isDone();
        });
        connecting.join();
    }

    private void awaitReady(BooleanSupplier ready) {
        long endNs = System.nanoTime() + CONNECT_LIMIT_NS;
        while (!ready.getAsBoolean()) {
            if (System.nanoTime() - endNs > 0) {
                throw new ToolException("the other end did not connect within 10 s");
            }
            if (completions.poll() != null) { // drives an adapter without a thread
                throw new ToolException("a completion found before the ends are connected");
            }
        }
    }

    PerfPlan plan() {
        return plan;
    }

    LocalSetting setting() {
        return setting;
    }

    Layout layout() {
        return layout;
    }

    MessageMemory memory() {
        return memory;
    }

    QueuePair queuePair() {
        return queuePair;
    }

    CompletionQueue completions() {
        return completions;
    }

    Adapter adapter() {
        return adapter;
    }

    /** The memory that the message is gathered from. */
    LocalSegment source(long message) {
        return LocalSegment.of(region, layout.source(message), layout.size());
    }

    /** The memory that the message fills. */
    LocalSegment landing(long message) {
        return LocalSegment.of(region, layout.landing(message), layout.size());
    }

    @Override
    public void close() {
        adapter.close();
        region.close();
        memory.close();
    }
}
