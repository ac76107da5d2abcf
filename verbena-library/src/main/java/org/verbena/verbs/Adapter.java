package org.verbena.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Wire;
import org.verbena.adapter.EngineParts;
import org.verbena.adapter.Limits;
import org.verbena.adapter.iwarp.port.IwarpPort;
import org.verbena.adapter.pair.PairCarrier;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.stream.StreamNetwork;
import org.verbena.link.support.SilentLink;
import org.verbena.link.tcp.TcpNetwork;
import org.verbena.link.tcp.TcpOptions;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.RegistrationTable;
import org.verbena.memory.TableEntry;
import org.verbena.memory.Window;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.RingMemory;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.trace.Counters;

/**
 * A channel adapter: memory, queues and one port, on a link. This class is the way in; {@code LocalAdapter} has the
 * engine, {@code QueuePairs} makes the queue pairs.
 *
 * <p>Any thread may call every method but {@link #work}. The adapter owns its link and closes it. An object that one
 * adapter made is refused by every other adapter with {@link IllegalArgumentException}. After {@link #close} nothing can be
 * made any more: the methods that make something throw {@link IllegalStateException}.
 */
public final class Adapter implements EventSource, AutoCloseable {
    private final AdapterOptions options;
    private final ProtectionTable memory;
    private final LocalAdapter local;
    private final QueuePairs queuePairs;
    private final AdapterMetrics metrics;
    private final AdapterRegistrations registrations;
    private final AddressHandles addressHandles;
    private @Nullable ProtectionDomain defaultDomain;

    /**
     * Opens an adapter with other carriers beside the InfiniBand port: a queue pair goes by the first of them that reaches its peer, else by the port.
     *
     * @param memory has its keys
     * @param rings have its doorbell and its rings
     * @param others make a carrier each, of the engine's parts
     */
    Adapter(
            Link link,
            NanoClock clock,
            AdapterOptions options,
            ProtectionTable memory,
            RingMemory rings,
            List<Function<EngineParts, ? extends PairCarrier>> others) {
        this.options = options;
        this.memory = memory;
        Seed seed = options.seed() == 0 ? Seed.unpredictable() : new Seed(options.seed());
        Seed chance = options.chance("management");
        this.local = new LocalAdapter(this, link, clock, options, memory, rings, chance, others);
        this.metrics = new AdapterMetrics(options.metrics(), options.name());
        this.registrations = new AdapterRegistrations(memory, options, clock, metrics, text -> local.onUnpinned(text));
        this.queuePairs = new QueuePairs(this, local, memory, seed, metrics, registrations);
        this.addressHandles = new AddressHandles(this, local, memory, queuePairs);
        metrics.register(this, local);
        metrics.register(registrations.own());
    }

    /**
     * Opens an adapter on the machine's own network, with {@linkplain AdapterOptions#DEFAULT default options}.
     *
     * @param at as for {@link #open(InetSocketAddress, AdapterOptions)}
     * @throws org.verbena.link.LinkException as for {@link #open(InetSocketAddress, AdapterOptions)}
     */
    public static Adapter open(InetSocketAddress at) {
        return open(at, AdapterOptions.DEFAULT);
    }

    /**
     * Opens an adapter on the machine's own network, in the machine's time: over RoCEv2 on a link of {@link UdpNetwork}, over iWARP on the streams
     * of {@link TcpNetwork}, as {@link AdapterOptions#wire} says.
     *
     * @param at an address of this machine, not a wildcard, and a UDP port; RoCEv2 has port {@value Endpoint#ROCE_PORT}, and port 0 lets
     *     the system choose: {@link #endpoint} has its choice. iWARP does not use the port: its listeners have TCP ports of their own
     * @throws org.verbena.link.LinkException if the address is not resolved or not this machine's, the port is taken, or the JVM denies
     *     native access
     */
    public static Adapter open(InetSocketAddress at, AdapterOptions options) {
        Endpoint local = Endpoint.of(at);
        return switch (options.wire()) {
            case ROCE -> open(UdpNetwork.open(local), options);
            case IWARP -> open(TcpNetwork.open(local.address(), TcpOptions.DEFAULT), NanoClock.system(), options);
        };
    }

    /**
     * Opens an adapter on a link, in the machine's time.
     *
     * @param link owned by the adapter from now on
     * @throws IllegalStateException if the link's packets are too short for any MTU
     */
    public static Adapter open(Link link, AdapterOptions options) {
        return open(link, NanoClock.system(), options);
    }

