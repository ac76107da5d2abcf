package org.verbena.services.push;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.verbena.PrivateData;
import org.verbena.Right;
import org.verbena.connect.ConnectionRequest;
import org.verbena.connect.Listener;
import org.verbena.connect.ListenerOptions;
import org.verbena.link.WakeSource;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.services.push.wire.Hello;
import org.verbena.services.push.wire.Refusal;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.time.TimerWheel;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.Service;

/**
 * The messaging layer of a node: makes service connections and accepts them, and moves all their messages and data. It hides queue pairs, work requests,
 * completions and registered memory.
 *
 * <p>One thread calls {@link #work} again and again, and every other method but {@link #wakeup}. That thread may wait in {@link #await} when there is nothing to do.
 */
public final class MessagingLayer implements AutoCloseable {
    /** Completions of one connection that are not polled, at most, with the default options. */
    private static final int COMPLETIONS_PER_CONNECTION = 2048;

    private static final int COMPLETIONS_MAX = 1 << 20;
    private static final int BATCH = 64;
    /** Batches of completions that one turn takes at most. */
    private static final int BATCHES = 4;
    /** Bytes of the reason in a rejection at most. */
    private static final int REASON_BYTES = 140;

    private final Adapter adapter;
    private final SendBuffers buffers;
    private final int connectionsMax;
    private final NanoClock clock;
    private final CompletionQueue completions;
    private final ProtectionDomain domain;
    private final Region sendRegion;
    private final TimerWheel wheel;
    private final Completions batch = new Completions(BATCH);
    private final ChannelTable channels = new ChannelTable();
    private final Map<Long, ServiceConnection> connections = new HashMap<>();
    private final ArrayDeque<ServiceConnection> active = new ArrayDeque<>();
    private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
    private final Seed cookies = Seed.unpredictable();
    private final List<Listener> listeners = new ArrayList<>();
    private final ServiceCounters hellos = new ServiceCounters();
    private final int completionCapacity;
    private int completionsReserved;
    private long nowNs;
    private long rejected;
    private boolean closed;

    /**
     * Makes a layer.
     *
     * @param adapter stays the caller's; closed after the layer. An adapter of {@link org.verbena.verbs.AdapterOptions.Run#INLINE} is driven by {@link
     *     #work}
     * @param clock the adapter's
     * @param buffers of all data that its connections send; their arena is closed after the layer
     * @param connectionsMax service connections at once, 1 … 1,024
     */
    public MessagingLayer(Adapter adapter, NanoClock clock, SendBuffers buffers, int connectionsMax) {
        if (connectionsMax < 1 || connectionsMax > 1024) {
            throw new IllegalArgumentException("connectionsMax must be 1 … 1024; found " + connectionsMax);
        }
        this.adapter = adapter;
        this.clock = clock;
        this.buffers = buffers;
        this.connectionsMax = connectionsMax;
        this.nowNs = clock.nowNs();
        this.wheel = new TimerWheel(nowNs);
        this.completionCapacity = Math.min(COMPLETIONS_MAX, connectionsMax * COMPLETIONS_PER_CONNECTION);
        this.completions = adapter.createCompletionQueue(completionCapacity);
        this.domain = adapter.createProtectionDomain();
        this.sendRegion = adapter.register(domain, buffers.memory(), EnumSet.of(Right.LOCAL_READ));
    }

    // --- connections

    /**
     * Accepts service connections from now on.
     *
     * @param at one of the adapter's addresses, or a wildcard, and the port; port 0: a free one
     * @param options of this end of each connection
     * @return where it listens
     * @throws IllegalStateException if the port is taken, or the adapter is closed
     * @throws IllegalArgumentException if the address is not the adapter's
     */
    public InetSocketAddress listen(InetSocketAddress at, ServiceOptions options, ServiceAcceptor acceptor) {
        requireOpen();
        Listener listener = Listener.open(
                adapter, at, ListenerOptions.DEFAULT, request -> submit(() -> onRequest(request, options, acceptor)));
        listeners.add(listener);
        return listener.address();
    }

    /**
     * Begins a service connection. The handler learns that it is open, or that it failed.
     *
     * @param to address and port of the peer's layer
     * @param peerPort over RoCEv2, UDP port of the peer's adapter; 0: the same as this end's
     * @throws IllegalStateException if the layer has all the connections it can have, or the adapter has no room for one
     * @throws IllegalArgumentException if the adapter's wire does not have the services of the channels
     */
    public ServiceConnection connect(
            InetSocketAddress to, int peerPort, ServiceOptions options, ServiceHandler handler) {
        requireOpen();
        requireRoom();
        ServiceConnection connection = create(options, true, to, newCookie());
        connection.handler(handler);
        connection.establishment().connect(peerPort);
        connection.touch();
        return connection;
    }

