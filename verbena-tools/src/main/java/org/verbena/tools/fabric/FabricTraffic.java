package org.verbena.tools.fabric;

import java.util.ArrayList;
import java.util.List;
import org.verbena.fabric.Fabric;
import org.verbena.manage.NodeKind;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.tools.console.Figures;

/** Verified RDMA writes and reads between hosts of a fabric, at a moderate rate. */
final class FabricTraffic implements AutoCloseable {
    /** Pairs of hosts at most: each has a thread and two adapters. */
    static final int PAIRS_MAX = 8;

    private static final double NS_PER_S = 1e9;
    private static final double BYTES_PER_MB = 1e6;
    /** A write and a read. */
    private static final int TRANSFERS = 2;

    private final Fabric fabric;
    private final List<TrafficPair> pairs = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private long shownNs = System.nanoTime();
    private long shownRounds;

    FabricTraffic(Fabric fabric) {
        this.fabric = fabric;
    }

    /** Lets the first half of the hosts write to the second half, in pairs. */
    void start() {
        List<ManagedNode> hosts = fabric.nodes().stream()
                .filter(node -> node.kind() == NodeKind.ADAPTER && node.port(1).peer() != null)
                .toList();
        int half = hosts.size() / 2;
        for (int i = 0; i < half && i < PAIRS_MAX; i++) {
            TrafficPair pair = new TrafficPair(
                    fabric, hosts.get(i).port(1), hosts.get(i + half).port(1));
            pairs.add(pair);
            threads.add(Thread.ofPlatform().daemon(true).name("traffic " + i).start(pair));
        }
    }

    /** Rates since the last call, and errors since the start. */
    List<String> lines() {
        if (pairs.isEmpty()) {
            return List.of("no traffic: start with --traffic");
        }
        long rounds = pairs.stream().mapToLong(TrafficPair::rounds).sum();
        long nowNs = System.nanoTime();
        double perSecond = (rounds - shownRounds) * NS_PER_S / Math.max(1, nowNs - shownNs);
        shownNs = nowNs;
        shownRounds = rounds;
        List<String> lines = new ArrayList<>();
        lines.add(pairs.stream().filter(TrafficPair::isConnected).count() + " of " + pairs.size() + " pairs connected");
        lines.add(Figures.format(
                "%.0f rounds/s, %.2f MB/s; %d rounds verified, %d different, %d errors",
                perSecond,
                perSecond * TRANSFERS * TrafficPair.BYTES / BYTES_PER_MB,
                rounds,
                pairs.stream().mapToLong(TrafficPair::mismatches).sum(),
                pairs.stream().mapToLong(TrafficPair::errors).sum()));
        pairs.stream()
                .map(TrafficPair::reason)
                .filter(reason -> !reason.isEmpty())
                .forEach(lines::add);
        return lines;
    }

    @Override
    public void close() {
        pairs.forEach(TrafficPair::stop);
        try {
            for (Thread thread : threads) {
                thread.interrupt();
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
