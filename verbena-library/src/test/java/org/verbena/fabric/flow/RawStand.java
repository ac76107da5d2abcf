package org.verbena.fabric.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.NodeKind;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.Cabling;
import org.verbena.manage.agent.LinkRates;
import org.verbena.manage.agent.ManagedNode;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.manage.agent.Registers;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Grh;
import org.verbena.wire.ib.Lrh;
import org.verbena.wire.ib.Opcode;

/** Hosts 0, 1, 2 … at ports 1, 2, 3 … of one switch, host n with local identifier n + 1, and packets made byte by byte. */
final class RawStand implements AutoCloseable {
    static final int PKEY = 0xffff;

    private static final int MTU = 4;
    private static final int BODY_LENGTH = Bth.LENGTH + 64 + 4;
    private static final LinkRates RATES = new LinkRates(
            LinkWidth.X4.bit(), LinkWidth.X4.bit(), LinkSpeed.QDR.bit(), LinkSpeed.QDR.bit(), 0, 0, false);

    final Flow flow;
    final ManagedNode crossing;
    final List<ManagedPort> ports = new ArrayList<>();
    private final List<HostPort> hosts = new ArrayList<>();

    RawStand(int hostCount) {
        List<ManagedNode> nodes = new ArrayList<>();
        crossing = new ManagedNode(NodeKind.SWITCH, "s", 0x100, hostCount);
        nodes.add(crossing);
        for (int i = 0; i < hostCount; i++) {
            ManagedNode node = new ManagedNode(NodeKind.ADAPTER, "h" + i, 0x200 + 0x10 * i, 1);
            nodes.add(node);
            ports.add(node.port(1));
            node.port(1).rates(RATES);
            crossing.port(i + 1).rates(RATES);
            Cabling.plug(node.port(1), crossing.port(i + 1), 0);
        }
        flow = new Flow(nodes, _ -> 100, 32 * 1024, 100, false, 0);
        for (int i = 0; i < hostCount; i++) {
            Registers.state(ports.get(i), MTU, PortState.ACTIVE);
            Registers.state(crossing.port(i + 1), MTU, PortState.ACTIVE);
            Registers.lid(ports.get(i), i + 1, 0);
            Registers.linear(crossing, i + 1, i + 1);
            hosts.add(flow.open(ports.get(i)));
        }
    }

    /** A host sends a packet without a global route header. */
    void send(int host, int targetLid, int serviceLevel, int pkey) {
        send(host, targetLid, serviceLevel, pkey, Lrh.NEXT_BTH, 0);
    }

    /** A host sends a packet to a GUID. */
    void sendGlobal(int host, int targetLid, long guid) {
        send(host, targetLid, 0, PKEY, Lrh.NEXT_GRH, guid);
    }

    void send(int host, int targetLid, int serviceLevel, int pkey, int nextHeader, long guid) {
        Parcel parcel = Objects.requireNonNull(hosts.get(host).claim(serviceLevel, BODY_LENGTH));
        boolean global = nextHeader == Lrh.NEXT_GRH;
        parcel.shape(global, BODY_LENGTH);
        new Lrh(0, 0, serviceLevel, nextHeader, targetLid, parcel.length() / 4, host + 1)
                .write(parcel.segment(), parcel.start());
        if (global) {
            new Grh(
                            6,
                            0,
                            0,
                            BODY_LENGTH,
                            Grh.NEXT_BTH,
                            64,
                            0,
                            0,
                            ports.getFirst().gidPrefix(),
                            guid)
                    .write(parcel.segment(), Lrh.LENGTH);
        }
        Bth.write(parcel.segment(), Parcel.BODY, Opcode.UC_SEND_ONLY, false, 0, pkey, 5);
        hosts.get(host).commit(parcel);
    }

    /** Lets time pass until packets have arrived. */
    void run() {
        flow.run(flow.nowNs() + 1_000_000, false);
    }

    /** The packets that a host has got since the last call. */
    int received(int host) {
        run();
        int count = 0;
        for (@Nullable Parcel parcel = hosts.get(host).receive(); parcel != null; ) {
            count++;
            hosts.get(host).release(parcel);
            parcel = hosts.get(host).receive();
        }
        return count;
    }

    @Override
    public void close() {
        flow.close();
    }
}