    private long newCookie() {
        long cookie = cookies.nextLong();
        while (cookie == 0 || connections.containsKey(cookie)) {
            cookie = cookies.nextLong();
        }
        return cookie;
    }

    private ServiceConnection create(ServiceOptions options, boolean connector, InetSocketAddress peer, long cookie) {
        ServiceConnection connection = new ServiceConnection(this, options, connector, peer, cookie);
        connections.put(cookie, connection);
        try {
            connection.establishment().prepare();
        } catch (RuntimeException e) {
            connection.abort("refused by the adapter: " + e.getMessage());
            throw e;
        }
        return connection;
    }

    private void requireRoom() {
        if (connections.size() >= connectionsMax) {
            throw new IllegalStateException("all " + connectionsMax + " service connections are in use");
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the messaging layer is closed");
        }
    }

    // --- requests of peers

    private void onRequest(ConnectionRequest request, ServiceOptions options, ServiceAcceptor acceptor) {
        PrivateData data = request.privateData();
        Refusal refusal = Hello.judge(data);
        if (refusal != null) {
            refuse(request, refusal, "no service connection: " + refusal.reason());
            return;
        }
        Hello hello = Hello.read(data);
        int version = Hello.negotiate(hello.lowest(), hello.highest());
        if (version == 0) {
            refuse(
                    request,
                    Refusal.NO_COMMON_VERSION,
                    "versions " + hello.lowest() + " … " + hello.highest() + ": " + Refusal.NO_COMMON_VERSION.reason());
            return;
        }
        try {
            if (hello.channel() == Hello.CONTROL) {
                acceptControl(request, hello, version, options, acceptor);
            } else {
                acceptData(request, hello);
            }
        } catch (RuntimeException e) {
            reject(request, String.valueOf(e.getMessage()));
        }
    }

    private void acceptControl(
            ConnectionRequest request, Hello hello, int version, ServiceOptions options, ServiceAcceptor acceptor) {
        requireRoom();
        if (connections.containsKey(hello.cookie())) {
            throw new IllegalStateException("the cookie of another service connection found");
        }
        ServiceConnection connection = create(agreed(options, hello), false, request.peer(), hello.cookie());
        try {
            connection.establishment().acceptControl(request, hello, version);
        } catch (RuntimeException e) {
            connection.abort("not accepted: " + e.getMessage());
            throw e;
        }
        ServiceHandler handler;
        try {
            handler = acceptor.onConnection(connection);
        } catch (RuntimeException e) {
            connection.abort("the acceptor failed: " + e);
            return;
        }
        connection.handler(handler);
        connection.touch();
    }

    /** The options of this end with what the peer has decided. */
    private static ServiceOptions agreed(ServiceOptions options, Hello hello) {
        int attributes = hello.attributes();
        return options.withAgreed(
                TransferModel.values()[hello.model()],
                DataChannel.values()[hello.use()],
                new ChannelAttributes(
                        (attributes & Hello.CONTROL_ACKNOWLEDGED) != 0, (attributes & Hello.CONTROL_CONNECTED) != 0),
                new ChannelAttributes(
                        (attributes & Hello.DATA_ACKNOWLEDGED) != 0, (attributes & Hello.DATA_CONNECTED) != 0));
    }

    private void acceptData(ConnectionRequest request, Hello hello) {
        ServiceConnection connection = connections.get(hello.cookie());
        if (connection == null
                || connection.isConnector()
                || !connection.establishment().expectsData(request.peer().getAddress())) {
            refuse(request, Refusal.UNKNOWN_COOKIE, Refusal.UNKNOWN_COOKIE.reason());
            return;
        }
        try {
            connection.establishment().acceptData(request);
        } catch (RuntimeException e) {
            connection.abort("the data channel was not accepted: " + e.getMessage());
            throw e;
        }
    }

    private void refuse(ConnectionRequest request, Refusal refusal, String reason) {
        hellos.add(refusal, reason + "; from " + request.peer());
        reject(request, reason);
    }

    private void reject(ConnectionRequest request, String reason) {
        rejected++;
        // The peer shows private data to people if they are ASCII.
        byte[] text = reason.replace("…", "...").getBytes(StandardCharsets.US_ASCII);
        request.reject(PrivateData.of(text.length > REASON_BYTES ? Arrays.copyOf(text, REASON_BYTES) : text));
    }

    // --- turns

    /**
     * Does what there is to do, without a wait.
     *
     * @param now the time of the adapter's clock; never less than in an earlier call
     * @return how much was done; 0 if nothing
     */
    public int work(long now) {
        requireOpen();
        nowNs = now;
        int done = 0;
        for (Runnable event = submitted.poll(); event != null; event = submitted.poll()) {
            event.run();
            done++;
        }
        done += takeCompletions(BATCHES);
        if (wheel.nextDeadlineNs() <= now) {
            wheel.expire(now);
        }
        for (int turns = active.size(); turns > 0; turns--) {
            done += active.removeFirst().work(now);
        }
        if (done > 0) {
            done += takeCompletions(1); // an adapter that this thread drives sends what the turns have posted
        }
        return done;
    }

