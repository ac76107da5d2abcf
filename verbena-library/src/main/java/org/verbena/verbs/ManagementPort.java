package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.Runner;
import org.verbena.adapter.ib.management.ManagementQueue;
import org.verbena.adapter.ib.port.InfiniBandPort;
import org.verbena.link.Endpoint;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.time.TimerWheel;
import org.verbena.time.WheelTimer;
import org.verbena.trace.Counters;

/**
 * Queue pair 1 of an adapter, for code that serves a class of management datagrams, such as a connection manager. Handlers
 * and timers run on the engine's thread. A method that is marked "engine's thread only" is called from a handler, from a
 * timer, or in {@link #call}; any thread may call the others.
 */
public final class ManagementPort {
    /** Serves a class. Called on the engine's thread; must not block, and must not throw for any content. */
    public interface Handler {
        /**
         * A datagram of this class came, of 256 bytes, with the right keys. Nothing else of it has been checked.
         *
         * @param nowNs the time
         * @param source port that sent it; an answer goes there
         * @param mad its bytes, valid until this method returns
         */
        void onMad(long nowNs, Endpoint source, MemorySegment mad);

        /** The adapter closes. Datagrams that are sent now still leave if the link has room. */
        default void onClose() {}
    }

    private final InfiniBandPort infiniBand;
    private final TimerWheel wheel;
    private final Counters counters;
    private final Runner runner;
    private final NanoClock clock;
    private final Seed seed;
    private final long guid;
    private final Map<Integer, Handler> handlers = new ConcurrentHashMap<>();
    /** Made when it is first needed. Changed by the engine's thread. */
    private volatile @Nullable ManagementQueue queue;

    private final Consumer<EventKind> events;
    private boolean closed;

    /** @param events queues an event about the adapter */
    ManagementPort(
            InfiniBandPort infiniBand,
            EngineParts parts,
            Runner runner,
            NanoClock clock,
            Seed seed,
            Consumer<EventKind> events) {
        this.events = events;
        this.infiniBand = infiniBand;
        this.wheel = parts.wheel();
        this.counters = parts.counters();
        this.runner = runner;
        this.clock = clock;
        this.seed = seed;
        // An EUI-64 that no manufacturer assigned: the bit for "locally administered" is set, that for groups is not.
        // From a seed of its own: every peer sees it, and nothing else may follow from it.
        this.guid = (seed.fork("guid").nextLong() & ~(3L << 56)) | (1L << 57);
    }

    /**
     * The handler of a class. If there is none, one is made and serves the class from now on.
     *
     * @param managementClass 8 bits
     * @param ifNone makes the handler; called on the engine's thread, at most once
     * @throws IllegalStateException when the adapter is closed
     */
    public Handler serve(int managementClass, Supplier<? extends Handler> ifNone) {
        Handler known = handlers.get(managementClass);
        if (known != null) {
            return known;
        }
        var chosen = new CompletableFuture<Handler>();
        call(() -> chosen.complete(choose(managementClass, ifNone)));
        return chosen.join();
    }

    private Handler choose(int managementClass, Supplier<? extends Handler> ifNone) {
        if (closed) {
            throw new IllegalStateException("the adapter is closed");
        }
        Handler known = handlers.get(managementClass);
        if (known == null) {
            known = ifNone.get();
            handlers.put(managementClass, known);
            queue().serve(managementClass, known::onMad);
        }
        return known;
    }

    private ManagementQueue queue() {
        ManagementQueue there = queue;
        if (there == null) {
            there = infiniBand.openManagement();
            queue = there;
        }
        return there;
    }

    /**
     * Sends a datagram to queue pair 1 of a port. Engine's thread only.
     *
     * @param mad its 256 bytes; copied
     * @return false if it is not sent: the link has no path to the port, or there is no room
     */
    public boolean send(Endpoint remote, MemorySegment mad) {
        return queue().send(remote, mad);
    }

    /**
     * Takes the endpoint of a port that does not receive: the network has told that no socket is there, after something was sent to it.
     * Makes system calls. Engine's thread only.
     *
     * @return null if the network has told of no further one, or the link cannot know
     */
    public @Nullable Endpoint takeRefusal() {
        return queue().takeRefusal();
    }

    /** Arms a timer, or moves an armed one: it is called at the first turn not before the deadline. Engine's thread only. */
    public void schedule(WheelTimer timer, long deadlineNs) {
        wheel.schedule(timer, deadlineNs);
    }

    /** Disarms a timer; does nothing if it is not armed. Engine's thread only. */
    public void cancel(WheelTimer timer) {
        wheel.cancel(timer);
    }

    /** Queues an asynchronous event about the adapter. Any thread. */
    public void report(EventKind kind) {
        events.accept(kind);
    }

    /** The adapter's counters. Any thread may read them; the engine's thread only adds. */
    public Counters counters() {
        return counters;
    }

    /** Source of chance for a handler. Engine's thread only. */
    public Seed seed() {
        return seed;
    }

    /** Identifier of this adapter, drawn when it was opened: a locally administered EUI-64. */
    public long guid() {
        return guid;
    }

    /** The present time of the adapter's clock. */
    public long nowNs() {
        return clock.nowNs();
    }

    /**
     * Runs a command on the engine's thread and returns when it is done. An exception of the command is thrown here.
     *
     * @throws IllegalStateException when the adapter is closed
     */
    public void call(Runnable command) {
        runner.call(command);
        runner.progress(); // datagrams of the command leave, although the consumer may not poll again soon
    }

    /**
     * Waits until the future is done or the time is over; drives the adapter meanwhile if it runs {@link
     * AdapterOptions.Run#SHARED} or {@link AdapterOptions.Run#INLINE}.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalStateException if the adapter is run by hand, or the caller is on the engine's thread; or if the
     *     adapter is closed, or has failed, and the future is not done
     */
    public void await(CompletableFuture<?> future, Duration timeout) throws InterruptedException {
        runner.await(future, Durations.toNanos(timeout));
    }

    /**
     * Returns if {@link #await} may be called here. Called before something begins that would be waited for.
     *
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the adapter is run by hand or closed, or the caller is on the engine's thread
     */
    public void requireMayWait() throws InterruptedException {
        runner.await(new CompletableFuture<>(), 0);
    }

    /** Tells the handlers that the adapter closes, and sends their last datagrams. */
    void close() {
        ManagementQueue used = queue;
        if (used != null) {
            runner.call(() -> close(used));
        }
    }

    private void close(ManagementQueue used) {
        if (!closed) {
            closed = true;
            handlers.values().forEach(Handler::onClose);
            used.transmit(clock.nowNs(), Limits.MANAGEMENT_SENDS_MAX);
            infiniBand.closeManagement(used);
        }
    }
}
