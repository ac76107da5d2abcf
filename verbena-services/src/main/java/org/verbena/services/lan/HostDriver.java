package org.verbena.services.lan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;
import org.verbena.link.frame.FramePort;
import org.verbena.services.lan.wire.AttachReply;
import org.verbena.services.lan.wire.AttachRequest;
import org.verbena.services.lan.wire.ConfigFields;
import org.verbena.services.lan.wire.FilterRequest;
import org.verbena.services.lan.wire.LanOperation;
import org.verbena.services.lan.wire.StatisticsPage;
import org.verbena.services.push.MessagingLayer;
import org.verbena.services.push.SendBuffers;
import org.verbena.services.push.ServiceConnection;
import org.verbena.services.push.ServiceOptions;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;

/**
 * The driver of a host: connects a port of the host's system with a {@link UnitDriver} across the fabric, so that the port is an interface of the unit's LAN.
 *
 * <p>It connects, and connects again when the connection is lost, until it is closed. The port has a carrier while it is {@link HostState#UP} and the unit's LAN is
 * up. Frames from before a loss are dropped; none is delivered after it. A host that uses several units has a driver and a port for each; drivers may share an adapter.
 *
 * <p>One thread drives it: that which calls {@link #run}, a thread of its own ({@link #start}), or one that calls {@link #work} again and again. All other methods
 * but {@link #nextDeadlineNs} are for any thread; futures complete in the driver's thread.
 */
public final class HostDriver implements AutoCloseable {
    /** Frames of the port that one turn takes at most. */
    private static final int FRAMES_PER_TURN = 64;
    /** Frames that are dropped before a new connection carries frames, at most. */
    private static final int DRAIN_MAX = 16_384;
    /** Small buffers for frames on their way to the unit. */
    private static final int SMALL_BUFFERS = 257;
    /** Larger ones. */
    private static final int LARGE_BUFFERS = 65;
    /** Connections of the layer: one, and an old one that has not quite ended. */
    private static final int CONNECTIONS = 2;

    private final FramePort os;
    private final InetSocketAddress unit;
    private final int unitUdpPort;
    private final HostOptions options;
    private final Arena arena = Arena.ofShared();
    private final SendBuffers buffers;
    private final MessagingLayer layer;
    private final OsPump pump;
    private final DriverLoop loop;
    private final MemorySegment message;
    private final LanCounters counters = new LanCounters();
    private final Queue<Runnable> submitted = new ConcurrentLinkedQueue<>();
    private final long identity = Seed.unpredictable().nextLong();
    private final ServiceOptions service;
    private final boolean offloadsWanted;
    private volatile HostState state = HostState.DOWN;
    private volatile MacAddress address;
    private final int mtuMax;
    private int mtuWanted;
    private volatile int mtu;
    private volatile String unitName = "";
    private volatile String failure = "";
    private volatile LanFilter filter;
    private final List<MacAddress> added = new ArrayList<>();
    private @Nullable HostSession session;
    private @Nullable AttachReply attached;
    private boolean linkUp;
    private boolean carrier;
    private long nowNs;
    private long dueNs = Long.MIN_VALUE;
    private long retryNs;

