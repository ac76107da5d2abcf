package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
    private static final int LONG = Bth.LENGTH + 2048 + 4;

    @Test
    void aClosedLinkDoesNotHoldUpThePacketsOfTheNextOne() {
        try (Fabric fabric = managed(FabricOptions.DEFAULT)) {
            Link closed = fabric.open("h1", 1);
            Link from = fabric.open("h2", 1);
            Link to = fabric.open("h3", 1);
            closed.close();
            send(from, to);
            fabric.run(fabric.nowNs() + 100_000);
            assertEquals(1, to.receive(_ -> {}, 10));
        }
    }

    private static Fabric managed(FabricOptions options) {
        Fabric fabric =
                Fabric.of(Topologies.twoSwitches(3, 1, LinkWidth.X4, LinkSpeed.EDR), options.withAdministration(false));
        SubnetManager manager = fabric.manage(fabric.port("h1", 1), ManagerOptions.DEFAULT);
        while (!manager.isSettled()) {
            assertTrue(fabric.nextEventNs() < Long.MAX_VALUE, manager.problems().toString());
            fabric.run(fabric.nextEventNs());
        }
        return fabric;
    }

    @Test
    void aPacketThatWasClaimedIsGivenBackWhenItsLinkIsClosed() {
        try (Fabric fabric = managed(FabricOptions.DEFAULT)) {
            Set<Long> places = new HashSet<>();
            Link to = fabric.open("h3", 1);
            for (int i = 0; i < 1000; i++) {
                Link link = fabric.open("h2", 1);
                Packet packet = claim(link, to, LONG);
                places.add(packet.segment().address());
                link.close();
                assertThrows(IllegalStateException.class, () -> link.commit(packet));
            }
            // The fabric makes memory for 256 packets at a time.
            assertTrue(places.size() <= 256, places.size() + " packets in memory");
        }
    }

    /** A channel that does something when it is written to. */
    private static final class Trigger implements WritableByteChannel {
        @Nullable
        Runnable action;

        @Override
        public int write(ByteBuffer source) {
            Runnable now = action;
            action = null;
            if (now != null) {
                now.run();
            }
            int length = source.remaining();
            source.position(source.limit());
            return length;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    @Test
    void packetsReleasedBeforeALinkIsClosedLeaveTheBufferEvenWhileTheFabricWorks() {
        // A buffer for two packets. The capture of the port acts while the fabric takes what the link has handed over.
        try (Fabric fabric = managed(FabricOptions.DEFAULT.withBufferBytes(4608))) {
            Trigger trigger = new Trigger();
            Link other = fabric.open("h2", 1);
            try (FabricCapture _ = fabric.capture(fabric.port("h3", 1), trigger)) {
                for (int round = 0; round < 3; round++) {
                    closeWhileTheFabricWorks(fabric, other, trigger);
                }
            }
            Link last = fabric.open("h3", 1);
            assertEquals(1, sendAndReceive(fabric, other, last));
        }
    }

    private static void closeWhileTheFabricWorks(Fabric fabric, Link other, Trigger trigger) {
        Link link = fabric.open("h3", 1);
        boolean[] closed = new boolean[1];
        for (int i = 0; i < 1000 && !closed[0]; i++) {
            commit(other, claim(other, link, LONG));
            fabric.run(fabric.nowNs() + 100_000);
            // Of several lengths: one of these packets fills the writer's buffer some time.
            commit(link, claim(link, other, LONG - 12 * (i % 53)));
            trigger.action = () -> {
                assertEquals(1, link.receive(_ -> {}, 10));
                link.close();
                closed[0] = true;
            };
            fabric.run(fabric.nowNs() + 100_000);
            trigger.action = null;
            assertEquals(1, other.receive(_ -> {}, 10));
            if (!closed[0]) {
                assertEquals(1, link.receive(_ -> {}, 10));
            }
        }
        assertTrue(closed[0], "the capture was never written");
    }

    private static int sendAndReceive(Fabric fabric, Link from, Link to) {
        commit(from, claim(from, to, LONG));
        fabric.run(fabric.nowNs() + 100_000);
        return to.receive(_ -> {}, 10);
    }

    private static void send(Link from, Link to) {
        commit(from, claim(from, to, Bth.LENGTH + 4));
    }

    private static Packet claim(Link from, Link to, int length) {
        return Objects.requireNonNull(from.claim(from.path(to.local(), LinkFlow.of(1)), length));
    }

    private static void commit(Link from, Packet packet) {
        Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, 0xffff, 5);
        from.commit(packet);
        from.flush();
    }
}
