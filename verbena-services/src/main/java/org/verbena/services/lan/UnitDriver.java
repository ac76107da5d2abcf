package org.verbena.services.lan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.verbena.link.LinkException;
import org.verbena.link.frame.FramePort;
import org.verbena.services.ethernet.Promiscuity;
import org.verbena.services.ethernet.Switch;
import org.verbena.services.lan.wire.AttachRequest;
import org.verbena.services.push.MessagingLayer;
import org.verbena.services.push.PoolShape;
import org.verbena.services.push.SendBuffers;
import org.verbena.services.push.ServiceConnection;
import org.verbena.services.push.ServiceHandler;
import org.verbena.services.push.ServiceOptions;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.trace.MetricScope;
import org.verbena.verbs.Adapter;

/**
 * The driver of an I/O unit: connects a LAN port with hosts across the fabric, as a switch does. Hosts connect by {@link HostDriver}.
 *
 * <p>One thread drives it: that which calls {@link #run}, a thread of its own ({@link #start}), or one that calls {@link #work} again and again. Only {@link #close},
 * {@link #address}, {@link #hostCount} and the metrics are for any thread.
 */
public final class UnitDriver implements AutoCloseable {
    /** Time between two looks at the LAN port's state. */
    static final long LAN_LOOK_NS = 100_000_000;
    /** Time within which a host that has connected attaches. */
    static final long ATTACH_LIMIT_NS = 5_000_000_000L;
    /** Frames of the LAN that one turn takes at most. */
    private static final int LAN_FRAMES_PER_TURN = 64;
    /** Data to one host that are on their way or wait, at most. */
    private static final int SENDS_MAX = 512;
    /** Connections beside those of attached hosts: hosts that attach, or connect again before their old connection has ended. */
    private static final int CONNECTIONS_SPARE = 8;

    private final FramePort lan;
    private final UnitOptions options;
    private final Arena arena = Arena.ofShared();
    private final SendBuffers buffers;
    private final MessagingLayer layer;
    private final Switch fabric;
    private final Forwarder forwarder;
    private final DriverLoop loop;
    private final InetSocketAddress address;
    private final MetricScope metrics;
    private final List<UnitConnection> connections = new ArrayList<>();
    private final Seed chance = Seed.unpredictable();
    private final MemorySegment message;
    private volatile int hostCount;
    private long nowNs;
    private long lookNs = Long.MIN_VALUE;
    private boolean lanUp;
    private int lanMtu;

    private UnitDriver(Adapter adapter, NanoClock clock, FramePort lan, UnitOptions options) {
        this.lan = lan;
        this.options = options;
        this.nowNs = clock.nowNs();
        this.message = arena.allocate(64);
        PoolShape[] shapes =
                LanSizes.sent(options.mtu(), options.offloads(), options.smallBuffers(), options.largeBuffers());
        this.buffers = new SendBuffers(arena, shapes);
        this.fabric = new Switch(
                options.hostsMax(),
                options.forgedSources(),
                Promiscuity.valueOf(options.promiscuous().name()),
                chance.nextLong());
        this.forwarder = new Forwarder(
                lan, buffers, options.smallBuffers(), shapes.length == 1 ? 0 : options.largeBuffers(), fabric);
        this.lanUp = lan.isUp();
        this.lanMtu = lan.mtu();
        this.layer =
                new MessagingLayer(adapter, clock, buffers, Math.min(1024, options.hostsMax() + CONNECTIONS_SPARE));
        this.metrics = options.metrics().scope("unit", options.name());
        this.loop = new DriverLoop(layer, clock, new Turns(), options.spin(), "verbena-unit-" + options.name());
        ServiceOptions service = ServiceOptions.DEFAULT
                .withPools(LanSizes.POOL_BYTES_MAX, LanSizes.offered(options.mtu(), options.offloads()))
                .withQueue(SENDS_MAX, SENDS_MAX)
                .withLimits(options.silenceLimit(), options.silenceLimit())
                .withPageable(options.pageable());
        try {
            this.address = layer.listen(options.listen(), service, this::onConnection);
            loop.attach(lan);
        } catch (RuntimeException e) {
            end();
            throw e;
        }
    }

    /**
     * Opens a unit in the time of the machine's clock.
     *
     * @see #open(Adapter, NanoClock, FramePort, UnitOptions)
     */
    public static UnitDriver open(Adapter adapter, FramePort lan, UnitOptions options) {
        return open(adapter, NanoClock.system(), lan, options);
    }

