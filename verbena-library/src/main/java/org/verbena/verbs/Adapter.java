package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.verbena.adapter.Engine;
import org.verbena.adapter.InlineRunner;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ManualRunner;
import org.verbena.adapter.QueuePairNumbers;
import org.verbena.adapter.Runner;
import org.verbena.adapter.ThreadRunner;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.ProtectionTable;
import org.verbena.memory.Region;
import org.verbena.memory.RemoteAccess;
import org.verbena.memory.Right;
import org.verbena.memory.Window;
import org.verbena.queue.CompletionRing;
import org.verbena.time.Clock;
import org.verbena.time.Seed;
import org.verbena.trace.Counters;
import org.verbena.wire.ib.Gid;
import org.verbena.wire.ib.Icrc;
import org.verbena.wire.ib.Mtu;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.ib.Psn;

/**
 * A channel adapter: queue pairs, memory and one port, on a link. Any thread may call everything but {@link #work}.
 *
 * <p>It owns its link and closes it.
 */
public final class Adapter implements EventSource, AutoCloseable {
    /** Headers and CRC that stand around a full payload at most. */
    private static final int OVERHEAD = Opcode.RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE.headerLength() + Icrc.LENGTH;

    private final AdapterOptions options;
    private final Link link;
    private final ProtectionTable memory;
    private final Engine engine;
    private final Runner runner;
    private final Seed seed;
    private final Port port;
    private final AsyncEvents events = new AsyncEvents();
    private final ManagementPort management;
    private final QueuePairNumbers numbers = new QueuePairNumbers();
    private final Set<QueuePair> queuePairs = new LinkedHashSet<>();
    private boolean closed;

    private Adapter(Link link, Clock clock, AdapterOptions options, Seed seed, ProtectionTable memory) {
        this.options = options;
        this.link = link;
        this.seed = seed;
        this.memory = memory;
        this.engine = new Engine(link, memory, events.sink(), clock.nowNs());
        this.engine.faults().limitNs(options.faultLimit().toNanos());
        this.port = new Port(
                link.locals().stream().map(local -> Gid.of(local.address())).toList(),
                options.partitions(),
                mtuMax(),
                link.locals());
        events.know(engine, this);
        this.runner = switch (options.run()) {
            case THREAD -> new ThreadRunner(engine, clock, options.idle(), options.name());
            case INLINE -> new InlineRunner(engine, clock);
            case MANUAL -> new ManualRunner();
        };
        Seed chance = options.seed() == 0 ? Seed.unpredictable() : seed.fork("management");
        this.management = new ManagementPort(engine, runner, clock, chance);
    }

    /** An adapter on a link, in the machine's time. */
    public static Adapter open(Link link, AdapterOptions options) {
        return open(link, Clock.system(), options);
    }

    /** An adapter on a link, in a time of the caller's. */
    public static Adapter open(Link link, Clock clock, AdapterOptions options) {
        Seed seed = seed(options);
        // Peers see sequence numbers; keys must not follow from them.
        Seed keys = options.seed() == 0 ? Seed.unpredictable() : seed.fork("keys");
        return new Adapter(link, clock, options, seed, new ProtectionTable(options.regionsMax(), keys));
    }

    /** An adapter whose keys come from a table of the caller's. */
    static Adapter open(Link link, Clock clock, AdapterOptions options, ProtectionTable memory) {
        return new Adapter(link, clock, options, seed(options), memory);
    }

    private static Seed seed(AdapterOptions options) {
        return options.seed() == 0 ? Seed.unpredictable() : new Seed(options.seed());
    }

    // --- memory

    public ProtectionDomain createProtectionDomain() {
        return memory.createDomain();
    }

    /** A domain that may restrict its peers to keys of windows. */
    public ProtectionDomain createProtectionDomain(RemoteAccess remoteAccess) {
        return memory.createDomain(remoteAccess);
    }

    ProtectionTable memory() {
        return memory;
    }

    /**
     * Registers native memory of the consumer's, as it is, under its own addresses. The region is closed before the
     * memory; memory closed under a region is refused to everybody.
     *
     * @throws IllegalArgumentException if the segment is not native, not alive or not accessible by every thread
     */
    public Region register(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return memory.register(domain, foreign, rights);
    }

    /** Registers managed memory; {@code address} is that of its first byte under the key. */
    public Region register(ProtectionDomain domain, ManagedMemory managed, long address, Set<Right> rights) {
        return memory.register(domain, managed, address, rights);
    }

    /**
     * Registers managed memory that may be swapped out, by a hypervisor that talks to the consumer through the region's
     * {@link Region#currentIo}.
     */
    public Region register(
            ProtectionDomain domain, ManagedMemory managed, long address, Set<Right> rights, CurrentIo.Mode currentIo) {
        return memory.register(domain, managed, address, rights, currentIo);
    }

