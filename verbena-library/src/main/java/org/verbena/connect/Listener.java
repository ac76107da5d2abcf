package org.verbena.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.connect.protocol.Acceptor;
import org.verbena.connect.protocol.Conversation;
import org.verbena.verbs.Adapter;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.mad.PrivateData;
import org.verbena.wire.mad.RejectReason;
import org.verbena.wire.mad.Req;
import org.verbena.wire.mad.ServiceId;

/** Waits for requests at a port of an adapter, until it is closed. */
public final class Listener implements AutoCloseable {
    private static final int TRANSPORT_UC = 1;

    private final Adapter adapter;
    private final Agent agent;
    private final ListenerOptions options;
    private final @Nullable Consumer<ConnectionRequest> onRequest;
    private final Door door = new Door();
    private final ArrayDeque<ConnectionRequest> backlog = new ArrayDeque<>();
    private final ArrayDeque<CompletableFuture<ConnectionRequest>> waiting = new ArrayDeque<>();
    private InetSocketAddress address;
    private long serviceId;
    private boolean closed;

    private Listener(
            Adapter adapter,
            InetSocketAddress address,
            ListenerOptions options,
            @Nullable Consumer<ConnectionRequest> onRequest) {
        this.adapter = adapter;
        this.agent = Agent.of(adapter);
        this.address = address;
        this.options = options;
        this.onRequest = onRequest;
    }

    /**
     * Listens. The requests wait for {@link #accept}.
     *
     * @param at one of the adapter's addresses, or a wildcard; port 0: a free one
     * @throws IllegalStateException if the port is taken
     */
    public static Listener open(Adapter adapter, InetSocketAddress at, ListenerOptions options) {
        return begin(new Listener(adapter, at, options, null));
    }

    /** Listens. The callback is given each request, on the engine's thread: it may answer at once, but not wait. */
    public static Listener open(
            Adapter adapter, InetSocketAddress at, ListenerOptions options, Consumer<ConnectionRequest> onRequest) {
        return begin(new Listener(adapter, at, options, onRequest));
    }

    private static Listener begin(Listener listener) {
        requireOwn(listener.adapter, listener.address);
        listener.agent.port().call(listener::listen);
        return listener;
    }

    static void requireOwn(Adapter adapter, InetSocketAddress at) {
        InetAddress address = at.getAddress();
        boolean own = address != null
                && (address.isAnyLocalAddress()
                        || adapter.port().endpoints().stream()
                                .anyMatch(local -> local.address().equals(address)));
        if (!own) {
            throw new IllegalArgumentException(
                    "one of " + adapter.port().endpoints() + " or a wildcard expected; found " + at);
        }
    }

    private void listen() {
        if (options.serviceId() != 0 || address.getPort() != 0) {
            serviceId = options.serviceId() != 0 ? options.serviceId() : ServiceId.tcp(address.getPort());
            if (!agent.conversations().listen(serviceId, door)) {
                throw new IllegalStateException("port " + address.getPort() + " is taken");
            }
            return;
        }
        int port = agent.ephemeralPort();
        while (!agent.conversations().listen(ServiceId.tcp(port), door)) {
            port = agent.ephemeralPort();
        }
        serviceId = ServiceId.tcp(port);
        address = new InetSocketAddress(address.getAddress(), port);
    }

    /** Where it listens, with the port it has. */
    public InetSocketAddress address() {
        return address;
    }

    /** The oldest request that waits; waits for one as long as given, then null. */
    public @Nullable ConnectionRequest accept(Duration timeout) throws InterruptedException {
        CompletableFuture<ConnectionRequest> next = acceptAsync();
        try {
            agent.port().await(next, timeout);
        } finally {
            if (next.cancel(false)) {
                synchronized (this) {
                    waiting.removeIf(CompletableFuture::isDone);
                }
            }
        }
        return next.isCancelled() ? null : Connection.join(next);
    }

