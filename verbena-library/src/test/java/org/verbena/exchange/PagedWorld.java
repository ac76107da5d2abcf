package org.verbena.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.link.Link;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.link.wrap.LinkFaults;
import org.verbena.link.wrap.LossyLink;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;

/** Two adapters on a simulated wire or on a fabric, each with pageable memory in a simulated store, in one virtual time. */
public final class PagedWorld implements AutoCloseable {
    public static final int PAGE = 4096;
    private static final long TURN_NS = 200;

    public final VirtualClock clock = new VirtualClock(1_000_000);
    public final Side client;
    public final Side server;
    private final WorldNetwork network;
    private final List<Side> sides;
    private final @Nullable Mischief mischief;

    /** One adapter, its memory and its store. */
    public static final class Side {
        public final Adapter adapter;
        public final Hypervisor hypervisor;
        public final SimulatedPageStore store;
        public final ManagedMemory memory;
        public final Region region;
        public final ProtectionDomain domain;
        public final CompletionQueue completions;
        private final Link link;

        private Side(VirtualClock clock, Link link, long seed, Sizes sizes, UnaryOperator<AdapterOptions> made) {
            this.link = link;
            adapter = Adapter.open(
                    link,
                    clock,
                    made.apply(AdapterOptions.DEFAULT
                            .withRun(AdapterOptions.Run.MANUAL)
                            .withSeed(seed)));
            store = new SimulatedPageStore(clock, new ServiceTime(sizes.serviceNs, 0, 0), new Seed(seed));
            hypervisor =
                    Hypervisor.open(HypervisorOptions.of(sizes.machineBytes).withStore(store));
            memory = hypervisor.host().allocate(sizes.memoryBytes);
            domain = adapter.createProtectionDomain();
            completions = adapter.createCompletionQueue(1 << 14);
            region = adapter.register(domain, memory, 0x10_0000, EnumSet.allOf(Right.class));
        }

        public QueuePair queuePair() {
            return adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withCapacity(256, 256)
                    .withSegmentsMax(4));
        }

        public LocalSegment segment(long offset, long length) {
            return LocalSegment.of(region, offset, length);
        }

        public RemoteMemory remote(long offset) {
            return RemoteMemory.of(region).plus(offset);
        }

        public byte[] fill(long offset, int length, int seed) {
            byte[] bytes = Exchange.pattern(length, seed);
            memory.write(offset, MemorySegment.ofArray(bytes));
            return bytes;
        }

        public byte[] bytesAt(long offset, int length) {
            byte[] bytes = new byte[length];
            memory.read(offset, MemorySegment.ofArray(bytes));
            return bytes;
        }

        /** The pages go to the store; no virtual time passes. */
        public void evict(long first, long count) {
            assertEquals(0, Eviction.evict(hypervisor, store, memory, first, count), "pinned pages");
        }

        public long counted(Counter counter) {
            return adapter.counters().value(counter);
        }

        public List<Completion> drain() {
            var all = new ArrayList<Completion>();
            for (Completion c = completions.poll(); c != null; c = completions.poll()) {
                all.add(c);
            }
            return all;
        }
    }

    /** How large everything is, and how slow the store. */
    public record Sizes(long machineBytes, long memoryBytes, long serviceNs) {}

    public PagedWorld(Sizes sizes, SimulatedWire wire, LinkFaults faults, long seed) {
        network = network(wire, seed);
        mischief = null;
        client = new Side(
                clock,
                new LossyLink(network.open(), new Seed(seed), faults, LinkFaults.NONE),
                seed + 1,
                sizes,
                made -> made);
        server = new Side(
                clock,
                new LossyLink(network.open(), new Seed(~seed), faults, LinkFaults.NONE),
                seed + 2,
                sizes,
                made -> made);
        sides = List.of(client, server);
    }

    /** On a good wire, but for what a test does to single packets. */
    public PagedWorld(Sizes sizes, SimulatedWire wire, long seed) {
        this(sizes, wire, seed, made -> made);
    }

    /** The same, with other options of both adapters. */
    public PagedWorld(Sizes sizes, SimulatedWire wire, long seed, UnaryOperator<AdapterOptions> options) {
        network = network(wire, seed);
        Mischief made = new Mischief(clock);
        mischief = made;
        client = new Side(clock, made.on(network.open(), true), seed + 1, sizes, options);
        server = new Side(clock, made.on(network.open(), false), seed + 2, sizes, options);
        sides = List.of(client, server);
    }

    /** Three switches take the place of the wire while tests run over a fabric. */
    private WorldNetwork network(SimulatedWire wire, long seed) {
        return Wires.isOnFabric()
                ? new SwitchedNetwork(clock.nowNs(), new Seed(seed).fork("switches"), 2)
                : new FlatNetwork(clock, wire);
    }

    /** What is done to single packets. */
    public Mischief mischief() {
        return Objects.requireNonNull(mischief, "a world of chance");
    }

    /** A new connection: the client's end, then the server's. */
    public List<QueuePair> connect(ConnectionOptions how) {
        QueuePair a = client.queuePair();
        QueuePair b = server.queuePair();
        a.connect(b.address(), how);
        b.connect(a.address(), how);
        return List.of(a, b);
    }

    /** Time passes, from event to event, until it is so; how much passed. */
    public long runUntil(BooleanSupplier done, long limitNs) {
        long startNs = clock.nowNs();
        while (true) {
            work();
            if (done.getAsBoolean()) {
                return clock.nowNs() - startNs;
            }
            assertTrue(clock.nowNs() - startNs < limitNs, "not done after " + limitNs + " ns");
            advance(startNs + limitNs);
        }
    }

    /** So much time passes. */
    public void pass(long ns) {
        long endNs = clock.nowNs() + ns;
        while (clock.nowNs() < endNs) {
            work();
            advance(endNs);
        }
        work();
    }

    private void work() {
        if (mischief != null) {
            mischief.work();
        }
        for (Side side : sides) {
            side.store.work(clock.nowNs());
            side.adapter.work(clock.nowNs());
        }
    }

    private void advance(long latestNs) {
        long nowNs = clock.nowNs();
        long next = latestNs;
        if (mischief != null) {
            next = Math.min(next, mischief.nextNs());
        }
        for (Side side : sides) {
            long deadlineNs = side.adapter.nextDeadlineNs();
            boolean busy = deadlineNs == Long.MIN_VALUE || side.link.sleepMaxNs() == 0;
            next = Math.min(next, busy ? nowNs + TURN_NS : deadlineNs);
            next = Math.min(next, side.store.nextDeadlineNs());
        }
        clock.advanceTo(network.pass(nowNs + 1, Math.max(next, nowNs + 1)));
    }

    @Override
    public void close() {
        for (Side side : sides) {
            side.adapter.close();
            assertEquals(0, side.adapter.faultsOpen());
            assertEquals(0, side.adapter.landingsHeld());
            side.region.close();
            side.memory.close();
            side.hypervisor.close();
        }
        network.audit();
        network.close();
    }
}
