package org.verbena.manage.manager;

import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.SwitchInfo;

/** One heavy sweep: OpenSM's phases in OpenSM's order. */
final class Sweep {
    private final ManagerOptions options;
    private final LidPlan lids;
    private final LongFunction<WrittenTables> written;
    private final MulticastGroups groups;
    private final SweepProblems problems;
    private final @Nullable KnownSubnet before;
    private final KnownSubnet subnet = new KnownSubnet();
    private final PartitionPlan partitions;
    private List<KnownPort> ports = List.of();
    private List<KnownPort> ends = List.of();
    private @Nullable PortSettings settings;
    private int step;
    private boolean complete;

    /**
     * A sweep.
     *
     * @param before the subnet as the last sweep left it; null: this is the first
     */
    Sweep(
            ManagerOptions options,
            LidPlan lids,
            LongFunction<WrittenTables> written,
            MulticastGroups groups,
            SweepProblems problems,
            @Nullable KnownSubnet before) {
        this.options = options;
        this.lids = lids;
        this.written = written;
        this.groups = groups;
        this.problems = problems;
        this.before = before;
        this.partitions = new PartitionPlan(options.partitions(), problems);
    }

    KnownSubnet subnet() {
        return subnet;
    }

    /** Whether the subnet is up: all that follows are questions of hosts. */
    boolean isComplete() {
        return complete;
    }

    /** The next phase, when all requests of the one before are answered; null: the sweep is over. */
    @Nullable
    SweepPhase nextPhase() {
        step++;
        if (step == 1) {
            return new Discovery(subnet, partitions, problems);
        }
        if (step == 2 && !subnet.knowsManagerPort()) {
            return null;
        }
        PortSettings values = settings == null ? prepare() : settings;
        settings = values;
        return switch (step) {
            case 2 -> SwitchPhase.clearChanges(subnet.switches(), problems);
            case 3 -> new PortPhase(ports, values::enforcement, 0, problems);
            case 4 -> partitions;
            case 5 -> new PortPhase(ends, values::identifiers, 0, problems);
            case 6 -> {
                route();
                yield SwitchPhase.setTop(subnet.switches(), subnet.graph().topLid(), problems);
            }
            case 7 ->
                new TablePhase(
                        subnet.switches(),
                        written,
                        subnet.routes(),
                        subnet.graph().topLid(),
                        problems);
            case 8 -> new PortPhase(ports, values::link, PortInfo.EXTENDED_SPEEDS_KNOWN, problems);
            case 9 -> new LanePhase(subnet.routes().levelCount() > 1 ? ports : List.of(), problems);
            case 10 -> transition(PortState.ARMED);
            case 11 -> transition(PortState.ACTIVE);
            case 12 -> multicast();
            case 13 -> {
                complete = true;
                yield new PortPhase(pathsHaveChanged() ? ends : List.of(), PortSettings::reregistration, 0, problems);
            }
            default -> null;
        };
    }

    /** Whether hosts know paths that are not right any more, or groups that the manager does not know. */
    private boolean pathsHaveChanged() {
        if (before == null) {
            return true;
        }
        boolean sameSwitches = before.switches().stream()
                .map(node -> node.guid)
                .toList()
                .equals(subnet.switches().stream().map(node -> node.guid).toList());
        return sameSwitches
                ? !subnet.routes().hasLevelsOf(before.routes())
                : subnet.routes().levelCount() > 1 || before.routes().levelCount() > 1;
    }

    private PortPhase transition(PortState state) {
        return new PortPhase(
                ports, (port, registers, at) -> PortSettings.state(port, state, registers, at), 0, problems);
    }

    /** Discovery is over: identifiers, graph, order. */
    private PortSettings prepare() {
        subnet.sort();
        ends = subnet.endsInOrder();
        ports = subnet.portsInOrder();
        int missing = lids.assign(ends, options.lmc());
        if (missing > 0) {
            problems.warn(
                    missing + " ports without a local identifier: all of 1 … " + SubnetGraph.LID_MAX + " are taken");
        }
        for (KnownNode node : subnet.switches()) {
            WrittenTables has = written.apply(node.guid);
            // A switch with another top was reset, or another manager wrote it.
            if (SwitchInfo.LINEAR_TOP.read(node.registers, 0) != has.top) {
                has.forget();
            }
        }
        subnet.makeGraph();
        return new PortSettings(options, subnet.managerPort().lid, before == null);
    }

    private void route() {
        SubnetGraph graph = subnet.graph();
        subnet.routes(routes(graph));
        int top = graph.topLid();
        for (KnownNode node : subnet.switches()) {
            written.apply(node.guid).top = top;
            if (SwitchInfo.LINEAR_CAP.read(node.registers, 0) <= top) {
                problems.warn("%s has %d linear entries, local identifiers go to %d"
                        .formatted(node, SwitchInfo.LINEAR_CAP.read(node.registers, 0), top));
            }
        }
    }

    private Routes routes(SubnetGraph graph) {
        try {
            Routes routes = options.routing().route(graph);
            int lanes = lanes();
            if (routes.levelCount() <= lanes) {
                return routes;
            }
            problems.warn("%s needs %d lanes, %d found: up/down routing is used"
                    .formatted(options.routing().name(), routes.levelCount(), lanes));
        } catch (RoutingException e) {
            problems.warn(options.routing().name() + ": " + e.getMessage() + "; up/down routing is used");
        }
        return RoutingEngine.upDown().route(graph);
    }

    /** Lanes that every cable between switches has. */
    private int lanes() {
        int code = PortSettings.laneCode(options.lanesMax());
        for (KnownPort port : ports) {
            if (!port.isEnd() && port.peer != null && port.peer.node.isSwitch()) {
                code = Math.min(code, PortInfo.LANE_CAP.read(port.registers, 0));
            }
        }
        return PortSettings.lanes(code);
    }

    private MulticastPhase multicast() {
        SpanningTree trees = new SpanningTree(subnet);
        int entries = Integer.MAX_VALUE;
        for (KnownNode node : subnet.switches()) {
            entries = Math.min(entries, SwitchInfo.MULTICAST_CAP.read(node.registers, 0));
        }
        groups.limit(entries);
        for (MulticastGroup group : groups.all()) {
            trees.make(group);
            groups.changed(group.lid);
        }
        return new MulticastPhase(subnet.switches(), written, groups, groups.takeChangedBlocks(), problems);
    }
}
