package org.verbena.manage.agent;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.NodeKind;
import org.verbena.wire.subnet.Smp;

/** The net of the golden datagrams: switches sw1 and sw2 with two cables between them, hosts h1 – h3 at sw1 and h4 – h6 at sw2. */
final class TwoSwitches {
    private static final LinkRates QDR = new LinkRates(0x1f, 3, 7, 7, 0, 0, false);
    private static final int VENDOR = 0x2c9;
    private static final int HOSTS = 6;

    final List<ManagedNode> nodes = new ArrayList<>();
    final ManagedNode sw1;
    final ManagedNode sw2;

    TwoSwitches(Conduct conduct) {
        for (int host = 1; host <= HOSTS; host++) {
            nodes.add(node(NodeKind.ADAPTER, "h" + host, 0x2c90300000000L + 0x10L * host, 1, 0x1003, conduct));
        }
        sw1 = node(NodeKind.SWITCH, "sw1", 0x2c90200000100L, 8, 0xc738, conduct);
        sw2 = node(NodeKind.SWITCH, "sw2", 0x2c90200000200L, 8, 0xc738, conduct);
        nodes.add(sw1);
        nodes.add(sw2);
        for (int host = 1; host <= HOSTS; host++) {
            plug(host(host).port(1), (host <= 3 ? sw1 : sw2).port((host - 1) % 3 + 1));
        }
        plug(sw1.port(7), sw2.port(7));
        plug(sw1.port(8), sw2.port(8));
    }

    private static ManagedNode node(NodeKind kind, String name, long guid, int ports, int device, Conduct conduct) {
        return new ManagedNode(NodeProfile.of(kind, name, guid, ports)
                .withMaker(VENDOR, device, guid)
                .withEnhancedPort0(kind == NodeKind.SWITCH)
                .withConduct(conduct));
    }

    private static void plug(ManagedPort one, ManagedPort other) {
        one.rates(QDR);
        other.rates(QDR);
        Cabling.plug(one, other, 0);
    }

    /** Host 1 … 6. */
    ManagedNode host(int number) {
        return nodes.get(number - 1);
    }

    /** The port that owns a local identifier; null if there is none. */
    @Nullable
    ManagedPort owner(int lid) {
        for (ManagedNode node : nodes) {
            for (int number = 0; number <= node.portCount(); number++) {
                if (node.port(number).isEnd() && node.port(number).owns(lid)) {
                    return node.port(number);
                }
            }
        }
        return null;
    }

    /** The port that a directed packet comes to from a port; null if a link on its way is down. */
    static @Nullable ManagedPort walk(ManagedPort from, MemorySegment mad) {
        ManagedPort at = from;
        for (int hop = 1; hop <= Smp.HOP_COUNT.read(mad, 0); hop++) {
            ManagedPort out = at.node().port(Smp.initialPort(mad, 0, hop));
            ManagedPort in = out.peer();
            if (in == null || !out.isUp() || !in.isUp()) {
                return null;
            }
            at = in;
        }
        return at;
    }
}
