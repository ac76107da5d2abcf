package org.verbena.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.PrivateData;
import org.verbena.Wire;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;

/**
 * Takes requests for connections at a port of an adapter, until it is closed. Requests wait for {@link #accept} or go to a
 * callback. Any thread may call everything.
 */
public final class Listener implements AutoCloseable {
    /** Words for the peer, which reads them in the message of its exception. */
    private static final PrivateData CALLBACK_FAILED =
            PrivateData.of("the listener's callback failed".getBytes(StandardCharsets.US_ASCII));

    private final Adapter adapter;
    private final Agent agent;
    private final ListenerOptions options;
    private final @Nullable Consumer<ConnectionRequest> onRequest;
    private final ArrayDeque<ConnectionRequest> backlog = new ArrayDeque<>();
    private final ArrayDeque<CompletableFuture<ConnectionRequest>> waiting = new ArrayDeque<>();
    private InetSocketAddress address;
    private @Nullable RequestIntake intake;
    private boolean closed;
    private volatile @Nullable Throwable failure;

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
     * @param at one of the adapter's addresses, or a wildcard, and the port; port 0: a free one
     * @throws IllegalStateException if the port is taken, or the adapter is closed
     * @throws IllegalArgumentException if the address is not the adapter's
     */
    public static Listener open(Adapter adapter, InetSocketAddress at, ListenerOptions options) {
        return begin(new Listener(adapter, at, options, null));
    }

