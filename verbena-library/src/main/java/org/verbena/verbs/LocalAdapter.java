package org.verbena.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.verbena.EventKind;
import org.verbena.Gid;
import org.verbena.Mtu;
import org.verbena.adapter.Engine;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.InlineRunner;
import org.verbena.adapter.ManualRunner;
import org.verbena.adapter.Runner;
import org.verbena.adapter.SharedRunner;
import org.verbena.adapter.ThreadRunner;
import org.verbena.adapter.ib.port.InfiniBandPort;
import org.verbena.adapter.iwarp.port.IwarpPort;
import org.verbena.adapter.pair.Carriers;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.adapter.pair.ReceiveSource;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.sleep.AttachedSource;
import org.verbena.link.sleep.RunnerSleeper;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.RingMemory;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/** The engine of an adapter in this process, with what control commands need beside it: runner, port and events. */
final class LocalAdapter {
    private final Link link;
    private final EngineParts parts;
    private final InfiniBandPort infiniBand;
    private final Carriers carriers;
    private final Engine engine;
    private final RunnerSleeper sleeper;
    private final Runner runner;
    private final Port port;
    private final Rings rings;
    private final AsyncEvents events = new AsyncEvents();
    private final ManagementPort management;
    /** Null without streams. */
    private final @Nullable IwarpPort iwarp;

    private final @Nullable StreamPort streams;

    /**
     * Starts the engine.
     *
     * @param owner the source of events about the engine
     * @param rings where doorbell and rings get their memory
     * @param chance for its management datagrams
     * @param others make a carrier each, beside the InfiniBand port on the link, of the engine's parts
     */
    LocalAdapter(
            EventSource owner,
            Link link,
            NanoClock clock,
            AdapterOptions options,
            ProtectionTable memory,
            RingMemory rings,
            Seed chance,
            List<Function<EngineParts, ? extends PairCarrier>> others) {
        this.link = link;
        this.rings = new Rings(rings);
        this.sleeper = new RunnerSleeper();
        this.parts = EngineParts.make(memory, events.sink(), clock.nowNs(), sleeper::wakeup);
        this.infiniBand = new InfiniBandPort(link, parts);
        List<PairCarrier> all = new ArrayList<>();
        others.forEach(maker -> all.add(maker.apply(parts)));
        all.add(infiniBand);
        this.carriers = new Carriers(all);
        this.iwarp = iwarp(all);
        this.streams = iwarp == null ? null : new StreamPort(iwarp, options.iwarp());
        this.engine = new Engine(parts, all, rings);
        events.know(engine, owner); // before the engine's thread starts: its first turn may fail
        this.parts.faults().limitNs(Durations.toNanos(options.faultLimit()));
        List<Endpoint> endpoints = link.locals().stream().map(Endpoint::of).toList();
        this.port = new Port(
                endpoints.stream().map(local -> Gid.of(local.address())).toList(),
                options.partitions(),
                infiniBand.mtuMax(),
                endpoints);
        if (options.run() != AdapterOptions.Run.MANUAL) {
            addSources(sleeper, all);
        }
        this.runner = switch (options.run()) {
            case SHARED -> new SharedRunner(engine, sleeper, clock, options.name());
            case THREAD -> new ThreadRunner(engine, sleeper, clock, options.idle(), options.name());
            case INLINE -> new InlineRunner(engine, sleeper, clock);
            case MANUAL -> new ManualRunner();
        };
        this.management = new ManagementPort(
                infiniBand, parts, runner, clock, chance, kind -> events.sink().onEvent(kind, engine));
    }

    private static @Nullable IwarpPort iwarp(List<PairCarrier> carriers) {
        for (PairCarrier carrier : carriers) {
            if (carrier instanceof IwarpPort port) {
                return port;
            }
        }
        return null;
    }

    /** Has the sleeper wait for all carriers. If one of them can't be waited for, the sleeper gives back what it has opened. */
    private static void addSources(RunnerSleeper sleeper, List<PairCarrier> carriers) {
        try {
            carriers.forEach(carrier -> sleeper.add(carrier.source()));
        } catch (RuntimeException e) {
            sleeper.close();
            throw e;
        }
    }

    /** Has the thread that drives the engine sleep for a source of a consumer. A thread that gives turns by hand never sleeps. */
    void attach(AttachedSource source) {
        if (!(runner instanceof ManualRunner)) {
            runner.call(() -> sleeper.attach(source));
        }
    }

    void detach(AttachedSource source) {
        if (runner instanceof ManualRunner) {
            return;
        }
        try {
            runner.call(() -> {
                sleeper.detach(source);
                source.end();
            });
        } catch (IllegalStateException closed) {
            // The adapter has ended: no thread sleeps for it, and its watches have ended with it.
        }
    }

    Engine engine() {
        return engine;
    }

    EngineParts parts() {
        return parts;
    }

    Carriers carriers() {
        return carriers;
    }

    InfiniBandPort infiniBand() {
        return infiniBand;
    }

    Runner runner() {
        return runner;
    }

    Link link() {
        return link;
    }

    Port port() {
        List<Integer> managed = link.partitions();
        return managed.isEmpty() ? port : port.withPartitions(managed);
    }

    Rings rings() {
        return rings;
    }

    AsyncEvents events() {
        return events;
    }

    /** The way to its streams; null without streams. */
    @Nullable
    StreamPort streams() {
        return streams;
    }

    /** Ends all streams, when their last bytes are sent: requests have completed that wait in the adapter's buffers. */
    void closeStreams() {
        IwarpPort port = iwarp;
        if (port != null) {
            awaitLastBytes(port);
            runner.call(port::close);
        }
    }

    private void awaitLastBytes(IwarpPort port) {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        runner.call(() -> port.drain(sent));
        try {
            runner.await(sent, IwarpPort.FAREWELL_NS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the streams end now
        } catch (IllegalStateException e) {
            // The thread gives the turns itself, by hand or in a callback, and cannot wait for them.
        }
    }

    ManagementPort management() {
        return management;
    }

    Mtu mtuMax() {
        return port.mtu();
    }

    void requireMtu(Mtu mtu) {
        if (mtu.bytes() > mtuMax().bytes()) {
            throw new IllegalArgumentException(
                    "the link carries an MTU of at most " + mtuMax().bytes() + "; found " + mtu.bytes());
        }
    }

    /** Tells the consumer that registered memory is not pinned. */
    void onUnpinned(String detail) {
        events.sink().onEvent(EventKind.MEMORY_NOT_PINNED, engine, detail);
    }

    /** The source of receives behind a shared receive queue of this adapter. */
    ReceiveSource source(SharedReceiveQueue shared) {
        if (shared.control() instanceof LocalSharedReceives receives) {
            return receives.source();
        }
        throw new IllegalArgumentException("the engine of the shared receive queue is in another process");
    }

    /** Makes a destination of datagrams; its number. */
    int addDestination(ProtectionDomain domain, Endpoint remote, Route route) {
        int[] number = new int[1];
        runner.call(() -> number[0] = infiniBand.addDestination(remote, route.flow(entropy(remote)), domain));
        return number[0];
    }

    void removeDestination(int number) {
        runner.call(() -> infiniBand.removeDestination(number));
    }

    /** Datagrams to one port keep one way through the network; those to several ports are spread. */
    private static int entropy(Endpoint remote) {
        return Long.hashCode(remote.high() * 31 + remote.low());
    }
}