    /** Takes all completions that are there: a connection ends, and what arrived before is delivered. */
    void takeAllCompletions() {
        takeCompletions(Integer.MAX_VALUE);
    }

    private int takeCompletions(int batches) {
        int taken = 0;
        int count = BATCH;
        for (int i = 0; i < batches && count == BATCH; i++) {
            count = completions.poll(batch);
            for (int j = 0; j < count; j++) {
                Channel channel = channels.find(batch.queuePair(j));
                if (channel != null) {
                    channel.onCompletion(batch, j);
                }
            }
            taken += count;
        }
        return taken;
    }

    /** The time at which {@link #work} is due although nothing arrives; {@link Long#MIN_VALUE} for at once, {@link Long#MAX_VALUE} for never. */
    public long nextDeadlineNs() {
        return active.isEmpty() && submitted.isEmpty() ? wheel.nextDeadlineNs() : Long.MIN_VALUE;
    }

    /**
     * Waits until there may be something to do: a message of a peer, a {@link #wakeup}, an event of a source that is attached, or the end of the time.
     *
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the adapter is closed or has failed
     */
    public void await(Duration timeout) throws InterruptedException {
        long deadlineNs = nextDeadlineNs();
        if (deadlineNs == Long.MIN_VALUE) {
            return;
        }
        Duration most = timeout;
        if (deadlineNs != Long.MAX_VALUE) {
            Duration left = Duration.ofNanos(Math.max(0, deadlineNs - clock.nowNs()));
            most = left.compareTo(timeout) < 0 ? left : timeout;
        }
        if (most.isPositive()) {
            completions.await(most);
        }
    }

    /** Ends the wait of the layer's thread, or its next one. Any thread. */
    public void wakeup() {
        completions.wakeup();
    }

    /**
     * Has the events of a source, a network interface for instance, end the waits of the layer's thread.
     *
     * @throws org.verbena.link.LinkException if the thread cannot wait for this kind of source and for the adapter at once
     */
    public void attach(WakeSource source) {
        completions.attach(source);
    }

    /** Ends {@link #attach}. Called before the source is closed. */
    public void detach(WakeSource source) {
        completions.detach(source);
    }

    /** Runs a task on the layer's thread, in its next turn. Any thread. */
    void submit(Runnable task) {
        submitted.add(task);
        completions.wakeup();
    }

    // --- for connections

    Adapter adapter() {
        return adapter;
    }

    SendBuffers buffers() {
        return buffers;
    }

    Region sendRegion() {
        return sendRegion;
    }

    long nowNs() {
        return nowNs;
    }

    void activate(ServiceConnection connection) {
        active.addLast(connection);
    }

    /** Arms the timer of a connection, unless it is due sooner. */
    void schedule(ServiceConnection connection, long deadlineNs) {
        if (!connection.timer().armed() || deadlineNs < connection.timer().deadlineNs()) {
            wheel.schedule(connection.timer(), deadlineNs);
        }
    }

    Channel createChannel(
            ProtectionDomain of, Service service, int sends, int receives, int receiveBytes, Channel.User user) {
        int reserved = sends + receives;
        if (completionsReserved + reserved > completionCapacity) {
            throw new IllegalStateException("a completion queue of " + completionCapacity + " has no room for "
                    + reserved + " requests more: allow fewer connections, or fewer sends in each");
        }
        Channel channel = new Channel(adapter, of, completions, service, sends, receives, receiveBytes, user);
        completionsReserved += reserved;
        channels.add(channel);
        return channel;
    }

    /** A connection is over. */
    void forget(ServiceConnection connection) {
        wheel.cancel(connection.timer());
        connections.remove(connection.establishment().cookie());
        forget(connection.control().channel());
        Channel data = connection.data().channel();
        if (data != null) {
            forget(data);
        }
    }

    /** A channel is closed. */
    void forget(Channel channel) {
        if (channels.remove(channel)) {
            completionsReserved -= channel.capacity();
        }
    }

    // --- what can be seen

    /** Connections that exist now. */
    public int connectionCount() {
        return connections.size();
    }

    /** Hellos that were refused, by reason. Those of a connection that exists are in its own counters. Always the same object. */
    public ServiceCounters hellos() {
        return hellos;
    }

    /** Requests for connections that were rejected. */
    public long rejectedCount() {
        return rejected;
    }

    /** Ends all connections at once, and gives everything back. A second call does nothing. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        listeners.forEach(Listener::close);
        for (ServiceConnection connection : List.copyOf(connections.values())) {
            connection.abort("the messaging layer is closed");
        }
        sendRegion.close();
        domain.close();
        completions.close();
    }
}
