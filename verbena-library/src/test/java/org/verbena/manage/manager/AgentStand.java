package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.NodeKind;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.Cabling;
import org.verbena.manage.agent.MadOutcome;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.NodeHardware;
import org.verbena.manage.agent.NodeProfile;
import org.verbena.manage.agent.SubnetAgent;
import org.verbena.manage.agent.TrapSender;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.Notice;
import org.verbena.wire.subnet.Smp;

/** Nodes with real agents, and a walker that carries datagrams between them: each one takes a microsecond, all else takes no time. */
final class AgentStand {
    private static final long HOP_NS = 1_000;

    private record Datagram(
            MemorySegment mad, @Nullable Attachment sender, ManagedPort from, int lid, int toPair, int fromPair) {}

    /** One receiver at a port. */
    private final class Attachment implements MadPort {
        final ManagedPort at;
        final MadReceiver receiver;

        Attachment(ManagedPort at, MadReceiver receiver) {
            this.at = at;
            this.receiver = receiver;
        }

        @Override
        public int lid() {
            return at.lid();
        }

        @Override
        public int managerLid() {
            return at.managerLid();
        }

        @Override
        public void send(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
            enqueue(mad, this, at, targetLid, targetQueuePair, sourceQueuePair);
        }

        @Override
        public void isManager(boolean manager) {
            SubnetAgent.manager(at, manager, nowNs);
        }

        @Override
        public void close() {
            Objects.requireNonNull(byPort.get(at)).remove(this);
        }
    }

    final Map<String, ManagedNode> nodes = new HashMap<>();
    private final Map<ManagedPort, List<Attachment>> byPort = new HashMap<>();
    final TrapSender traps = new TrapSender();
    /** Requests of managers that agents followed: method, attribute. */
    final List<String> followed = new ArrayList<>();

    /** Hosts whose services were asked to register again. */
    final List<String> reregistered = new ArrayList<>();

    /** Datagrams that are lost; told: at once, else without a word. */
    Predicate<MemorySegment> loses = mad -> false;

    boolean tellsLoss = true;
    boolean keepsRequests = true;
    int underWayMost;
    long delivered;
    long nowNs = 1_000_000;
    private final ArrayDeque<Datagram> queue = new ArrayDeque<>();

    AgentStand(Shape shape) {
        for (Shape.Member member : shape.members) {
            add(NodeProfile.of(
                    member.isSwitch ? NodeKind.SWITCH : NodeKind.ADAPTER, member.name, member.guid, member.ports));
        }
        for (Shape.Member member : shape.members) {
            member.cables.forEach((port, end) -> {
                ManagedPort one = port(member.name, port);
                if (one.peer() == null) {
                    Cabling.plug(one, port(end.node().name, end.port()), nowNs);
                }
            });
        }
    }

    ManagedNode add(NodeProfile profile) {
        ManagedNode node = new ManagedNode(profile);
        nodes.put(node.name(), node);
        node.traps(traps);
        node.hardware(new NodeHardware() {
            @Override
            public void onPortState(ManagedPort port) {}

            @Override
            public void onPortSettings(ManagedPort port) {}

            @Override
            public void onReregister(ManagedPort port) {
                reregistered.add(port.node().name());
            }

            @Override
            public void onTrap(ManagedPort from, byte[] notice) {
                MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
                Smp.request(mad, 0, Smp.CLASS_LID_ROUTED, Smp.METHOD_TRAP, 1, Notice.ATTRIBUTE, 0);
                MemorySegment.copy(notice, 0, mad, ValueLayout.JAVA_BYTE, Smp.DATA, Notice.LENGTH);
                if (from.managerLid() != 0) {
                    enqueue(mad, null, from, from.managerLid(), 0, 0);
                }
            }
        });
        return node;
    }

    ManagedPort port(String node, int number) {
        return Objects.requireNonNull(nodes.get(node)).port(number);
    }

    MadPort attach(ManagedPort port, MadReceiver receiver) {
        Attachment made = new Attachment(port, receiver);
        byPort.computeIfAbsent(port, key -> new ArrayList<>()).add(made);
        return made;
    }

    /** The first receiver at the first port of a node. */
    MadReceiver receiverAt(String node) {
        return Objects.requireNonNull(byPort.get(port(node, 1))).getFirst().receiver;
    }

    /** Attaches a manager to a node's first port and runs until it has nothing more to do. */
    SubnetManager manage(String node, ManagerOptions options) {
        SubnetManager manager = new SubnetManager(options);
        ManagedNode at = Objects.requireNonNull(nodes.get(node));
        manager.start(attach(at.port(at.isSwitch() ? 0 : 1), manager), nowNs);
        run(manager);
        return manager;
    }

    private void enqueue(
            MemorySegment mad, @Nullable Attachment sender, ManagedPort from, int lid, int toPair, int fromPair) {
        MemorySegment copy = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        copy.copyFrom(mad);
        queue.add(new Datagram(copy, sender, from, lid, toPair, fromPair));
        underWayMost = Math.max(underWayMost, queue.size());
    }