    /** A region whose key exists but is not valid before a {@link WorkRequest.Register} is done. */
    public Region reserve(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        return memory.reserve(domain, foreign, rights);
    }

    /** A second region on the same memory: its own key, domain and rights, a common translation table. */
    public Region share(Region region, ProtectionDomain domain, Set<Right> rights) {
        return memory.share(region, domain, rights);
    }

    /** A window, to be bound by {@link WorkRequest.BindWindow}. */
    public Window createWindow(ProtectionDomain domain, Window.Type type) {
        return memory.createWindow(domain, type);
    }

    // --- queues

    /** A completion queue for at least so many completions. */
    public CompletionQueue createCompletionQueue(int capacity) {
        QueuePairOptions.require("capacity", capacity, 1, Limits.RING_CAPACITY_MAX);
        CompletionRing ring = new CompletionRing(powerOfTwo(capacity));
        CompletionQueue queue = new CompletionQueue(this, runner, ring);
        events.know(ring, queue);
        return queue;
    }

    public SharedReceiveQueue createSharedReceiveQueue(int capacity, int segmentsMax) {
        QueuePairOptions.require("capacity", capacity, 1, Limits.RING_CAPACITY_MAX);
        QueuePairOptions.require("segmentsMax", segmentsMax, 1, Limits.SEGMENTS_MAX);
        return new SharedReceiveQueue(this, capacity, segmentsMax);
    }

    /**
     * A queue pair, in state RESET.
     *
     * @throws IllegalStateException when the adapter has all the queue pairs it can have, or is closed
     */
    public QueuePair createQueuePair(QueuePairOptions queuePairOptions) {
        return add(make(queuePairOptions));
    }

    /** A queue pair with numbers of the caller's choice, which nobody else has. */
    QueuePair createQueuePair(QueuePairOptions queuePairOptions, int number, int firstPsn) {
        return add(make(queuePairOptions, number, firstPsn));
    }

    private synchronized QueuePair make(QueuePairOptions queuePairOptions) {
        requireOpen();
        requireOwn(queuePairOptions);
        use(queuePairOptions);
        int firstPsn = (int) seed.nextLong() & Psn.MASK;
        return know(queuePairOptions, takeNumber(queuePairOptions), firstPsn);
    }

    private synchronized QueuePair make(QueuePairOptions queuePairOptions, int number, int firstPsn) {
        requireOpen();
        requireOwn(queuePairOptions);
        use(queuePairOptions);
        return know(queuePairOptions, number, firstPsn);
    }

    /** Without the lock: the engine's thread may want it just now, to make a queue pair for a connection. */
    private QueuePair add(QueuePair queuePair) {
        runner.call(() -> engine.add(queuePair.transport()));
        return queuePair;
    }

    private QueuePair know(QueuePairOptions queuePairOptions, int number, int firstPsn) {
        QueuePair queuePair = new QueuePair(this, engine, runner, number, firstPsn, queuePairOptions);
        events.know(queuePair.transport(), queuePair);
        queuePairs.add(queuePair);
        return queuePair;
    }

    /** Parts of another adapter would be accepted by the compiler and refused, much later, by every access. */
    private void requireOwn(QueuePairOptions parts) {
        SharedReceiveQueue shared = parts.sharedReceives();
        if (!memory.owns(parts.domain())) {
            throw new IllegalArgumentException(parts.domain() + " belongs to another adapter than " + name());
        }
        if (parts.sendCompletions().adapter() != this
                || parts.receiveCompletions().adapter() != this) {
            throw new IllegalArgumentException("a completion queue belongs to another adapter than " + name());
        }
        if (shared != null && shared.adapter() != this) {
            throw new IllegalArgumentException("the shared receive queue belongs to another adapter than " + name());
        }
    }

    private int takeNumber(QueuePairOptions used) {
        try {
            return numbers.take();
        } catch (IllegalStateException e) {
            release(used);
            throw e;
        }
    }

    /** Holds all parts of a queue pair, or, if one of them is closed, none. */
    private static void use(QueuePairOptions parts) {
        SharedReceiveQueue shared = parts.sharedReceives();
        List<Runnable> held = new ArrayList<>();
        try {
            parts.domain().hold();
            held.add(parts.domain()::release);
            parts.sendCompletions().uses().use();
            held.add(parts.sendCompletions().uses()::release);
            parts.receiveCompletions().uses().use();
            held.add(parts.receiveCompletions().uses()::release);
            if (shared != null) {
                shared.uses().use();
            }
        } catch (IllegalStateException closed) {
            held.forEach(Runnable::run);
            throw closed;
        }
    }

    synchronized void release(QueuePair queuePair) {
        if (queuePairs.remove(queuePair)) {
            events.forget(queuePair.transport());
            numbers.giveBack(queuePair.number());
            release(queuePair.options());
        }
    }

