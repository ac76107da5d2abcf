package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.verbena.fabric.topology.Topologies;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/** What the end of one link does to the others. */
final class ClosedLinkTest {
    @Test
    void aClosedLinkDoesNotHoldUpThePacketsOfTheNextOne() {
        try (Fabric fabric = Fabric.of(
                Topologies.twoSwitches(3, 1, LinkWidth.X4, LinkSpeed.EDR),
                FabricOptions.DEFAULT.withAdministration(false))) {
            SubnetManager manager = fabric.manage(fabric.port("h1", 1), ManagerOptions.DEFAULT);
            while (!manager.isSettled()) {
                assertTrue(
                        fabric.nextEventNs() < Long.MAX_VALUE,
                        manager.problems().toString());
                fabric.run(fabric.nextEventNs());
            }
            Link closed = fabric.open("h1", 1);
            Link from = fabric.open("h2", 1);
            Link to = fabric.open("h3", 1);
            closed.close();
            send(from, to);
            fabric.run(fabric.nowNs() + 100_000);
            assertEquals(1, to.receive(_ -> {}, 10));
        }
    }

    private static void send(Link from, Link to) {
        Packet packet = Objects.requireNonNull(from.claim(from.path(to.local(), LinkFlow.of(1)), Bth.LENGTH + 4));
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, 0xffff, 5);
        from.commit(packet);
        from.flush();
    }
}
