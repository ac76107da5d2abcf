package org.verbena.services.push;

import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.simulated.SimulatedNetwork;
import org.verbena.link.simulated.SimulatedWire;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;

/** Nodes with a messaging layer each, on a simulated network, in virtual time. */
final class Stand implements AutoCloseable {
    private static final int STEPS_MAX = 50_000_000;

    final VirtualClock clock = new VirtualClock();
    final SimulatedNetwork network;
    final List<Node> nodes = new ArrayList<>();
    private final Arena arena = Arena.ofShared();

    Stand() {
        this(SimulatedWire.usual());
    }

    Stand(SimulatedWire wire) {
        network = new SimulatedNetwork(clock, wire);
    }

    /** One node. */
    final class Node {
        final Adapter adapter;
        final SendBuffers buffers;
        final MessagingLayer layer;
        boolean frozen;

        Node(UnaryOperator<Link> wrap, int connections) {
            String name = "node" + nodes.size();
            adapter = Adapter.open(
                    wrap.apply(network.open()),
                    clock,
                    AdapterOptions.DEFAULT
                            .withName(name)
                            .withRun(AdapterOptions.Run.MANUAL)
                            .withSeed(nodes.size() + 1));
            buffers = new SendBuffers(arena, new PoolShape(512, 2048), new PoolShape(64, 70_000));
            layer = new MessagingLayer(adapter, clock, buffers, connections);
        }

        InetSocketAddress at(int port) {
            Endpoint local = adapter.endpoint();
            return new InetSocketAddress(local.address(), port);
        }

        int turn() {
            return frozen ? 0 : adapter.work(clock.nowNs()) + layer.work(clock.nowNs());
        }

        long nextDeadlineNs() {
            return frozen ? Long.MAX_VALUE : Math.min(adapter.nextDeadlineNs(), layer.nextDeadlineNs());
        }
    }

    Node node() {
        return node(link -> link, 16);
    }

    Node node(UnaryOperator<Link> wrap, int connections) {
        Node made = new Node(wrap, connections);
        nodes.add(made);
        return made;
    }

    /** Runs until the condition holds; false if it does not within the time, or nothing can happen any more. */
    boolean runUntil(BooleanSupplier condition, Duration limit) {
        long endNs = clock.nowNs() + limit.toNanos();
        for (int step = 0; step < STEPS_MAX; step++) {
            int done = 0;
            for (Node node : nodes) {
                done += node.turn();
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
            nextNs = Math.min(nextNs, node.nextDeadlineNs());
        }
        if (nextNs <= clock.nowNs()) {
            // A frozen node leaves packets where they are.
            nextNs = clock.nowNs() + (nodes.stream().anyMatch(node -> node.frozen) ? 1_000_000 : 1000);
        }
        if (nextNs > endNs) {
            clock.advanceTo(endNs);
            return false;
        }
        clock.advanceTo(nextNs);
        return true;
    }

    /** Runs for a time. */
    void run(Duration time) {
        runUntil(() -> false, time);
    }

    @Override
    public void close() {
        for (Node node : nodes) {
            node.layer.close();
            node.adapter.close();
        }
        arena.close();
    }
}