    /**
     * The oldest request that waits, or the next one to come; a {@link ConnectException} when the listener is closed before.
     * Cancel it to have the request left for somebody else.
     */
    public CompletableFuture<ConnectionRequest> acceptAsync() {
        var next = new CompletableFuture<ConnectionRequest>();
        synchronized (this) {
            ConnectionRequest request = nextUnvoid();
            if (request == null && !closed) {
                waiting.add(next);
                return next;
            }
            if (request != null) {
                next.complete(request);
                return next;
            }
        }
        next.completeExceptionally(ConnectException.closed("anybody at " + address));
        return next;
    }

    private @Nullable ConnectionRequest nextUnvoid() {
        ConnectionRequest request = backlog.poll();
        while (request != null && request.isVoid()) {
            request = backlog.poll();
        }
        return request;
    }

    private synchronized boolean hasRoom() {
        backlog.removeIf(ConnectionRequest::isVoid);
        return !closed && (onRequest != null || backlog.size() < options.backlog());
    }

    private void offer(ConnectionRequest request) {
        if (onRequest != null) {
            onRequest.accept(request);
            return;
        }
        while (true) {
            CompletableFuture<ConnectionRequest> next;
            synchronized (this) {
                next = waiting.poll();
                if (next == null) {
                    backlog.add(request);
                    return;
                }
            }
            if (next.complete(request)) {
                return;
            }
        }
    }

    /** Stops listening; requests that wait are rejected. Connections stay. */
    @Override
    public void close() {
        ArrayDeque<CompletableFuture<ConnectionRequest>> disappointed;
        ArrayDeque<ConnectionRequest> unanswered;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            disappointed = new ArrayDeque<>(waiting);
            unanswered = new ArrayDeque<>(backlog);
            waiting.clear();
            backlog.clear();
        }
        agent.port().call(() -> agent.conversations().stopListening(serviceId));
        unanswered.forEach(request -> request.reject(PrivateData.NONE));
        disappointed.forEach(next -> next.completeExceptionally(ConnectException.closed("anybody at " + address)));
    }

    /** Where the protocol knocks. Engine's thread. */
    private final class Door implements Acceptor {
        @Override
        public boolean hasRoom() {
            return Listener.this.hasRoom();
        }

        @Override
        public void onRequest(Conversation conversation, Req req) {
            ConnectionRequest request = new ConnectionRequest(agent, conversation, req);
            conversation.owner(request.party());
            Mtu mtu = Mtu.of(req.mtu());
            if (req.transport() > TRANSPORT_UC || req.extendedTransport() != 0) {
                conversation.refuse(RejectReason.INVALID_TRANSPORT, PrivateData.NONE, PrivateData.NONE);
            } else if (mtu == null || mtu.bytes() > adapter.mtuMax().bytes()) {
                PrivateData best = PrivateData.of((byte) adapter.mtuMax().code());
                conversation.refuse(RejectReason.INVALID_MTU, best, PrivateData.NONE);
            } else if (!isMember(req.pkey())) {
                conversation.refuse(RejectReason.UNSUPPORTED, PrivateData.NONE, PrivateData.NONE);
            } else if (!Agent.gid(conversation.peer()).equals(req.primary().localGid())) {
                conversation.refuse(RejectReason.PRIMARY_GID, PrivateData.NONE, PrivateData.NONE);
            } else {
                giveOrRefuse(conversation, request);
            }
        }

        private boolean isMember(int pkey) {
            return adapter.port().partitions().contains(pkey);
        }

        private void giveOrRefuse(Conversation conversation, ConnectionRequest request) {
            try {
                offer(request);
            } catch (RuntimeException e) {
                // A callback's own fault must not be the engine's.
                if (conversation.state() == Conversation.State.REQ_RECEIVED) {
                    conversation.refuse(RejectReason.CONSUMER, PrivateData.NONE, PrivateData.NONE);
                }
            }
        }
    }
}