    /**
     * Opens an adapter on a link, in the time of a clock.
     *
     * @param link owned by the adapter from now on
     * @param clock read by the thread that drives the adapter
     * @throws IllegalStateException if the link's packets are too short for any MTU
     */
    public static Adapter open(Link link, NanoClock clock, AdapterOptions options) {
        return new Adapter(link, clock, options, options.table(), RingMemory.LOCAL, List.of());
    }

    /**
     * Opens an adapter that speaks iWARP over the streams of a network, whatever the options say about its wire, in the time of a clock.
     *
     * @param streams owned by the adapter from now on
     * @param clock read by the thread that drives the adapter
     */
    public static Adapter open(StreamNetwork streams, NanoClock clock, AdapterOptions options) {
        List<Endpoint> locals =
                streams.locals().stream().map(local -> new Endpoint(local, 0)).toList();
        long receiveWaitNs = Durations.toNanos(options.iwarp().receiveWait());
        return new Adapter(
                new SilentLink(streams.name(), locals),
                clock,
                options,
                options.table(),
                RingMemory.LOCAL,
                List.of(parts -> new IwarpPort(parts, streams, clock, receiveWaitNs)));
    }

    // --- memory

    /**
     * Makes a protection domain whose regions and windows peers may reach by their keys; whose windows only, if {@link
     * AdapterOptions#remoteAccess} says so.
     *
     * @throws IllegalStateException if the adapter is closed
     */
    public ProtectionDomain createProtectionDomain() {
        queuePairs.requireOpen();
        return memory.createDomain(options.remoteAccess());
    }

    /**
     * Makes a protection domain.
     *
     * @param remoteAccess whether peers may use keys of regions and windows, or of windows only
     * @throws IllegalArgumentException if it allows regions and the options of the adapter allow windows only
     * @throws IllegalStateException if the adapter is closed
     */
    public ProtectionDomain createProtectionDomain(RemoteAccess remoteAccess) {
        queuePairs.requireOpen();
        options.requireAllowed(remoteAccess);
        return memory.createDomain(remoteAccess);
    }

    /**
     * Makes a protection domain that is bound to the owner of memory: the host or a guest. Memory of another owner cannot be registered in it,
     * buffers without a registration, which are the host's, included. Its queue pairs belong to the owner: a key on memory of another owner
     * is refused to them with {@link org.verbena.Verdict#WRONG_MEMORY_DOMAIN}, and they fail when the owner is closed.
     *
     * @throws IllegalStateException if the adapter or the owner is closed
     */
    public ProtectionDomain createProtectionDomain(MemoryDomain owner) {
        queuePairs.requireOpen();
        queuePairs.owners().watch(owner);
        return memory.createDomain(options.remoteAccess(), owner);
    }

    /** The entries of its protection table at this moment: regions and windows, by the index of their key. */
    public List<TableEntry> protectionEntries() {
        return memory.entries();
    }

    /**
     * The protection domain of the calls that name none: {@link #register(MemorySegment, Right...)} and {@link
     * QueuePairOptions#of(CompletionQueue)}. Made at the first call; the same object from then on. A consumer whose peers must not reach
     * each other's memory makes {@linkplain #createProtectionDomain() domains of its own}.
     */
    public ProtectionDomain defaultDomain() {
        synchronized (memory) {
            if (defaultDomain == null) {
                defaultDomain = createProtectionDomain();
            }
            return defaultDomain;
        }
    }

    /**
     * Registers native memory of the consumer in the {@linkplain #defaultDomain default domain}, as {@link #register(ProtectionDomain,
     * MemorySegment, Set)} does; throws the same.
     *
     * @param rights LOCAL_READ is implied; none more are needed for memory that is only sent from
     */
    public Region register(MemorySegment foreign, Right... rights) {
        Set<Right> granted = EnumSet.of(Right.LOCAL_READ, rights);
        return register(defaultDomain(), foreign, granted);
    }

    /**
     * Registers native memory of the consumer in place, under its own addresses. The consumer keeps the memory, and closes
     * the region before the memory; while memory is closed under a region, every access to the region is refused.
     *
     * @param rights LOCAL_READ is implied
     * @throws IllegalArgumentException if the segment is not native, not alive or not accessible by every thread; or if the
     *     rights contradict each other
     * @throws IllegalStateException if the domain is closed, or the adapter has all the regions it can have, or is closed
     */
    public Region register(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.register(domain, foreign, rights);
    }

