package org.verbena.simulation;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.RnrTimer;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.memory.Window;
import org.verbena.time.Seed;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SharedReceiveQueue;
import org.verbena.verbs.WorkRequest;

/** The connections of the nodes, their memory and limits: drawn from a seed. */
final class Topology {
    private static final int CAPACITY = 256;
    private static final int SEGMENTS_MAX = 8;
    private static final long SOURCE_BYTES = 1 << 18;
    private static final long HUGE_BYTES = 4 << 20;
    private static final int CELLS = 8;
    private static final long FEED_BYTES_MAX = 8 << 20;
    private static final EnumSet<Right> EVERYTHING = EnumSet.allOf(Right.class);

    private final Seed seed;
    private final Scenario.Paging paging;
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Common> commons = new ArrayList<>();

    /** What all connections of a node have in common. */
    private record Common(
            Zone source, Zone sharedCells, @Nullable Shared shared) {}

    private record Shared(SharedReceiveQueue queue, ReceiveFeed feed) {}

    Topology(World world, Scenario.Paging paging, Seed seed) {
        this.seed = seed;
        this.paging = paging;
        boolean huge = seed.chance(0.1);
        for (Node node : world.nodes()) {
            prepare(node, huge);
        }
        int connections = huge ? 1 : 1 + seed.nextInt(6);
        for (int i = 0; i < Math.max(connections, world.nodes().size() - 1); i++) {
            int from = i % world.nodes().size();
            // Sometimes with itself: two queue pairs of one adapter.
            int steps = seed.chance(0.1) ? 0 : 1 + seed.nextInt(world.nodes().size() - 1);
            int to = (from + steps) % world.nodes().size();
            connect(world.nodes().get(from), world.nodes().get(to), huge ? HUGE_BYTES : 1L << (7 + seed.nextInt(12)));
        }
    }

    static SimulatedWire wire(Seed seed) {
        long latencyNs = 500 + Pieces.below(seed, 1 << (8 + seed.nextInt(10)));
        return new SimulatedWire(latencyNs, 125_000_000L << seed.nextInt(8), 16 << seed.nextInt(5));
    }

    List<Lane> lanes() {
        return lanes;
    }

    private void prepare(Node node, boolean huge) {
        if (paging != Scenario.Paging.NONE) {
            node.usePagedMemory(paging, seed.fork("overcommit " + node.index()));
        } else if (seed.nextBoolean()) {
            node.useManagedMemory();
        }
        commons.add(new Common(
                filled(node.zone("source", huge ? HUGE_BYTES : SOURCE_BYTES, EnumSet.noneOf(Right.class))),
                filled(node.zone("shared cells", CELLS * 16L, EVERYTHING)),
                huge || seed.nextBoolean() ? null : sharedReceives(node)));
    }

    private Shared sharedReceives(Node node) {
        SharedReceiveQueue queue = node.adapter().createSharedReceiveQueue(CAPACITY, SEGMENTS_MAX);
        return new Shared(queue, feed(node, queue::post, true, 1L << (7 + seed.nextInt(10))));
    }

    private Zone filled(Zone zone) {
        return zone.fill(seed.fork(zone.name()));
    }

    private void connect(Node a, Node b, long lengthMax) {
        int mtuLeast = lengthMax == HUGE_BYTES ? Mtu.MTU_1024.ordinal() : 0;
        Mtu mtu = Mtu.values()[mtuLeast + seed.nextInt(Mtu.values().length - mtuLeast)];
        int reads = 1 + seed.nextInt(16);
        ConnectionOptions how = ConnectionOptions.DEFAULT
                .withMtu(mtu)
                .withReads(reads, reads)
                .withRnr(7, RnrTimer.atLeast(10L << seed.nextInt(6)))
                .withEndToEndCredits(seed.chance(0.4));
        End one = end(a, lengthMax);
        End other = end(b, lengthMax);
        one.queuePair.connect(other.queuePair.address(), how);
        other.queuePair.connect(one.queuePair.address(), how);
        addLane(one, other, mtu, lengthMax);
        addLane(other, one, mtu, lengthMax);
    }

    /** One end of a connection: its queue pair and what finds its peer's messages a place. */
    private record End(Node node, QueuePair queuePair, ReceiveFeed feed) {}

    private End end(Node node, long lengthMax) {
        QueuePairOptions options = QueuePairOptions.of(node.domain(), node.completions())
                .withCapacity(CAPACITY, CAPACITY)
                .withSegmentsMax(SEGMENTS_MAX)
                .withInlineMax(Poster.INLINE_MAX);
        Shared shared = commons.get(node.index()).shared;
        if (shared != null) {
            return new End(node, node.adapter().createQueuePair(options.withSharedReceives(shared.queue)), shared.feed);
        }
        QueuePair queuePair = node.adapter().createQueuePair(options);
        return new End(node, queuePair, feed(node, queuePair::post, false, lengthMax));
    }

    /** Half of the feeds starve their senders now and then. */
    private ReceiveFeed feed(Node node, Predicate<WorkRequest.Receive> queue, boolean shared, long bufferLength) {
        boolean starving = seed.nextBoolean();
        int buffers = Math.clamp(FEED_BYTES_MAX / bufferLength, 1, starving ? 4 : 128);
        var shape =
                new ReceiveFeed.Shape(buffers, bufferLength, 1 + seed.nextInt(SEGMENTS_MAX), starving ? 200_000 : 0);
        Zone zone =
                filled(node.zone("receives " + node.zones().size(), shape.zoneLength(), EnumSet.of(Right.LOCAL_WRITE)));
        return new ReceiveFeed(zone, queue, shared, shape, seed.fork(zone.name() + " feed"));
    }

    private void addLane(End requester, End responder, Mtu mtu, long lengthMax) {
        int index = lanes.size();
        Node to = responder.node;
        Zone target = filled(to.zone("target " + index, lengthMax, EVERYTHING));
        Zone landing =
                filled(requester.node.zone("landing " + index, lengthMax * 3 + 4096, EnumSet.of(Right.LOCAL_WRITE)));
        Zone cells = filled(to.zone("cells " + index, CELLS * 16L, EVERYTHING));
        var zones = new Lane.Zones(
                commons.get(requester.node.index()).source,
                landing,
                target,
                cells,
                commons.get(to.index()).sharedCells,
                commons.get(to.index()).source);
        Window.Type type = seed.nextBoolean() ? Window.Type.TYPE_1 : Window.Type.TYPE_2;
        lanes.add(new Lane(
                index,
                requester.node,
                requester.queuePair,
                mtu,
                zones,
                responder.feed,
                new WindowCycle(to.window(type)),
                seed.fork("lane " + index)));
    }
}