    /**
     * Opens a unit. Hosts can connect when it is driven.
     *
     * @param adapter stays the caller's; closed after the driver
     * @param clock the adapter's
     * @param lan stays the caller's; closed after the driver. Its offloads are switched on if it can have them and the options do
     * @throws IllegalStateException if the port to listen at is taken
     * @throws IllegalArgumentException if the address to listen at is not the adapter's
     */
    public static UnitDriver open(Adapter adapter, NanoClock clock, FramePort lan, UnitOptions options) {
        if (lan.canOffload()) {
            lan.offloads(options.offloads());
        }
        return new UnitDriver(adapter, clock, lan, options);
    }

    /** Where hosts connect. */
    public InetSocketAddress address() {
        return address;
    }

    /** Hosts that are attached now. */
    public int hostCount() {
        return hostCount;
    }

    /** Buffers for frames on their way to hosts: those that are free now. For tests. */
    int freeBuffers() {
        return buffers.freeCount();
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
        int done = forwarder.fromLan(LAN_FRAMES_PER_TURN, now);
        done += layer.work(now); // sends the frames, too
        if (now >= lookNs) {
            lookNs = now + LAN_LOOK_NS;
            look();
        }
        return done;
    }

    private void look() {
        lookAtLan();
        fabric.age(nowNs);
        for (int i = connections.size() - 1; i >= 0; i--) {
            connections.get(i).watch(lanUp, message, nowNs);
        }
    }

    /** An interface that the system no longer has is down. */
    private void lookAtLan() {
        try {
            lanUp = lan.isUp();
            lanMtu = lan.mtu();
        } catch (LinkException e) {
            lanUp = false;
        }
    }

    /** The time at which {@link #work} is due although nothing arrives; {@link Long#MIN_VALUE} for at once. */
    public long nextDeadlineNs() {
        return Math.min(layer.nextDeadlineNs(), lookNs);
    }

    /** Drives it on the calling thread, until {@link #close} or an interrupt. */
    public void run() {
        loop.run();
    }

    /** Starts a daemon thread that drives it. */
    public void start() {
        loop.start();
    }

    /** Ends all connections at once and gives everything back; adapter and LAN port stay open. Any thread. */
    @Override
    public void close() {
        loop.close();
    }

    private void end() {
        loop.detach(lan);
        layer.close();
        forwarder.close();
        metrics.close();
        arena.close();
    }

    private final class Turns implements DriverLoop.Driver {
        @Override
        public int work(long now) {
            return UnitDriver.this.work(now);
        }

        @Override
        public long nextDeadlineNs() {
            return UnitDriver.this.nextDeadlineNs();
        }

        @Override
        public void end() {
            UnitDriver.this.end();
        }
    }

    // --- hosts

    private ServiceHandler onConnection(ServiceConnection connection) {
        UnitConnection made = new UnitConnection(this, connection, nowNs);
        connections.add(made);
        return made;
    }

    void fromHost(UnitHost host, MemorySegment memory, long offset, int length) {
        forwarder.fromHost(host, memory, offset, length, nowNs);
    }

    void forget(UnitHost host) {
        forwarder.remove(host);
        hostCount = forwarder.hostCount();
    }

    void forget(UnitConnection connection) {
        connections.remove(connection);
    }

    /** What the configuration of one connection sees of the unit. */
    UnitConfiguration.Owner owner(UnitConnection connection) {
        return new UnitConfiguration.Owner() {
            @Override
            public UnitOptions options() {
                return options;
            }

            @Override
            public Switch fabric() {
                return fabric;
            }

            @Override
            public boolean isLanUp() {
                return lanUp;
            }

            @Override
            public int mtuMax() {
                return Math.min(options.mtu(), lanMtu);
            }

            @Override
            public long newAddress() {
                return UnitDriver.this.newAddress();
            }

            @Override
            public void endOld(long identity) {
                UnitDriver.this.endOld(identity);
            }

            @Override
            public UnitHost attach(int port, AttachRequest request, long first, int mtu, boolean offloads) {
                UnitHost host = new UnitHost(
                        port, request.name(), request.identity(), offloads, first, mtu, connection, SENDS_MAX);
                forwarder.add(host);
                hostCount = forwarder.hostCount();
                connection.onAttached(
                        metrics.register(LanCounters.METRICS, host.counters, host.name + "@" + new MacAddress(first)),
                        lanUp);
                return host;
            }
        };
    }

    /** A locally administered address that no host has. */
    private long newAddress() {
        long made;
        do {
            made = 0x0200_0000_0000L | (chance.nextLong() & 0xff_ffff_ffffL);
        } while (fabric.ownerOf(made) >= 0);
        return made;
    }

    private void endOld(long identity) {
        for (int i = connections.size() - 1; i >= 0; i--) {
            UnitHost host = connections.get(i).host();
            if (host != null && host.identity == identity && identity != 0) {
                connections.get(i).abort("the host has connected again");
            }
        }
    }
}