    private static void release(QueuePairOptions used) {
        used.domain().release();
        used.sendCompletions().uses().release();
        used.receiveCompletions().uses().release();
        SharedReceiveQueue shared = used.sharedReceives();
        if (shared != null) {
            shared.uses().release();
        }
    }

    // --- addresses

    /** A destination of datagrams, a port or a multicast group, for queue pairs of the domain. */
    public AddressHandle createAddressHandle(ProtectionDomain domain, Endpoint remote) {
        return createAddressHandle(domain, remote, Route.DEFAULT);
    }

    /**
     * A destination of datagrams, and how they travel there.
     *
     * @throws org.verbena.link.LinkException if there is no way to it from this adapter's link
     * @throws IllegalStateException when the adapter has all the handles it can have
     */
    public AddressHandle createAddressHandle(ProtectionDomain domain, Endpoint remote, Route route) {
        if (!memory.owns(domain)) {
            throw new IllegalArgumentException(domain + " belongs to another adapter than " + name());
        }
        domain.hold();
        int[] handle = new int[1];
        try {
            runner.call(() -> handle[0] =
                    engine.destinations().add(engine.link().path(remote, route.flow(entropy(remote))), domain));
        } catch (RuntimeException e) {
            domain.release();
            throw e;
        }
        return new AddressHandle(this, domain, remote, route, handle[0]);
    }

    /** Datagrams to one port keep one way through the network, those to several ports are spread. */
    private static int entropy(Endpoint remote) {
        return Long.hashCode(remote.high() * 31 + remote.low());
    }

    void release(int addressHandle, ProtectionDomain domain) {
        domain.release();
        if (isOpen()) {
            runner.call(() -> engine.destinations().remove(addressHandle));
        }
    }

    // --- management

    /** Queue pair 1: management datagrams, in both directions. */
    public ManagementPort management() {
        return management;
    }

    // --- what can be seen

    /** Its port: identifiers, partitions, MTU. */
    public Port port() {
        return port;
    }

    public String name() {
        return options.name();
    }

    /** Where its port receives, the first of them. */
    public Endpoint endpoint() {
        return link.local();
    }

    /** What carries its packets, for people. */
    public String linkName() {
        return link.name();
    }

    /** The largest MTU its link can carry. */
    public Mtu mtuMax() {
        Mtu mtu = Mtu.atMost(link.packetMax() - OVERHEAD);
        if (mtu == null) {
            throw new IllegalStateException(
                    "the link carries packets of " + link.packetMax() + " bytes, too few for any MTU");
        }
        return mtu;
    }

    void requireMtu(Mtu mtu) {
        if (mtu.bytes() > mtuMax().bytes()) {
            throw new IllegalArgumentException(
                    "the link carries an MTU of at most " + mtuMax().bytes() + "; found " + mtu.bytes());
        }
    }

    /** Asynchronous events. */
    public AsyncEvents events() {
        return events;
    }

    AsyncEvents asyncEvents() {
        return events;
    }

    public Counters counters() {
        return engine.counters();
    }

    /** Page faults that queue pairs wait for, or whose pages are kept for them. */
    public int faultsOpen() {
        return engine.faults().open();
    }

    /** Reads and atomics under way whose landing pages are held. */
    public int landingsHeld() {
        return engine.faults().held();
    }

    public synchronized int queuePairCount() {
        return queuePairs.size();
    }

    // --- driving by hand

    /** One turn of an adapter that is run by hand; how much was done. */
    public int work(long nowNs) {
        if (options.run() != AdapterOptions.Run.MANUAL) {
            throw new IllegalStateException("adapter " + name() + " runs by itself (" + options.run() + ")");
        }
        return engine.work(nowNs);
    }

    /** When {@link #work} is due though nothing arrives; {@link Long#MIN_VALUE}: at once; {@link Long#MAX_VALUE}: never. */
    public long nextDeadlineNs() {
        return engine.nextDeadlineNs();
    }

    /**
     * Closes its queue pairs and its link, and gives its thread back. Regions stay valid for nobody. What fails on the way
     * keeps nothing else from being closed, and is thrown in the end.
     */
    @Override
    public void close() {
        List<Runnable> steps = takeForClose();
        RuntimeException failure = null;
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private synchronized List<Runnable> takeForClose() {
        if (closed) {
            return List.of();
        }
        closed = true;
        List<Runnable> steps = new ArrayList<>();
        steps.add(management::close);
        queuePairs.forEach(queuePair -> steps.add(queuePair::close));
        steps.add(runner::close);
        steps.add(link::close);
        return steps;
    }

    private synchronized boolean isOpen() {
        return !closed;
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("adapter " + name() + " is closed");
        }
    }

    static int powerOfTwo(int atLeast) {
        return Integer.highestOneBit(Math.max(1, atLeast) * 2 - 1);
    }
}
