package org.verbena.connect;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.verbena.Gid;
import org.verbena.Wire;
import org.verbena.connect.protocol.Conversations;
import org.verbena.connect.protocol.Surroundings;
import org.verbena.link.Endpoint;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.ManagementPort;
import org.verbena.verbs.QueuePair;
import org.verbena.wire.ib.Partitions;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.mad.MadMessage;

/** Joins the communication manager with one adapter: gives it datagrams, timers and time, and knows which connection has a queue pair. */
final class Agent implements ManagementPort.Handler, Surroundings {
    private static final int EPHEMERAL_FIRST = 0xc000;
    private static final int EPHEMERAL_COUNT = 0x4000;
    /** Refusals taken at once at most. */
    private static final int REFUSALS_MAX = 1024;

    private final ManagementPort port;
    private final Conversations conversations;
    /** The latest connection of each queue pair. Engine's thread. */
    private final Map<QueuePair, ConnectionEnd> holders = new HashMap<>();

    /** Listeners of streams. Engine's thread. */
    private final Set<StreamIntake> doors = new LinkedHashSet<>();

    /** Attempts that wait for a first answer. Engine's thread. */
    private final Set<Consumer<Endpoint>> attempts = new LinkedHashSet<>();

    private final MemorySegment scratch = MemorySegment.ofArray(new byte[Mad.LENGTH]);

    /** Serves the class of data at connect, whose messages belong to the same conversations. */
    private record DataHandler(Agent agent) implements ManagementPort.Handler {
        @Override
        public void onMad(long nowNs, Endpoint source, MemorySegment mad) {
            agent.onMad(nowNs, source, mad);
        }
    }

    private Agent(ManagementPort port) {
        this.port = port;
        this.conversations = new Conversations(this);
    }

    /** The agent of an adapter; made at the first call. Any thread. */
    static Agent of(Adapter adapter) {
        ManagementPort port = adapter.management();
        if (!(port.serve(Mad.CLASS_CM, () -> new Agent(port)) instanceof Agent agent)) {
            throw new IllegalStateException("adapter " + adapter.name() + " has another communication manager");
        }
        if (!(port.serve(Mad.CLASS_DATA, () -> new DataHandler(agent)) instanceof DataHandler)) {
            throw new IllegalStateException("adapter " + adapter.name() + " has another handler of management class "
                    + Mad.CLASS_DATA + ", that of data at connect");
        }
        return agent;
    }

    Conversations conversations() {
        return conversations;
    }

    ManagementPort port() {
        return port;
    }

    /** Runs a command on the engine's thread. Does nothing if the adapter is closed. */
    void callIfOpen(Runnable command) {
        try {
            port.call(command);
        } catch (IllegalStateException closed) {
            // A closed adapter has nothing left to change.
        }
    }

    /** Listeners of streams that are told when the adapter closes. Engine's thread. */
    Set<StreamIntake> doors() {
        return doors;
    }

    // --- queue pairs; engine's thread

    /**
     * Gives a queue pair to a connection, which is told its events from now on.
     *
     * @throws IllegalStateException if another connection uses it
     */
    void claim(QueuePair queuePair, ConnectionEnd connection) {
        if (queuePair.adapter().management() != port) {
            throw new IllegalArgumentException(queuePair + " belongs to another adapter than the connection: "
                    + queuePair.adapter().name());
        }
        ConnectionEnd holder = holders.get(queuePair);
        if (holder != null && !holder.equals(connection) && holder.isLive()) {
            throw new IllegalStateException(queuePair + " is in use: " + holder);
        }
        holders.put(queuePair, connection);
        queuePair.adapter().events().watch(queuePair, connection.watcher());
    }

    /** Takes a queue pair back from a connection; false if the connection does not have it any more. */
    boolean release(QueuePair queuePair, ConnectionEnd connection) {
        boolean held = holders.remove(queuePair, connection);
        if (held) {
            queuePair.adapter().events().watch(queuePair, null);
        }
        return held;
    }

    /** Queue pairs that connections have. Engine's thread. */
    int held() {
        return holders.size();
    }

    // --- refusals by the network; engine's thread