    /** Delivers all datagrams and lets the manager work, until nothing is under way and the subnet is settled. */
    void run(SubnetManager manager) {
        for (int idle = 0; !queue.isEmpty() || !manager.isSettled(); ) {
            if (queue.isEmpty()) {
                nowNs = Math.max(nowNs, manager.nextDeadlineNs());
                manager.work(nowNs);
                if (++idle > 1000) {
                    throw new AssertionError("the manager does not settle: " + manager.problems());
                }
            } else {
                deliverNext();
            }
        }
    }

    /** Lets nodes repeat traps that were lost, once, and delivers all datagrams. */
    void repeatTraps(SubnetManager manager) {
        nowNs = Math.max(nowNs, traps.nextDeadlineNs());
        traps.poll(nowNs);
        run(manager);
    }

    /** Delivers all datagrams. */
    void deliver() {
        while (!queue.isEmpty()) {
            deliverNext();
        }
    }

    private void deliverNext() {
        Datagram next = queue.remove();
        nowNs += HOP_NS;
        delivered++;
        if (loses.test(next.mad)) {
            lose(next);
        } else if (Smp.isDirected(next.mad, 0)) {
            direct(next);
        } else {
            forward(next);
        }
    }

    private void lose(Datagram lost) {
        if (lost.sender != null && tellsLoss) {
            lost.sender.receiver.onLost(nowNs, lost.mad, lost.lid);
        }
    }

    private void direct(Datagram datagram) {
        MemorySegment mad = datagram.mad;
        if (Smp.DIRECTION.read(mad, 0) == 1) {
            directBack(datagram);
            return;
        }
        ManagedPort at = datagram.from;
        int hops = Smp.HOP_COUNT.read(mad, 0);
        for (int hop = 1; hop <= hops; hop++) {
            int out = Smp.initialPort(mad, 0, hop);
            if ((hop > 1 && !at.node().isSwitch())
                    || out == 0
                    || out > at.node().portCount()) {
                lose(datagram);
                return;
            }
            ManagedPort peer = at.node().port(out).peer();
            if (peer == null || !at.node().port(out).isUp()) {
                lose(datagram);
                return;
            }
            at = peer;
            Smp.returnPort(mad, 0, hop, at.number());
        }
        arrive(datagram, at, Smp.PERMISSIVE_LID);
    }

    /** The way back of an answer that a program gave: along the return path. */
    private void directBack(Datagram datagram) {
        ManagedPort at = datagram.from;
        for (int hop = Smp.HOP_COUNT.read(datagram.mad, 0); hop > 0; hop--) {
            ManagedPort peer =
                    at.node().port(Smp.returnPort(datagram.mad, 0, hop)).peer();
            if (peer == null) {
                lose(datagram);
                return;
            }
            at = peer;
        }
        arrive(datagram, at, Smp.PERMISSIVE_LID);
    }

    private void forward(Datagram datagram) {
        ManagedPort at = arrival(datagram.from, datagram.lid, datagram.toPair == 0);
        if (at == null) {
            lose(datagram);
        } else {
            arrive(datagram, at, datagram.from.lid());
        }
    }

    /** The port that a packet to a local identifier comes to; null: it is dropped on the way. */
    @Nullable
    ManagedPort arrival(ManagedPort from, int lid, boolean management) {
        ManagedPort at = from;
        if (!from.node().isSwitch()) {
            if (from.owns(lid)) {
                return from;
            }
            at = pass(from, management);
        }
        for (int hop = 0; hop < 64 && at != null; hop++) {
            if (!at.node().isSwitch()) {
                return at.owns(lid) ? at : null;
            }
            int out = at.node().outputTo(lid);
            if (out == 0) {
                return at.node().port(0);
            }
            at = out == ManagedNode.NO_PORT ? null : pass(at.node().port(out), management);
        }
        return null;
    }

    private static @Nullable ManagedPort pass(ManagedPort out, boolean management) {
        return out.isUp() && (management || out.state() == PortState.ACTIVE) ? out.peer() : null;
    }

    private void arrive(Datagram datagram, ManagedPort at, int sourceLid) {
        MemorySegment mad = datagram.mad;
        boolean request = Smp.isSmp(mad, 0) && (Smp.METHOD.read(mad, 0) & Smp.RESPONSE_BIT) == 0;
        if (request) {
            if (keepsRequests) {
                followed.add("%02x %04x".formatted(Smp.METHOD.read(mad, 0), Smp.ATTRIBUTE.read(mad, 0)));
            }
            MadOutcome outcome = SubnetAgent.handle(at.node(), at.number(), mad, nowNs);
            if (outcome == MadOutcome.ANSWERED && datagram.sender != null) {
                if (loses.test(mad)) {
                    lose(datagram);
                } else {
                    datagram.sender.receiver.onMad(nowNs, mad, sourceLid, datagram.from.lid(), 0, 0);
                }
            }
            if (outcome != MadOutcome.NOT_MINE) {
                return;
            }
        }
        for (Attachment attachment : List.copyOf(byPort.getOrDefault(at, List.of()))) {
            if (attachment.receiver.onMad(nowNs, mad, sourceLid, datagram.lid, datagram.fromPair, datagram.toPair)) {
                return;
            }
        }
        lose(datagram);
    }

    /** A cable is pulled. */
    void unplug(String node, int port) {
        Cabling.unplug(port(node, port), nowNs);
    }

    /** A cable is plugged in. */
    void plug(String node, int port, String other, int otherPort) {
        Cabling.plug(port(node, port), port(other, otherPort), nowNs);
    }
}
