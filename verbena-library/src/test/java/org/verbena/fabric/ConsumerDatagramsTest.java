package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Deth;
import org.verbena.wire.ib.Opcode;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.CounterBlock;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** A consumer sends management datagrams by its link: no register changes. */
final class ConsumerDatagramsTest {
    private static final int LENGTH = Bth.LENGTH + Deth.LENGTH + Mad.LENGTH + 4;

    private final Fabric fabric = Fabric.of(Topology.builder()
            .switchNode("s", 4)
            .adapter("a", 1)
            .adapter("b", 1)
            .cable("a", 1, "s", 1)
            .cable("b", 1, "s", 2)
            .build());

    @BeforeEach
    void bringUp() {
        SubnetManager manager = fabric.manage(fabric.port("a", 1), ManagerOptions.DEFAULT);
        while (!manager.isSettled()) {
            fabric.run(fabric.nextEventNs());
        }
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    @Test
    void aSetOnALaneForDataReachesNoAgent() {
        int lid = fabric.port("b", 1).lid();
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        Smp.request(mad, 0, Smp.CLASS_LID_ROUTED, Smp.METHOD_SET, 7, PortInfo.ATTRIBUTE, 1);
        PortInfo.LID.write(mad, Smp.DATA, lid + 9);
        assertEquals(0, send(0, 0, mad), "answers");
        assertEquals(lid, fabric.port("b", 1).lid());
    }

    @Test
    void aGeneralServiceDatagramNeedsItsQueueKey() {
        MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
        Smp.request(mad, 0, CounterBlock.CLASS, Smp.METHOD_GET, 7, CounterBlock.ATTRIBUTE, 0);
        assertEquals(0, send(1, 0, mad), "answers to a wrong queue key");
        assertEquals(1, send(1, Mad.QKEY, mad), "answers to the well-known queue key");
    }

    /** Sends a datagram from a to b. Returns the packets that b sent afterwards. */
    private long send(int queuePair, int qkey, MemorySegment mad) {
        try (Link from = fabric.open("a", 1);
                Link to = fabric.open("b", 1)) {
            LinkPath path = from.path(to.local(), LinkFlow.of(1));
            Packet packet = from.claim(path, LENGTH);
            while (packet == null) {
                fabric.run(fabric.nextEventNs());
                packet = from.claim(path, LENGTH);
            }
            long before = fabric.port("b", 1).counters().transmittedPackets;
            Packet filled = Objects.requireNonNull(packet);
            MemorySegment segment = filled.segment();
            Bth.write(segment, filled.offset(), Opcode.UD_SEND_ONLY, false, 0, 0xffff, queuePair);
            Deth.write(segment, filled.offset() + Bth.LENGTH, qkey, 5);
            MemorySegment.copy(mad, 0, segment, (long) filled.offset() + Bth.LENGTH + Deth.LENGTH, Mad.LENGTH);
            from.commit(filled);
            from.flush();
            fabric.run(fabric.nowNs() + 100_000);
            return fabric.port("b", 1).counters().transmittedPackets - before;
        }
    }
}