    private HostDriver(
            Adapter adapter,
            NanoClock clock,
            FramePort os,
            InetSocketAddress unit,
            int unitUdpPort,
            HostOptions options) {
        this.os = os;
        this.unit = unit;
        this.unitUdpPort = unitUdpPort;
        this.options = options;
        this.nowNs = clock.nowNs();
        this.retryNs = Durations.toNanos(options.retryFirst());
        this.filter = options.filter();
        this.mtu = options.mtu();
        this.mtuWanted = options.mtu();
        this.address = options.address() != null ? options.address() : new MacAddress(os.macAddress());
        this.offloadsWanted = options.offloads() && os.canOffload();
        this.mtuMax = LanSizes.mtuMax(options.mtu(), offloadsWanted);
        this.message = arena.allocate(FilterRequest.LENGTH_MAX);
        this.buffers =
                new SendBuffers(arena, LanSizes.sent(LanSizes.MTU_MAX, offloadsWanted, SMALL_BUFFERS, LARGE_BUFFERS));
        this.pump = new OsPump(os, buffers, counters);
        this.layer = new MessagingLayer(adapter, clock, buffers, CONNECTIONS);
        this.loop = new DriverLoop(layer, clock, new Turns(), options.spin(), "verbena-host-" + options.name());
        this.service = ServiceOptions.DEFAULT
                .withPools(LanSizes.POOL_BYTES_MAX, LanSizes.offered(options.mtu(), offloadsWanted))
                .withQueue(buffers.count(), buffers.count())
                .withLimits(options.silenceLimit(), options.silenceLimit())
                .withPageable(options.pageable());
        try {
            loop.attach(os);
            os.carrier(false);
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    /**
     * Opens a host in the time of the machine's clock.
     *
     * @see #open(Adapter, NanoClock, FramePort, InetSocketAddress, int, HostOptions)
     */
    public static HostDriver open(
            Adapter adapter, FramePort os, InetSocketAddress unit, int unitUdpPort, HostOptions options) {
        return open(adapter, NanoClock.system(), os, unit, unitUdpPort, options);
    }

    /**
     * Opens a host. It connects when it is driven.
     *
     * @param adapter stays the caller's; closed after the driver
     * @param clock the adapter's
     * @param os stays the caller's; closed after the driver
     * @param unit where the unit listens
     * @param unitUdpPort over RoCEv2, UDP port of the unit's adapter; 0: the same as this adapter's
     * @throws LinkException if the port refuses a change of its carrier
     */
    public static HostDriver open(
            Adapter adapter,
            NanoClock clock,
            FramePort os,
            InetSocketAddress unit,
            int unitUdpPort,
            HostOptions options) {
        return new HostDriver(adapter, clock, os, unit, unitUdpPort, options);
    }

    // --- what it is

    /** Its state. */
    public HostState state() {
        return state;
    }

    /** The address of its interface: that which it wants before a unit has given one. */
    public MacAddress address() {
        return address;
    }

    /** The MTU of its interface. */
    public int mtu() {
        return mtu;
    }

    /** The name of the unit that it was attached to last; empty before. */
    public String unitName() {
        return unitName;
    }

    /** Why the last connection ended, or could not be made; empty if there was none. */
    public String failure() {
        return failure;
    }

    /** What this end of the connection has counted, from the first one on. The unit's numbers are those of {@link #statistics}. */
    public LanCounters counters() {
        return counters;
    }

    /** Buffers for frames on their way to the unit: those that are free now. For tests. */
    int freeBuffers() {
        return buffers.freeCount();
    }

    // --- what a program asks the unit

    /** The unit's statistics of this host, under the names of {@link LanCounter}. */
    public CompletableFuture<Map<String, Long>> statistics() {
        CompletableFuture<Map<String, Long>> future = new CompletableFuture<>();
        submit(future, up -> statistics(up, new LinkedHashMap<>(), future));
        return future;
    }

    private static void statistics(HostSession up, Map<String, Long> got, CompletableFuture<Map<String, Long>> future) {
        int first = got.size();
        up.ask(LanOperation.STATISTICS, memory -> ConfigFields.writeNumber(memory, 0, first), new HostSession.Answer() {
            @Override
            public void onDone(MemorySegment reply, long offset, int length) {
                StatisticsPage page = StatisticsPage.read(reply, offset, length);
                if (page == null || page.first() != first || (page.entries().isEmpty() && page.total() > first)) {
                    onRefused("the unit's reply to STATISTICS is malformed");
                    return;
                }
                page.entries().forEach(entry -> got.put(entry.name(), entry.value()));
                if (got.size() == first || got.size() >= page.total()) {
                    future.complete(got);
                } else {
                    statistics(up, got, future);
                }
            }

            @Override
            public void onRefused(String reason) {
                future.completeExceptionally(new IllegalStateException(reason));
            }
        });
    }

    /** Changes the filter. It stays for later connections. The future fails with {@link IllegalStateException} if the host is not up or the unit refuses. */
    public CompletableFuture<Void> filter(LanFilter wanted) {
        return change(LanOperation.SET_FILTER, memory -> wanted.toRequest().write(memory, 0), () -> filter = wanted);
    }

    /** Changes the address of the interface, likewise. */
    public CompletableFuture<Void> address(MacAddress wanted) {
        return change(LanOperation.SET_MAC, writes(wanted), () -> {
            os.macAddress(wanted.bits());
            address = wanted;
        });
    }

    /** Adds an address that the host sends and receives with, likewise. */
    public CompletableFuture<Void> addAddress(MacAddress wanted) {
        return change(LanOperation.ADD_MAC, writes(wanted), () -> {
            if (!added.contains(wanted)) {
                added.add(wanted);
            }
        });
    }

    /** Takes such an address back. */
    public CompletableFuture<Void> removeAddress(MacAddress unwanted) {
        return change(LanOperation.REMOVE_MAC, writes(unwanted), () -> added.remove(unwanted));
    }

    private static ToIntFunction<MemorySegment> writes(MacAddress which) {
        return memory -> ConfigFields.writeAddress(memory, 0, which.bits());
    }

    /**
     * Changes the MTU of the interface, likewise.
     *
     * @throws IllegalArgumentException if the buffers of the host, which are made for the MTU of its options, are too small for it
     */
    public CompletableFuture<Void> mtu(int wanted) {
        UnitOptions.require("mtu", wanted, LanSizes.MTU_MIN, mtuMax);
        return change(LanOperation.SET_MTU, memory -> ConfigFields.writeNumber(memory, 0, wanted), () -> {
            os.mtu(wanted);
            mtuWanted = wanted;
            mtu = wanted;
        });
    }

    /** Gives the host the filter, the addresses, the MTU and the statistics at the unit that it had when it was attached to it. */
    public CompletableFuture<Void> reset() {
        return change(LanOperation.RESET, memory -> 0, () -> {
            AttachReply first = attached;
            assert first != null : "up";
            filter = LanFilter.DEFAULT;
            added.clear();
            os.macAddress(first.address());
            address = new MacAddress(first.address());
            os.mtu(first.mtu());
            mtu = first.mtu();
        });
    }

    private CompletableFuture<Void> change(int operation, ToIntFunction<MemorySegment> write, Runnable done) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        submit(
                future,
                up -> up.ask(operation, write, new HostSession.Answer() {
                    @Override
                    public void onDone(MemorySegment reply, long offset, int length) {
                        try {
                            done.run();
                            future.complete(null);
                        } catch (LinkException e) {
                            future.completeExceptionally(e);
                        }
                    }

                    @Override
                    public void onRefused(String reason) {
                        future.completeExceptionally(new IllegalStateException(reason));
                    }
                }));
        return future;
    }

    private void submit(CompletableFuture<?> future, Consumer<HostSession> request) {
        submitted.add(() -> {
            HostSession open = session;
            if (open == null || state != HostState.UP) {
                future.completeExceptionally(new IllegalStateException("the host is " + state + ", expected UP"));
            } else {
                request.accept(open);
            }
        });
        if (state == HostState.CLOSED) {
            submitted.forEach(Runnable::run);
        } else {
            layer.wakeup();
        }
    }

    // --- turns

    /**
     * Does what there is to do, without a wait.
     *
     * @param now the time of the adapter's clock; never less than in an earlier call
     * @return how much was done; 0 if nothing
     */
    public int work(long now) {
        nowNs = now;
        int done = 0;
        for (Runnable task = submitted.poll(); task != null; task = submitted.poll()) {
            task.run();
            done++;
        }
        HostSession open = session;
        ServiceConnection connection = open == null ? null : open.connection();
        done += state == HostState.UP && connection != null
                ? pump.pump(connection, FRAMES_PER_TURN)
                : pump.drop(FRAMES_PER_TURN);
        done += layer.work(now); // sends the frames, too
        if (now >= dueNs) {
            onDue();
            done++;
        }
        return done;
    }

    /** The time at which {@link #work} is due although nothing arrives; {@link Long#MIN_VALUE} for at once. */
    public long nextDeadlineNs() {
        return Math.min(layer.nextDeadlineNs(), submitted.isEmpty() ? dueNs : Long.MIN_VALUE);
    }

    private void onDue() {
        dueNs = Long.MAX_VALUE;
        HostSession open = session;
        if (state == HostState.DOWN) {
            connect();
        } else if (state == HostState.CONFIGURING && open != null) {
            open.abort("the unit did not attach the host within " + options.silenceLimit());
        }
    }

    private void connect() {
        AttachRequest attach = new AttachRequest(offloadsWanted, mtuWanted, address.bits(), identity, options.name());
        List<HostSession.Wish> wishes = new ArrayList<>();
        LanFilter wanted = filter;
        if (!wanted.equals(LanFilter.DEFAULT)) {
            wishes.add(new HostSession.Wish(
                    LanOperation.SET_FILTER, memory -> wanted.toRequest().write(memory, 0)));
        }
        added.forEach(more -> wishes.add(new HostSession.Wish(LanOperation.ADD_MAC, writes(more))));
        HostSession made = new HostSession(new Events(), message, attach, wishes);
        session = made;
        state = HostState.CONNECTING;
        try {
            made.connection(layer.connect(unit, unitUdpPort, service, made));
        } catch (IllegalStateException e) {
            onOver(made, String.valueOf(e.getMessage()));
        }
    }

    private void onOver(HostSession over, String reason) {
        if (over != session) {
            return;
        }
        session = null;
        failure = reason;
        state = HostState.DOWN;
        linkUp = false;
        setCarrier();
        dueNs = Durations.deadlineNs(nowNs, retryNs);
        retryNs = Math.min(retryNs * 2, Durations.toNanos(options.retryMax()));
    }

    private void setCarrier() {
        boolean wanted = state == HostState.UP && linkUp;
        if (wanted != carrier) {
            carrier = wanted;
            counters.add(LanCounter.CARRIER_CHANGES);
            try {
                os.carrier(wanted);
            } catch (LinkException e) {
                failure = "the port refuses a change of its carrier: " + e.getMessage();
            }
        }
    }

    /** Drives it on the calling thread, until {@link #close} or an interrupt. */
    public void run() {
        loop.run();
    }

    /** Starts a daemon thread that drives it. */
    public void start() {
        loop.start();
    }

    /** Ends the connection at once and gives everything back; adapter and port stay open, the port without carrier. Any thread. */
    @Override
    public void close() {
        loop.close();
    }

    private void end() {
        loop.detach(os);
        layer.close();
        state = HostState.CLOSED;
        setCarrier();
        pump.close();
        for (Runnable task = submitted.poll(); task != null; task = submitted.poll()) {
            task.run();
        }
        arena.close();
    }

    private final class Turns implements DriverLoop.Driver {
        @Override
        public int work(long now) {
            return HostDriver.this.work(now);
        }

        @Override
        public long nextDeadlineNs() {
            return HostDriver.this.nextDeadlineNs();
        }

        @Override
        public void end() {
            HostDriver.this.end();
        }
    }

    /** What the present session tells. */
    private final class Events implements HostSession.Owner {
        @Override
        public void onConfiguring() {
            state = HostState.CONFIGURING;
            dueNs = Durations.deadlineNs(nowNs, options.silenceLimit());
        }

        @Override
        public @Nullable String onAttached(AttachReply reply) {
            if (reply.offloads() && !offloadsWanted) {
                return "the unit wants offloads, which the host has not offered";
            }
            try {
                if (os.canOffload()) {
                    os.offloads(reply.offloads());
                }
                if (os.macAddress() != reply.address()) {
                    os.macAddress(reply.address());
                }
                if (os.mtu() != reply.mtu()) {
                    os.mtu(reply.mtu());
                }
            } catch (LinkException e) {
                return "the host's port refuses what the unit has given: " + e.getMessage();
            }
            attached = reply;
            address = new MacAddress(reply.address());
            mtu = reply.mtu();
            unitName = reply.name();
            linkUp = reply.up();
            return null;
        }

        @Override
        public void onUp() {
            pump.drop(DRAIN_MAX);
            dueNs = Long.MAX_VALUE;
            retryNs = Durations.toNanos(options.retryFirst());
            state = HostState.UP;
            setCarrier();
        }

        @Override
        public void onLink(boolean up) {
            linkUp = up;
            setCarrier();
        }

        @Override
        public void onFrame(MemorySegment memory, long offset, int length) {
            if (state != HostState.UP) {
                counters.add(LanCounter.RX_DROPPED);
            } else if (os.send(memory, offset, length)) {
                counters.add(LanCounter.RX_PACKETS);
                counters.add(LanCounter.RX_BYTES, os.offloads() ? length - FramePort.OFFLOAD_HEADER_BYTES : length);
            } else {
                counters.rxDropped(LanCounter.RX_ERRORS);
            }
        }

        @Override
        public void onOver(HostSession over, String reason) {
            HostDriver.this.onOver(over, reason);
        }
    }
}
