package org.verbena.fabric.ibsim;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.NodeKind;
import org.verbena.manage.agent.Conduct;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.NodeProfile;
import org.verbena.wire.BigEndian;

/**
 * The way of datagrams without a fabric: ports with identifiers 1, 2, 3 … in the order of their nodes, all beside each other. An agent answers questions to the own
 * node; everything else to a known identifier is offered to the receivers there, and lost if none takes it.
 */
final class StandFabric implements Attaching {
    final ManagedNode host = node(NodeKind.ADAPTER, "h1", 0x0002_c903_0000_0010L, 2, 0x1003);
    final ManagedNode other = node(NodeKind.ADAPTER, "h2", 0x0002_c903_0000_0020L, 1, 0x1003);
    final ManagedNode bridge = node(NodeKind.SWITCH, "sw1", 0x0002_c902_0000_0100L, 8, 0xc738);
    final List<ManagedNode> nodes = List.of(host, other, bridge);

    final List<Attached> attached = new ArrayList<>();
    final Set<ManagedPort> managers = new HashSet<>();
    final List<String> repressed = new ArrayList<>();
    int sent;
    /** Datagrams that are lost from now on, whatever they are. */
    int losses;

    private final Deque<Runnable> events = new ArrayDeque<>();

    /** As the agents of ibsim. */
    private static ManagedNode node(NodeKind kind, String name, long guid, int ports, int device) {
        return new ManagedNode(NodeProfile.of(kind, name, guid, ports)
                .withDescription("description of " + name)
                .withMaker(0x2c9, device, guid)
                .withEnhancedPort0(true)
                .withConduct(Conduct.IBSIM));
    }

    @Override
    public MadPort attach(ManagedPort port, MadReceiver receiver) {
        Attached made = new Attached(port, receiver);
        attached.add(made);
        return made;
    }

    /** Lets everything happen that was sent. */
    void run() {
        for (Runnable event = events.poll(); event != null; event = events.poll()) {
            event.run();
        }
    }

    int lidOf(ManagedPort port) {
        return nodes.indexOf(port.node()) + 1;
    }

    private static MemorySegment copy(MemorySegment mad) {
        return Arena.ofAuto().allocate(256).copyFrom(mad.asSlice(0, 256));
    }

    final class Attached implements MadPort {
        final ManagedPort port;
        private final MadReceiver receiver;

        private Attached(ManagedPort port, MadReceiver receiver) {
            this.port = port;
            this.receiver = receiver;
        }

        @Override
        public int lid() {
            return lidOf(port);
        }

        @Override
        public int managerLid() {
            return 1;
        }

        @Override
        public void send(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
            MemorySegment copied = copy(mad);
            sent++;
            events.add(() -> carry(copied, targetLid, targetQueuePair, sourceQueuePair));
        }

        private void carry(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
            int method = BigEndian.readByte(mad, 3);
            if (losses > 0) {
                losses--;
                receiver.onLost(0, mad, targetLid);
            } else if (method == 7) {
                repressed.add(Long.toHexString(BigEndian.readLong(mad, 8)));
            } else if (targetLid == 0xffff && method == 1 && BigEndian.readByte(mad, 7) == 0) {
                answer(mad);
            } else if (!offer(mad, targetLid, targetQueuePair, sourceQueuePair)) {
                receiver.onLost(0, mad, targetLid);
            }
        }

        private void answer(MemorySegment mad) {
            BigEndian.writeByte(mad, 3, 0x81);
            BigEndian.writeShort(mad, 4, 0x8000);
            offerAt(port, mad, 0xffff, 0xffff, 0, 0);
        }

        private boolean offer(MemorySegment mad, int targetLid, int targetQueuePair, int sourceQueuePair) {
            return attached.stream()
                    .filter(to -> to.lid() == targetLid)
                    .map(to -> to.port)
                    .findFirst()
                    .filter(at -> offerAt(at, mad, lid(), targetLid, sourceQueuePair, targetQueuePair))
                    .isPresent();
        }

        private boolean offerAt(
                ManagedPort at,
                MemorySegment mad,
                int sourceLid,
                int targetLid,
                int sourceQueuePair,
                int targetQueuePair) {
            return List.copyOf(attached).stream()
                    .filter(to -> to.port == at)
                    .anyMatch(to -> to.receiver.onMad(0, mad, sourceLid, targetLid, sourceQueuePair, targetQueuePair));
        }

        @Override
        public void isManager(boolean manager) {
            if (manager) {
                managers.add(port);
            } else {
                managers.remove(port);
            }
        }

        @Override
        public void close() {
            attached.remove(this);
        }
    }
}