    /**
     * Registers native memory of the consumer that lies in several places, as one region: the segments follow each other in its addresses. Each segment but the first begins with a page,
     * and each but the last ends with one; a page has the largest size, of 4 KiB at least, that they allow. A segment may be listed twice. If the arena of one is closed, every access to
     * the region is refused.
     *
     * @param address of the first byte under the region's key
     * @param rights LOCAL_READ is implied; a read-only segment makes the region read-only
     * @throws IllegalArgumentException if there is no segment, one is not native, not alive, empty or not accessible by every thread, or begins or ends within a page; or if the rights contradict each other
     * @throws IllegalStateException as for {@link #register(ProtectionDomain, MemorySegment, Set)}
     */
    public Region register(ProtectionDomain domain, List<MemorySegment> segments, long address, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.register(domain, segments, address, rights);
    }

    /**
     * Registers managed memory.
     *
     * @param address of its first byte under the region's key
     * @param rights LOCAL_READ is implied
     * @throws IllegalArgumentException if the rights contradict each other
     * @throws IllegalStateException if domain or memory is closed, or the adapter has all the regions it can have, or is closed
     */
    public Region register(ProtectionDomain domain, ManagedMemory managed, long address, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.register(domain, managed, address, rights);
    }

    /**
     * Registers part of managed memory: {@code length} bytes, at least 1, from byte {@code offset} on. Parts may overlap, and need not begin or end with a page.
     * Otherwise like {@link #register(ProtectionDomain, ManagedMemory, long, Set)}.
     *
     * @throws IndexOutOfBoundsException if the part is empty or not within the memory
     */
    public Region register(
            ProtectionDomain domain, ManagedMemory managed, long offset, long length, long address, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.register(domain, managed, offset, length, address, rights);
    }

    /**
     * Registers managed memory that may be swapped out as a whole. The hypervisor and the consumer agree on the moment
     * through the region's {@link Region#currentIo}.
     *
     * @param address of its first byte under the region's key
     * @param rights LOCAL_READ is implied
     * @param currentIo which side counts the operations, and where the count is
     * @throws IllegalArgumentException if the rights contradict each other, the memory cannot be swapped out because it is not a hypervisor's, or
     *     the {@linkplain CurrentIoOptions#withWord word} is not native, aligned, writable, accessible by every thread and 0
     * @throws IllegalStateException if domain or memory is closed, or the adapter has all the regions it can have, or is closed
     */
    public Region register(
            ProtectionDomain domain,
            ManagedMemory managed,
            long address,
            Set<Right> rights,
            CurrentIoOptions currentIo) {
        queuePairs.requireOpen();
        return memory.register(domain, managed, address, rights, currentIo);
    }

    /**
     * The same for part of managed memory; its pages leave machine memory if no other region needs them.
     *
     * @throws IndexOutOfBoundsException if the part is empty or not within the memory
     */
    public Region register(
            ProtectionDomain domain,
            ManagedMemory managed,
            long offset,
            long length,
            long address,
            Set<Right> rights,
            CurrentIoOptions currentIo) {
        queuePairs.requireOpen();
        return memory.register(domain, managed, offset, length, address, rights, currentIo);
    }

    /**
     * Reserves a region on native memory of the consumer: the key exists at once, and is valid when a {@link WorkRequest.Register} with it is
     * done. Throws as {@link #register(ProtectionDomain, MemorySegment, Set)} does.
     */
    public Region reserve(ProtectionDomain domain, MemorySegment foreign, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.reserve(domain, foreign, rights);
    }

    /** The same on managed memory; throws as {@link #register(ProtectionDomain, ManagedMemory, long, Set)} does. */
    public Region reserve(ProtectionDomain domain, ManagedMemory managed, long address, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.reserve(domain, managed, address, rights);
    }

    /**
     * Reserves a region without memory. Each {@link WorkRequest.Register} with {@linkplain PreparedMemory memory} puts that memory behind the key, an
     * invalidation takes it away again. Closing the region ends the registration; requests with its key that are under way fail.
     *
     * @param pages pages of 4 KiB that the memory of a registration may touch, at least 1; see {@link PreparedMemory#pages}
     * @throws IllegalArgumentException if there is room for no page
     * @throws IllegalStateException if the domain is closed, or the adapter has all the regions it can have, or is closed
     */
    public Region reserve(ProtectionDomain domain, int pages) {
        queuePairs.requireOpen();
        return memory.reserve(domain, pages);
    }

    /**
     * Makes a second region on the memory of a region: with its own key, domain and rights, and a common translation table.
     *
     * @throws IllegalArgumentException if the rights contradict each other
     * @throws IllegalStateException if region or domain is closed, or the adapter has all the regions it can have, or is closed
     */
    public Region share(Region region, ProtectionDomain domain, Set<Right> rights) {
        queuePairs.requireOpen();
        return memory.share(region, domain, rights);
    }

