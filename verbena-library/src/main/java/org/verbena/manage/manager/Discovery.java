package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.NodeKind;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.NodeDescription;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.PartitionTable;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;

/** The first phase: finds all nodes, breadth first by directed routes, and reads what they are. */
final class Discovery implements SweepPhase {
    /**
     * A question to ask.
     *
     * @param node the node asked; null: the one behind the port, or the manager's own
     * @param port what it is about, or the port through which an unknown node is asked; null: the manager's own node
     */
    private record Question(
            int attribute,
            @Nullable KnownNode node,
            @Nullable KnownPort port,
            int block) {}

    private final KnownSubnet subnet;
    private final PartitionPlan partitions;
    private final SweepProblems problems;
    private final ArrayDeque<Question> questions = new ArrayDeque<>();

    Discovery(KnownSubnet subnet, PartitionPlan partitions, SweepProblems problems) {
        this.subnet = subnet;
        this.partitions = partitions;
        this.problems = problems;
        questions.add(new Question(NodeInfo.ATTRIBUTE, null, null, 0));
    }

    @Override
    public boolean next(SmpSlot slot) {
        Question question = questions.poll();
        // The cable may have been found from its other end meanwhile.
        while (question != null
                && question.attribute == NodeInfo.ATTRIBUTE
                && question.port != null
                && question.port.peer != null) {
            question = questions.poll();
        }
        if (question == null) {
            return false;
        }
        KnownPort port = question.port;
        KnownNode node = question.node;
        if (node == null) {
            slot.request(Smp.METHOD_GET, port == null ? new byte[0] : behind(port), NodeInfo.ATTRIBUTE, 0);
        } else {
            byte[] route = port == null ? node.route : port.route;
            slot.request(Smp.METHOD_GET, route, question.attribute, modifier(question));
        }
        slot.node = node;
        slot.port = port;
        slot.number = question.block;
        return true;
    }

    private static int modifier(Question question) {
        KnownPort port = question.port;
        if (port == null) {
            return 0;
        }
        return question.attribute == PartitionTable.ATTRIBUTE
                ? PartitionTable.modifier(port.node.isSwitch() ? port.number : 0, question.block)
                : port.number;
    }

    /** The route to the node at the other end of a port's cable. */
    private static byte[] behind(KnownPort port) {
        byte[] route = Arrays.copyOf(port.node.route, port.node.route.length + 1);
        route[route.length - 1] = (byte) port.number;
        return route;
    }

    @Override
    public void onAnswer(SmpSlot slot, MemorySegment answer) {
        switch (slot.attribute()) {
            case NodeInfo.ATTRIBUTE -> onNode(slot, answer);
            case NodeDescription.ATTRIBUTE -> {
                if (slot.node != null) {
                    slot.node.description = NodeDescription.read(answer, Smp.DATA);
                }
            }
            case SwitchInfo.ATTRIBUTE -> {
                if (slot.node != null) {
                    onSwitch(slot.node, answer);
                }
            }
            case PortInfo.ATTRIBUTE -> {
                if (slot.port != null) {
                    onPort(slot.port, answer);
                }
            }
            case PartitionTable.ATTRIBUTE -> {
                if (slot.port != null) {
                    partitions.found(slot.port, slot.number, answer, Smp.DATA);
                }
            }
            default -> {}
        }
    }

    private void onNode(SmpSlot slot, MemorySegment answer) {
        KnownPort from = slot.port;
        int arrival = NodeInfo.LOCAL_PORT.read(answer, Smp.DATA);
        int kind = NodeInfo.NODE_TYPE.read(answer, Smp.DATA);
        if (kind < NodeKind.ADAPTER.code()
                || kind > NodeKind.ROUTER.code()
                || arrival > NodeInfo.PORTS.read(answer, Smp.DATA)) {
            problems.add("the node behind %s says type %d, port %d: not a node".formatted(from, kind, arrival));
            return;
        }
        byte[] route = from == null ? new byte[0] : behind(from);
        KnownNode node = subnet.node(NodeInfo.NODE_GUID.read(answer, Smp.DATA));
        boolean isNew = node == null;
        if (node == null) {
            node = new KnownNode(answer, Smp.DATA, route);
            subnet.add(node);
            questions.add(new Question(NodeDescription.ATTRIBUTE, node, null, 0));
            if (node.isSwitch()) {
                questions.add(new Question(SwitchInfo.ATTRIBUTE, node, null, 0));
            }
        }
        KnownPort port = arrivalPort(node, arrival, NodeInfo.PORT_GUID.read(answer, Smp.DATA), route, isNew);
        if (from == null) {
            subnet.managerAt(port);
        } else if (port.peer != null && port.peer != from) {
            problems.add("%s and %s are both at %s: two nodes have one GUID".formatted(from, port.peer, port));
        } else {
            port.peer = from;
            from.peer = port;
        }
    }

    private KnownPort arrivalPort(KnownNode node, int arrival, long guid, byte[] route, boolean isNew) {
        if (node.isSwitch()) {
            return node.port(arrival, node.guid, node.route);
        }
        KnownPort known = node.port(arrival);
        if (known != null && !isNew) {
            return known;
        }
        KnownPort port = node.port(arrival, guid, route);
        if (subnet.addEnd(port)) {
            questions.add(new Question(PortInfo.ATTRIBUTE, node, port, 0));
        } else {
            problems.add("%s has the port GUID of another port".formatted(port));
        }
        return port;
    }

    private void onSwitch(KnownNode node, MemorySegment answer) {
        MemorySegment.copy(answer, Smp.DATA, node.registers, 0, node.registers.byteSize());
        for (int number = 0; number <= node.portCount(); number++) {
            questions.add(new Question(PortInfo.ATTRIBUTE, node, node.port(number, node.guid, node.route), 0));
        }
    }

    private void onPort(KnownPort port, MemorySegment answer) {
        MemorySegment.copy(answer, Smp.DATA, port.registers, 0, PortInfo.LENGTH);
        port.foundActive = port.state() == PortState.ACTIVE.code();
        if (port.node.isSwitch() && port.number == 0 && !subnet.addEnd(port)) {
            problems.add("%s has the port GUID of another port".formatted(port));
            return;
        }
        if (!port.isLinked() && port.number != 0) {
            return;
        }
        boolean leads = port.node.isSwitch() ? port.number != 0 : port.node.route.length == 0;
        if (leads && port.peer == null && port.node.route.length < Smp.HOPS_MAX) {
            questions.add(new Question(NodeInfo.ATTRIBUTE, null, port, 0));
        }
        for (int block = 0; block < PartitionPlan.blocks(port); block++) {
            questions.add(new Question(PartitionTable.ATTRIBUTE, port.node, port, block));
        }
    }

    @Override
    public void onFailure(SmpSlot slot, int status) {
        if (slot.attribute() == NodeInfo.ATTRIBUTE && slot.port == null) {
            problems.add("the manager's own node does not answer");
        } else {
            problems.failed(slot, status);
        }
    }
}
