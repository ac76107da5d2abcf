package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Engine;
import org.verbena.adapter.Limits;
import org.verbena.adapter.Runner;
import org.verbena.adapter.ib.management.ManagementQueue;
import org.verbena.link.Endpoint;
import org.verbena.time.Clock;
import org.verbena.time.Durations;
import org.verbena.time.Seed;
import org.verbena.time.Timer;
import org.verbena.trace.Counters;

/**
 * Queue pair 1 of an adapter, for who serves a class of management datagrams: connection managers and their like. Its
 * handlers live on the engine's thread, and so do its timers: what is marked so is called from there only, which is from a
 * handler, from a timer, or in {@link #call}.
 */
public final class ManagementPort {
    /** Who serves a class. Called on the engine's thread; must not block, and must not throw for any content. */
    public interface Handler {
        /**
         * A datagram came: of this class, of 256 bytes, with the right keys. Nothing else is known to be right.
         *
         * @param source where an answer goes
         * @param mad its bytes, valid until this returns
         */
        void onMad(long nowNs, Endpoint source, MemorySegment mad);

        /** The adapter closes. What is sent now may still leave. */
        default void onClose() {}
    }

    private final Engine engine;
    private final Runner runner;
    private final Clock clock;
    private final Seed seed;
    private final long guid;
    private final Map<Integer, Handler> handlers = new ConcurrentHashMap<>();
    /** Made when first wanted. Changed by the engine's thread. */
    private volatile @Nullable ManagementQueue queue;

    private boolean closed;

    ManagementPort(Engine engine, Runner runner, Clock clock, Seed seed) {
        this.engine = engine;
        this.runner = runner;
        this.clock = clock;
        this.seed = seed;
        // An EUI-64 nobody gave out: the bit for "locally administered" is set, that for groups is not.
        // From a source of its own: every peer sees it, and nothing else may follow from it.
        this.guid = (seed.fork("guid").nextLong() & ~(3L << 56)) | (1L << 57);
    }

    /**
     * The handler of a class: the one there is, or, if there is none, the one given, from now on. Any thread.
     *
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
            there = new ManagementQueue(engine);
            queue = there;
            engine.add(there);
        }
        return there;
    }

    /**
     * Sends a datagram to queue pair 1 of a port. Engine's thread only.
     *
     * @param mad its 256 bytes, copied
     * @return false if it is lost at once: no way, or no room
     */
    public boolean send(Endpoint remote, MemorySegment mad) {
        return queue().send(remote, mad);
    }

    /** Arms a timer, or moves an armed one. Engine's thread only. */
    public void schedule(Timer timer, long deadlineNs) {
        engine.wheel().schedule(timer, deadlineNs);
    }

    /** Disarms a timer. Engine's thread only. */
    public void cancel(Timer timer) {
        engine.wheel().cancel(timer);
    }

    /** Where a handler counts. Engine's thread only, to add. */
    public Counters counters() {
        return engine.counters();
    }

    /** Chance for a handler. Engine's thread only. */
    public Seed seed() {
        return seed;
    }

    /** What tells this adapter from all others: drawn when it was opened. */
    public long guid() {
        return guid;
    }

    /** The time. Any thread. */
    public long nowNs() {
        return clock.nowNs();
    }

    /**
     * Runs a command on the engine's thread and returns when it is done. What it throws is thrown here. Any thread.
     *
     * @throws IllegalStateException when the adapter is closed
     */
    public void call(Runnable command) {
        runner.call(command);
        runner.progress(); // what the command wants to send leaves, though nobody may poll again soon
    }

    /**
     * Waits until the future is done or the time is over; drives the adapter meanwhile if it runs inline.
     *
     * @throws IllegalStateException if the adapter is run by hand, or the caller is on the engine's thread; or if the
     *     adapter is closed, or has failed, and the future is not done
     */
    public void await(CompletableFuture<?> future, Duration timeout) throws InterruptedException {
        runner.await(future, Durations.toNanos(timeout));
    }

    /**
     * Returns if {@link #await} may be called from here: to be asked before what would be waited for begins.
     *
     * @throws IllegalStateException if the adapter is run by hand or closed, or the caller is on the engine's thread
     */
    public void requireMayWait() throws InterruptedException {
        runner.await(new CompletableFuture<>(), 0);
    }

    /** Tells the handlers, and sends what they have to say at last. */
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
            engine.link().flush();
            engine.remove(used);
        }
    }
}