    /**
     * The same, for a second region that may be swapped out, whether the first may be or not. The pages leave machine memory when all regions
     * on the memory are swapped out. Throws also as {@link #register(ProtectionDomain, ManagedMemory, long, Set, CurrentIoOptions)} does.
     */
    public Region share(Region region, ProtectionDomain domain, Set<Right> rights, CurrentIoOptions currentIo) {
        queuePairs.requireOpen();
        return memory.share(region, domain, rights, currentIo);
    }

    /**
     * Makes a window, not bound to a region yet: a {@link WorkRequest.BindWindow} binds it.
     *
     * @throws IllegalStateException if the domain is closed, or the adapter has all the regions and windows it can have, or is closed
     */
    public Window createWindow(ProtectionDomain domain, Window.Type type) {
        queuePairs.requireOpen();
        return memory.createWindow(domain, type);
    }

    // --- buffers that need no registration

    /**
     * Its registration table: it registers the buffers that work requests name, for all queue pairs whose options name no other table. Always the same object.
     */
    public RegistrationTable registrations() {
        return registrations.own();
    }

    /**
     * Makes a registration table for one consumer, with budgets of its own: {@link QueuePairOptions#withRegistrations} names it. The adapter closes it, unless
     * the consumer has.
     *
     * @param owner the consumer, for people
     * @throws IllegalStateException if the adapter is closed
     */
    public RegistrationTable createRegistrationTable(String owner, RegistrationOptions budgets) {
        queuePairs.requireOpen();
        return registrations.create(owner, budgets);
    }

    /**
     * Makes an arena for buffers of work requests. Its segments are accessible by every thread.
     *
     * <p>{@link Arena#close} waits for the work requests that use its memory, posted receives included, deregisters the memory, then frees it. It waits for at
     * most {@link RegistrationOptions#closeLimit}; then it throws {@link IllegalStateException}, and frees nothing. An interrupt does not end the wait. An adapter
     * of {@link AdapterOptions.Run#MANUAL} does not wait. A second call does nothing. The adapter closes the arenas that are open when it is closed, after its
     * queue pairs.
     *
     * @throws IllegalStateException if the adapter is closed
     */
    public Arena arena() {
        queuePairs.requireOpen();
        AdapterArena arena = new AdapterArena(registrations, local.runner());
        registrations.add(arena);
        return arena;
    }

    // --- queues

    /**
     * Makes a completion queue.
     *
     * @param capacity completions it has room for, at most {@link AdapterLimits#queueCapacity}; rounded up to a power of two
     * @throws IllegalArgumentException if the capacity is out of range
     * @throws IllegalStateException if the adapter is closed
     */
    public CompletionQueue createCompletionQueue(int capacity) {
        queuePairs.requireOpen();
        QueuePairOptions.require("capacity", capacity, 1, Limits.RING_CAPACITY_MAX);
        CompletionRing ring = local.rings().completions(capacity);
        CompletionQueue queue = new CompletionQueue(this, ring, new LocalCompletionQueue(local));
        local.events().know(ring, queue);
        return queue;
    }

    /**
     * Makes a receive queue that several queue pairs can share.
     *
     * @param capacity receives it holds, at most {@link AdapterLimits#queueCapacity}; rounded up to a power of two
     * @param segmentsMax segments of a receive, at most {@link AdapterLimits#segments}
     * @throws IllegalArgumentException if one of them is out of range
     * @throws IllegalStateException if the adapter is closed
     */
    public SharedReceiveQueue createSharedReceiveQueue(int capacity, int segmentsMax) {
        queuePairs.requireOpen();
        QueuePairOptions.require("capacity", capacity, 1, Limits.RING_CAPACITY_MAX);
        QueuePairOptions.require("segmentsMax", segmentsMax, 1, Limits.SEGMENTS_MAX);
        return LocalSharedReceives.create(this, local, memory, registrations, capacity, segmentsMax);
    }

    /**
     * Makes a queue pair, in state RESET. It holds its domain and its queues, which cannot be closed before it.
     *
     * @throws IllegalArgumentException if a part belongs to another adapter
     * @throws IllegalStateException if a part is closed, or the adapter has all the queue pairs it can have, or is closed;
     *     nothing is held then
     */
    public QueuePair createQueuePair(QueuePairOptions queuePairOptions) {
        return queuePairs.create(queuePairOptions);
    }