    /**
     * Listens. The callback takes the requests.
     *
     * @param at one of the adapter's addresses, or a wildcard, and the port; port 0: a free one
     * @param onRequest called with each request on the engine's thread. It may answer at once or later; it must not wait. If it
     *     throws, the request is rejected, and {@link #callbackFailure} gives the exception
     * @throws IllegalStateException if the port is taken, or the adapter is closed
     * @throws IllegalArgumentException if the address is not the adapter's
     */
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
        RequestIntake made =
                adapter.wire() == Wire.IWARP ? new StreamIntake(this, agent) : new ConversationIntake(this, agent);
        address = made.open(address, options);
        intake = made;
    }

    Adapter adapter() {
        return adapter;
    }

    ListenerOptions options() {
        return options;
    }

    /**
     * The exception or error that the callback has thrown last; null if it has thrown none. An event {@code
     * LISTENER_CALLBACK_FAILED} of the adapter announces each, and the counter {@code cm_callback_failures} counts them.
     */
    public @Nullable Throwable callbackFailure() {
        return failure;
    }

    /** The address it listens at, with the port it has. */
    public InetSocketAddress address() {
        return address;
    }

    /**
     * Takes the oldest request, and waits for one if there is none. Drives an adapter that runs inline.
     *
     * @return null if no request comes within the timeout
     * @throws ConnectFailedException if the listener or its adapter is closed
     * @throws IllegalStateException if the requests go to a callback, the adapter is run by hand or has failed, or the caller is
     *     on the engine's thread
     */
    public @Nullable ConnectionRequest accept(Duration timeout) throws InterruptedException {
        CompletableFuture<ConnectionRequest> next = acceptAsync();
        try {
            agent.port().await(next, timeout);
        } catch (InterruptedException | RuntimeException e) {
            if (!withdraw(next) && !next.isCompletedExceptionally()) {
                giveOrReject(next.join(), true); // it came just now: leave it for another call
            }
            throw e;
        }
        return withdraw(next) ? null : Connection.join(next);
    }

    private boolean withdraw(CompletableFuture<ConnectionRequest> next) {
        boolean unused = next.cancel(false);
        if (unused) {
            synchronized (this) {
                waiting.removeIf(CompletableFuture::isDone);
            }
        }
        return unused;
    }

    /**
     * Takes the oldest request, or the next one to come, without waiting.
     *
     * @return completed with the request, or with a {@link ConnectFailedException} if the listener is closed before; a request to come
     *     completes it on the engine's thread. Cancel it to leave the request for another call
     * @throws IllegalStateException if the requests go to a callback
     */
    public CompletableFuture<ConnectionRequest> acceptAsync() {
        if (onRequest != null) {
            throw new IllegalStateException("the requests at " + address + " go to its callback");
        }
        CompletableFuture<ConnectionRequest> next = new DrivenFuture<>(agent.port());
        synchronized (this) {
            ConnectionRequest request = nextUnvoid();
            if (request == null && !closed) {
                waiting.add(next);
                return next;
            }
            if (request != null) {
                next.complete(request);
            }
        }
        RequestIntake open = intake;
        if (!next.isDone()) {
            next.completeExceptionally(ConnectFailedException.closed("a peer at " + address));
        } else if (open != null) {
            open.onTaken();
        }
        return next;
    }

    private @Nullable ConnectionRequest nextUnvoid() {
        ConnectionRequest request = backlog.poll();
        while (request != null && request.isVoid()) {
            request = backlog.poll();
        }
        return request;
    }

    /** Whether one more request may wait for an answer. */
    synchronized boolean hasRoom() {
        backlog.removeIf(request -> !request.isOpen());
        return !closed && backlog.size() < options.backlog();
    }

    /** Gives a request to the consumer. If its callback throws, the request is rejected. Engine's thread. */
    void onRequest(ConnectionRequest request) {
        guard(() -> offer(request), () -> request.reject(CALLBACK_FAILED));
    }

    /** Calls a callback of the consumer. Engine's thread. */
    void guard(Runnable callback, Runnable ifFailed) {
        try {
            callback.run();
        } catch (Throwable e) {
            // An exception or error of a callback must not stop the engine.
            failure = e;
            agent.count(Counter.CM_CALLBACK_FAILURES);
            agent.port().report(EventKind.LISTENER_CALLBACK_FAILED);
            ifFailed.run();
        }
    }

    private void offer(ConnectionRequest request) {
        if (onRequest == null) {
            giveOrReject(request, false);
            return;
        }
        onRequest.accept(request);
        if (request.isOpen()) {
            synchronized (this) {
                backlog.add(request); // the callback answers it later; until then it counts
            }
        }
    }

    private void giveOrReject(ConnectionRequest request, boolean first) {
        if (!give(request, first)) {
            request.reject(PrivateData.NONE);
        }
    }

    /** Gives a request to the call that waits longest, or to the backlog; false if the listener is closed. */
    private boolean give(ConnectionRequest request, boolean first) {
        while (true) {
            CompletableFuture<ConnectionRequest> next;
            synchronized (this) {
                if (closed) {
                    return false;
                }
                next = waiting.poll();
                if (next == null) {
                    if (first) {
                        backlog.addFirst(request);
                    } else {
                        backlog.addLast(request);
                    }
                    return true;
                }
            }
            if (next.complete(request)) {
                return true;
            }
        }
    }

    /**
     * Stops listening. Requests that wait for {@code accept} are rejected; those given to a callback, and connections, stay.
     * Does nothing if the listener or its adapter is closed.
     */
    @Override
    public void close() {
        RequestIntake open = intake;
        if (shut() && open != null) {
            agent.callIfOpen(open::close);
        }
    }

    /** Rejects and refuses everything that waits; false if the listener was closed before. */
    boolean shut() {
        ArrayDeque<CompletableFuture<ConnectionRequest>> unserved;
        ArrayDeque<ConnectionRequest> unanswered;
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            unserved = new ArrayDeque<>(waiting);
            unanswered = onRequest == null ? new ArrayDeque<>(backlog) : new ArrayDeque<>();
            waiting.clear();
            backlog.clear();
        }
        unanswered.forEach(request -> request.reject(PrivateData.NONE));
        unserved.forEach(next -> next.completeExceptionally(ConnectFailedException.closed("a peer at " + address)));
        return true;
    }

    @Override
    public String toString() {
        return "listener at " + address + " of " + adapter;
    }
}
