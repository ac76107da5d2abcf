package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/** Partitions that management has set: packets of others do not come through. */
final class PartitionTest {
    private static final int FULL = 0x8005;
    private static final int LIMITED = 0x0005;
    private static final int LENGTH = Bth.LENGTH + 64 + 4;

    private final Fabric fabric = Fabric.of(Topology.builder()
            .switchNode("s", 8)
            .adapter("full", 1)
            .adapter("limited", 1)
            .adapter("limited2", 1)
            .adapter("outside", 1)
            .cable("full", 1, "s", 1)
            .cable("limited", 1, "s", 2)
            .cable("limited2", 1, "s", 3)
            .cable("outside", 1, "s", 4)
            .build());

    @BeforeEach
    void bringUp() {
        long full = fabric.port("full", 1).guid();
        long outside = fabric.port("outside", 1).guid();
        SubnetManager manager = fabric.manage(
                fabric.port("full", 1),
                ManagerOptions.DEFAULT.withPartitions(guid -> guid == full
                        ? new int[] {0xffff, FULL}
                        : guid == outside ? new int[] {0xffff} : new int[] {0xffff, LIMITED}));
        while (!manager.isSettled()) {
            fabric.run(fabric.nextEventNs());
        }
    }

    @AfterEach
    void close() {
        fabric.close();
    }

    /** Packets that arrive of one that is sent with this key. */
    private int send(String from, String to, int pkey) {
        try (Link source = fabric.open(from, 1);
                Link target = fabric.open(to, 1)) {
            var path = source.path(target.local(), LinkFlow.of(1));
            Packet packet = source.claim(path, LENGTH);
            while (packet == null) {
                fabric.run(fabric.nextEventNs());
                packet = source.claim(path, LENGTH);
            }
            Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, pkey, 5);
            source.commit(packet);
            source.flush();
            fabric.run(fabric.nowNs() + 100_000);
            return target.receive(_ -> {}, 10);
        }
    }

    @Test
    void membersOfAPartitionReachEachOther() {
        assertEquals(1, send("full", "limited", FULL));
        assertEquals(1, send("limited", "full", LIMITED));
    }

    @Test
    void twoLimitedMembersDoNotReachEachOther() {
        assertEquals(0, send("limited", "limited2", LIMITED));
    }

    @Test
    void aPortThatIsNoMemberIsNotReachedAndCannotSend() {
        assertEquals(0, send("outside", "full", FULL));
        assertEquals(0, send("full", "outside", FULL));
        assertTrue(fabric.port("full", 1).partition(1) == FULL);
    }

    @Test
    void theDefaultPartitionReachesAll() {
        assertEquals(1, send("outside", "full", 0xffff));
        assertEquals(1, send("limited", "limited2", 0xffff));
    }
}