    /** Makes a queue pair with a given number, which no other queue pair of the adapter has, and a given first PSN. */
    QueuePair createQueuePair(QueuePairOptions queuePairOptions, int number, int firstPsn) {
        return queuePairs.create(queuePairOptions, number, firstPsn);
    }

    // --- addresses

    /** Makes a destination of datagrams with the default route: see {@link #createAddressHandle(ProtectionDomain, Endpoint, Route)}. */
    public AddressHandle createAddressHandle(ProtectionDomain domain, Endpoint remote) {
        return createAddressHandle(domain, remote, Route.DEFAULT);
    }

    /**
     * Makes a destination of datagrams, for queue pairs of the domain. It holds the domain.
     *
     * @param remote a port, or a multicast group
     * @param route how datagrams travel to it
     * @throws IllegalArgumentException if the domain belongs to another adapter
     * @throws org.verbena.link.LinkException if the link has no path to it
     * @throws IllegalStateException if the domain is closed, or the adapter has all the handles it can have, or is closed
     */
    public AddressHandle createAddressHandle(ProtectionDomain domain, Endpoint remote, Route route) {
        return addressHandles.create(domain, remote, route);
    }

    // --- management

    /** Queue pair 1: management datagrams, in both directions. */
    public ManagementPort management() {
        return local.management();
    }

    // --- what can be seen

    /** Its port: identifiers, partitions, MTU, addresses. */
    public Port port() {
        return local.port();
    }

    /** The protocol by which it reaches its peers. */
    public Wire wire() {
        return local.streams() == null ? Wire.ROCE : Wire.IWARP;
    }

    /**
     * Its streams, for code that makes connections over iWARP. Always the same object.
     *
     * @throws IllegalStateException if its wire is another
     */
    public StreamPort streams() {
        StreamPort there = local.streams();
        if (there == null) {
            throw new IllegalStateException("adapter " + name() + " speaks " + wire() + " and has no streams");
        }
        return there;
    }

    /** The name of its options. */
    public String name() {
        return options.name();
    }

    /** Address and UDP port that its port receives at; the first one if there are several. */
    public Endpoint endpoint() {
        return Endpoint.of(local.link().local());
    }

    /** The name of its link, for people. */
    public String linkName() {
        return local.link().name();
    }

    /** The largest MTU that its link carries. */
    public Mtu mtuMax() {
        return local.mtuMax();
    }

    /** Its asynchronous events; always the same object. */
    public AsyncEvents events() {
        return local.events();
    }

    /** Its counters, which count on; always the same object. */
    public Counters counters() {
        return local.parts().counters();
    }

    /** Page faults that queue pairs wait for now, and page faults that are over while their pages are still kept. */
    public int faultsOpen() {
        return local.parts().faults().open();
    }

    /** Reads and atomics under way now for which the pages that the answer goes to are held. */
    public int landingsHeld() {
        return local.parts().faults().held();
    }

    /** Queue pairs that are open now. */
    public int queuePairCount() {
        return queuePairs.count();
    }

    // --- driving by hand

    /**
     * Drives an adapter of {@link AdapterOptions.Run#MANUAL} for one turn: sends what is posted, takes what has arrived,
     * looks at timers. One thread at a time.
     *
     * @param nowNs the time; never less than in an earlier call
     * @return how much was done; 0 means that nothing will happen before a post, a packet or {@link #nextDeadlineNs}
     * @throws IllegalStateException if the adapter runs by itself
     */
    public int work(long nowNs) {
        if (options.run() != AdapterOptions.Run.MANUAL) {
            throw new IllegalStateException("adapter " + name() + " runs by itself (" + options.run() + ")");
        }
        return local.engine().work(nowNs);
    }

    /**
     * The time at which {@link #work} is due although nothing arrives. On the thread that calls {@code work}.
     *
     * @return a time, or {@link Long#MIN_VALUE} for at once, or {@link Long#MAX_VALUE} for never
     */
    public long nextDeadlineNs() {
        return local.engine().nextDeadlineNs();
    }

    /**
     * Closes its queue pairs and its link, and ends its thread. Threads that wait for a completion, an event or a connection are woken, and get an exception. Over iWARP it waits
     * until the bytes of completed requests are sent, 2 s at most. Regions, windows, domains and queues stay to be closed by the consumer, in any order. A step that fails does not prevent the others; its
     * exception is thrown at the end. A second call does nothing.
     */
    @Override
    public void close() {
        if (queuePairs.shut()) {
            ClosingSteps.run(ClosingSteps.ofAdapter(queuePairs, local, registrations, metrics));
        }
    }

    @Override
    public String toString() {
        return "adapter " + name() + " at " + local.link().local();
    }
}
