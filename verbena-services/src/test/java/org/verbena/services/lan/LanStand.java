package org.verbena.services.lan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.frame.FrameCable;
import org.verbena.link.frame.FrameCableOptions;
import org.verbena.link.frame.FramePort;
import org.verbena.link.simulated.SimulatedNetwork;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.time.VirtualClock;
import org.verbena.trace.MetricRegistry;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** Units and hosts on a simulated network, in virtual time. Stations are at the other ends of their cables. */
final class LanStand implements AutoCloseable {
    static final int PORT = 4791;
    static final Duration SOON = Duration.ofMillis(200);

    private static final int STEPS_MAX = 20_000_000;

    final VirtualClock clock = new VirtualClock();
    final SimulatedNetwork network = new SimulatedNetwork(clock, SimulatedWire.usual());
    final MetricRegistry metrics = new MetricRegistry();
    private final Arena arena = Arena.ofShared();
    private final List<Node> nodes = new ArrayList<>();
    private int adapters;

    /** An adapter with a unit or a host on it. */
    class Node {
        final Adapter adapter;
        final FrameCable cable;
        final Station station;
        boolean frozen;

        Node(Adapter adapter, FrameCableOptions cableOptions) {
            this.adapter = adapter;
            cable = FrameCable.open(cableOptions);
            station = new Station(cable.right());
            nodes.add(this);
        }

        int turn() {
            return 0;
        }

        long nextNs() {
            return Long.MAX_VALUE;
        }

        void closeDriver() {}

        /** Ends without a word to the peers. */
        void die() {
            frozen = true;
        }
    }

    /** A unit. */
    final class UnitNode extends Node {
        final UnitDriver driver;

        UnitNode(Adapter adapter, FrameCableOptions cableOptions, UnaryOperator<UnitOptions> change) {
            super(adapter, cableOptions);
            UnitOptions options = UnitOptions.at(
                            new InetSocketAddress(adapter.endpoint().address(), PORT))
                    .withHosts(8, 128, 16)
                    .withMetrics(metrics);
            driver = UnitDriver.open(adapter, clock, cable.left(), change.apply(options));
        }

        @Override
        int turn() {
            return driver.work(clock.nowNs());
        }

        @Override
        long nextNs() {
            return driver.nextDeadlineNs();
        }

        @Override
        void closeDriver() {
            driver.close();
        }
    }

    /** A host. */
    final class HostNode extends Node {
        final HostDriver driver;

        HostNode(Adapter adapter, FrameCableOptions cableOptions, InetSocketAddress unit, HostOptions options) {
            super(adapter, cableOptions);
            driver = HostDriver.open(adapter, clock, cable.left(), unit, 0, options);
        }

        long mac() {
            return driver.address().bits();
        }

        boolean isUp() {
            return driver.state() == HostState.UP;
        }

        @Override
        int turn() {
            return driver.work(clock.nowNs());
        }

        @Override
        long nextNs() {
            return driver.nextDeadlineNs();
        }

        @Override
        void closeDriver() {
            driver.close();
        }
    }

    /** The far end of a cable: sends frames and keeps those that come. */
    final class Station {
        final FramePort port;
        final List<byte[]> received = new ArrayList<>();
        private final MemorySegment memory = arena.allocate(70_000);
        boolean deaf;

        Station(FramePort port) {
            this.port = port;
        }

        boolean send(byte[] frame) {
            MemorySegment.copy(frame, 0, memory, ValueLayout.JAVA_BYTE, 0, frame.length);
            return port.send(memory, 0, frame.length);
        }

        int take() {
            int taken = 0;
            for (int length = deaf ? 0 : receive(); length != 0; length = receive()) {
                received.add(memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                taken++;
            }
            return taken;
        }

        private int receive() {
            return port.receive(memory, 0, 70_000);
        }
    }

    private Adapter newAdapter(Link link) {
        String name = "node" + adapters++;
        return Adapter.open(
                link,
                clock,
                AdapterOptions.DEFAULT
                        .withName(name)
                        .withMetrics(metrics)
                        .withRun(AdapterOptions.Run.MANUAL)
                        .withSeed(adapters));
    }

    UnitNode unit(UnaryOperator<UnitOptions> change) {
        return unit(FrameCableOptions.defaults().withMtu(LanSizes.MTU_MAX), change);
    }

    UnitNode unit(FrameCableOptions cable, UnaryOperator<UnitOptions> change) {
        return new UnitNode(newAdapter(network.open()), cable, change);
    }

    /** An adapter whose link can be cut. */
    Adapter adapter(CutLink link) {
        return newAdapter(link);
    }

    /** A unit at an address that no other node has. */
    UnitNode unitAt(Endpoint at) {
        return new UnitNode(
                newAdapter(network.open(at)),
                FrameCableOptions.defaults().withMtu(LanSizes.MTU_MAX),
                options -> options);
    }

    HostNode host(UnitNode unit, long mac) {
        return host(unit.driver.address(), HostOptions.DEFAULT.withAddress(new MacAddress(mac)));
    }

    HostNode host(InetSocketAddress unit, HostOptions options) {
        return host(unit, options, FrameCableOptions.defaults(), null);
    }

    HostNode host(InetSocketAddress unit, HostOptions options, FrameCableOptions cable, @Nullable Adapter shared) {
        return new HostNode(shared == null ? newAdapter(network.open()) : shared, cable, unit, options);
    }

    /** A frame with a payload of so many bytes; the first four are a number. */
    static byte[] frame(long destination, long source, int number, int payloadBytes) {
        ByteBuffer frame = ByteBuffer.allocate(14 + payloadBytes);
        frame.putShort((short) (destination >>> 32)).putInt((int) destination);
        frame.putShort((short) (source >>> 32)).putInt((int) source);
        frame.putShort((short) 0x88b5).putInt(number);
        while (frame.hasRemaining()) {
            frame.put((byte) (number + frame.position()));
        }
        return frame.array();
    }

    static int number(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt(14);
    }

    boolean run(BooleanSupplier condition, Duration limit) {
        long endNs = clock.nowNs() + limit.toNanos();
        for (int step = 0; step < STEPS_MAX; step++) {
            int done = 0;
            for (Node node : nodes) {
                done += node.frozen ? 0 : node.adapter.work(clock.nowNs()) + node.turn() + node.station.take();
            }
            if (condition.getAsBoolean()) {
                return true;
            }
            if (done == 0 && !advance(endNs)) {
                return false;
            }
        }
        throw new AssertionError("more than " + STEPS_MAX + " steps");
    }

    private boolean advance(long endNs) {
        long nextNs = network.nextDeliveryNs();
        for (Node node : nodes) {
            if (!node.frozen) {
                nextNs = Math.min(nextNs, Math.min(node.adapter.nextDeadlineNs(), node.nextNs()));
            }
        }
        if (nextNs <= clock.nowNs()) {
            nextNs = clock.nowNs() + 1000;
        }
        boolean within = nextNs <= endNs;
        clock.advanceTo(within ? nextNs : endNs);
        return within;
    }

    void run(Duration time) {
        run(() -> false, time);
    }

    /** Takes a node out: its driver and its adapter are closed. */
    void end(Node node) {
        nodes.remove(node);
        node.closeDriver();
        node.adapter.close();
        node.cable.close();
    }

    @Override
    public void close() {
        List<Node> all = new ArrayList<>(nodes);
        all.forEach(Node::closeDriver);
        all.forEach(node -> node.adapter.close());
        all.forEach(node -> node.cable.close());
        arena.close();
    }
}
