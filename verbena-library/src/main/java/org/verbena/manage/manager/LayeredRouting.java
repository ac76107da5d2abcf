package org.verbena.manage.manager;

import org.jspecify.annotations.Nullable;
import org.verbena.manage.manager.SubnetGraph.EndPort;

/**
 * Shortest paths, and a service level for each pair of switches so that the channels of no level depend on each other in a cycle. Both directions of a
 * pair have one level, as reversible paths need it. The pairs of the manager's switch come first: they are always at level 0, where end nodes ask the manager.
 */
final class LayeredRouting implements RoutingEngine {
    /** Most lanes for data. */
    static final int LANES_MAX = 15;

    private final int lanesMax;

    /**
     * An engine.
     *
     * @param lanesMax most service levels
     */
    LayeredRouting(int lanesMax) {
        if (lanesMax < 1 || lanesMax > LANES_MAX) {
            throw new IllegalArgumentException("lanesMax " + lanesMax + " found, 1 … " + LANES_MAX + " expected");
        }
        this.lanesMax = lanesMax;
    }

    @Override
    public String name() {
        return "layered";
    }

    @Override
    public Routes route(SubnetGraph graph) {
        ChannelNumbers numbers = new ChannelNumbers(graph);
        byte[][] balanced = MinHopRouting.tables(graph, false);
        if (allPathsFit(graph, balanced, new ChannelDependencies(graph, numbers))) {
            return new Routes(balanced, null, 1);
        }
        // Paths that take the same turns need few levels in a grid, reversible ones in a ring.
        Routes sameTurns = new Layers(graph, MinHopRouting.tables(graph, true), numbers).routes();
        Routes reversible = new Layers(graph, new ReversiblePaths(graph).tables(), numbers).routes();
        Routes fewer = reversible.levelCount() < sameTurns.levelCount() ? reversible : sameTurns;
        if (fewer.levelCount() > lanesMax) {
            throw new RoutingException(
                    "more than " + lanesMax + " lanes are needed for shortest paths without a deadlock: "
                            + graph.switchCount() + " switches, lanesMax " + lanesMax);
        }
        return fewer;
    }

    /** Whether all paths of end nodes fit on one level: true for every tree. */
    private static boolean allPathsFit(SubnetGraph graph, byte[][] tables, ChannelDependencies level) {
        for (EndPort end : graph.ends()) {
            if (end.isSwitch()) {
                continue;
            }
            for (int lid = end.lid(); lid <= end.lastLid(); lid++) {
                for (int from = 0; from < tables.length; from++) {
                    if (!level.addStep(from, tables, lid)) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** The levels while pairs are given out. */
    private final class Layers {
        private final SubnetGraph graph;
        private final byte[][] tables;
        private final ChannelNumbers numbers;
        private final EndPort[][] endNodes;
        private final @Nullable ChannelDependencies[] levels = new ChannelDependencies[lanesMax];
        private int levelCount;

        Layers(SubnetGraph graph, byte[][] tables, ChannelNumbers numbers) {
            this.graph = graph;
            this.tables = tables;
            this.numbers = numbers;
            this.endNodes = new EndPort[graph.switchCount()][];
            for (int index = 0; index < endNodes.length; index++) {
                int here = index;
                endNodes[index] = graph.ends().stream()
                        .filter(end -> end.switchIndex() == here && !end.isSwitch())
                        .toArray(EndPort[]::new);
            }
        }

        /** The routes; more levels than there may be: the pairs do not fit. */
        Routes routes() {
            byte[][] level = new byte[endNodes.length][endNodes.length];
            levelCount = 1;
            int manager = graph.managerSwitch();
            for (int other = 0; manager != SubnetGraph.NONE && other < endNodes.length; other++) {
                assign(manager, other, level);
            }
            for (int one = 0; one < endNodes.length; one++) {
                for (int other = one + 1; other < endNodes.length; other++) {
                    if (one != manager && other != manager) {
                        assign(one, other, level);
                    }
                }
            }
            return new Routes(tables, level, levelCount);
        }

        private void assign(int one, int other, byte[][] level) {
            if (levelCount > lanesMax || one == other || endNodes[one].length == 0 || endNodes[other].length == 0) {
                return;
            }
            int found = levelOf(one, other);
            level[one][other] = (byte) found;
            level[other][one] = (byte) found;
            levelCount = Math.max(levelCount, found + 1);
        }

        /** The first level that takes both directions; {@link #lanesMax}: none. */
        private int levelOf(int one, int other) {
            for (int number = 0; number < lanesMax; number++) {
                ChannelDependencies level = levels[number];
                if (level == null) {
                    level = new ChannelDependencies(graph, numbers);
                    levels[number] = level;
                }
                level.begin();
                if (addPaths(level, one, other) && addPaths(level, other, one)) {
                    return number;
                }
                level.undo();
            }
            return lanesMax;
        }

        private boolean addPaths(ChannelDependencies level, int from, int to) {
            for (EndPort end : endNodes[to]) {
                for (int lid = end.lid(); lid <= end.lastLid(); lid++) {
                    if (!level.addPath(from, tables, lid)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