    /** Tells an attempt of ports that do not receive, until it is {@linkplain #endAttempt ended}. */
    void beginAttempt(Consumer<Endpoint> attempt) {
        checkRefusals(); // those that are told by now are about earlier attempts
        attempts.add(attempt);
    }

    void endAttempt(Consumer<Endpoint> attempt) {
        attempts.remove(attempt);
    }

    /** Asks the link for ports that do not receive, and tells the attempts. */
    void checkRefusals() {
        for (int i = 0; i < REFUSALS_MAX; i++) {
            Endpoint refused = port.takeRefusal();
            if (refused == null) {
                return;
            }
            List.copyOf(attempts).forEach(attempt -> attempt.accept(refused));
        }
    }

    // --- addresses

    /** Refuses an adapter whose wire has no datagrams. */
    static void requireDatagrams(Adapter adapter) {
        if (adapter.wire() == Wire.IWARP) {
            throw new IllegalStateException(
                    "adapter " + adapter.name() + " speaks iWARP, which has no datagram services");
        }
    }

    /** The adapter's first address of the peer's family. */
    static Endpoint localFor(Adapter adapter, InetAddress peer) {
        boolean ipv6 = new Endpoint(peer, 0).ipv6();
        return adapter.port().endpoints().stream()
                .filter(local -> local.ipv6() == ipv6)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "adapter " + adapter.name() + " has no address of the kind of " + peer.getHostAddress()
                                + "; it has " + adapter.port().endpoints()));
    }

    /**
     * The endpoint of a peer.
     *
     * @param peerPort the UDP port at which it receives; 0: that of this adapter, as all ports of a network have the same
     */
    static Endpoint remote(Adapter adapter, InetSocketAddress peer, int peerPort) {
        InetAddress address = peer.getAddress();
        if (address == null || address.isAnyLocalAddress()) {
            throw new IllegalArgumentException("a definite address expected; found " + peer);
        }
        int own = localFor(adapter, address).port();
        return new Endpoint(address, peerPort == 0 ? own : peerPort);
    }

    /** What was done for an answer that did not come, for people. */
    static String tried(Endpoint remote, int messages, long durationNs) {
        return tried(messages + (messages == 1 ? " message" : " messages"), remote, durationNs)
                + ". If the adapter there receives at another UDP port, name it: ConnectorOptions.withPeerPort";
    }

    /** The same, with words for what was sent. */
    static String tried(String sent, Endpoint remote, long durationNs) {
        return sent + " to UDP port " + remote.port() + " of "
                + remote.address().getHostAddress() + " in " + durationNs / 1_000_000 + " ms";
    }

    /** The port's own key of the peer's partition; -1 if there is none, or both are limited members. */
    static int partition(Adapter adapter, int peers) {
        for (int own : adapter.port().partitions()) {
            if (Partitions.match(own, peers)) {
                return own;
            }
        }
        return -1;
    }

    static Gid gid(Endpoint endpoint) {
        return new Gid(endpoint.high(), endpoint.low());
    }

    int ephemeralPort() {
        return EPHEMERAL_FIRST + port.seed().nextInt(EPHEMERAL_COUNT);
    }

    // --- what the protocol needs

    @Override
    public void onMad(long nowNs, Endpoint source, MemorySegment mad) {
        conversations.receive(source, mad);
    }

    @Override
    public void onClose() {
        conversations.close();
        List.copyOf(doors).forEach(StreamIntake::onClosed);
    }

    @Override
    public void send(Endpoint to, MadMessage message, long transactionId) {
        message.writeMad(scratch, 0, transactionId);
        port.send(to, scratch);
    }

    @Override
    public void schedule(WheelTimer timer, long deadlineNs) {
        port.schedule(timer, deadlineNs);
    }

    @Override
    public void cancel(WheelTimer timer) {
        port.cancel(timer);
    }

    @Override
    public long nowNs() {
        return port.nowNs();
    }

    @Override
    public int random() {
        return port.seed().nextInt();
    }

    @Override
    public long guid() {
        return port.guid();
    }

    @Override
    public void count(Counter counter) {
        port.counters().add(counter);
    }
}
