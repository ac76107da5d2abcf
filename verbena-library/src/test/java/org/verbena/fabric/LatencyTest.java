package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.fabric.topology.Topology;
import org.verbena.link.Link;
import org.verbena.link.LinkFlow;
import org.verbena.link.Packet;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.manage.manager.SubnetManager;
import org.verbena.wire.ib.Bth;
import org.verbena.wire.ib.Opcode;

/**
 * The time of one packet through an idle fabric, to the nanosecond. Cables of 5 m take 25 ns. A packet of 2072 bytes has 4 more on the wire: variant CRC and
 * delimiters. At 100 Gbit/s a byte takes 0.08 ns, so the packet takes 166.08 ns and the local route header 0.64 ns; at 25 Gbit/s four times as long.
 */
final class LatencyTest {
    private static final int LENGTH = Bth.LENGTH + 2048 + 4;

    /** Two switches; hosts at 100 Gbit/s at both, one at 25 Gbit/s at the first. */
    private static Topology topology() {
        return Topology.builder()
                .rate(LinkWidth.X4, LinkSpeed.EDR)
                .switchNode("s0", 8)
                .switchNode("s1", 8)
                .adapter("near", 1)
                .adapter("far", 1)
                .adapter("same", 1)
                .adapter("slow", 1)
                .cable("near", 1, "s0", 1)
                .cable("same", 1, "s0", 2)
                .cable("far", 1, "s1", 1)
                .cable("s0", 8, "s1", 8)
                .rate(LinkWidth.X1, LinkSpeed.EDR)
                .cable("slow", 1, "s0", 3)
                .build();
    }

    @ParameterizedTest(name = "{0} to {1}, store and forward {2}, delay {3} ns: {4} ns")
    @CsvSource({
        // Two switches: 3 × 25 + 2 × (0.64 + 100) + 166.08
        "near, far,  false, 100, 442",
        "near, far,  false, 0,   242",
        // 3 × (25 + 166.08) + 2 × 100
        "near, far,  true,  100, 773",
        "near, far,  true,  0,   573",
        // One switch: 2 × 25 + 100.64 + 166.08, and 2 × (25 + 166.08) + 100
        "near, same, false, 100, 316",
        "near, same, true,  100, 482",
        // A faster output does not run out of bytes: 2 × 25 + 664.32, the last byte passes at once
        "slow, same, false, 100, 714",
        "slow, same, true,  100, 980",
        // A slower output: 2 × 25 + 100.64 + 664.32
        "near, slow, false, 100, 814",
        "near, slow, true,  100, 980",
    })
    void aPacketTakesTheTimeThatItsWayHas(
            String from, String to, boolean storeAndForward, int delayNs, long expectedNs) {
        FabricOptions options = FabricOptions.DEFAULT
                .withAdministration(false)
                .withStoreAndForward(storeAndForward)
                .withSwitchDelayNs(delayNs);
        try (Fabric fabric = Fabric.of(topology(), options)) {
            SubnetManager manager = fabric.manage(fabric.port("near", 1), ManagerOptions.DEFAULT);
            while (!manager.isSettled()) {
                assertTrue(fabric.nextEventNs() < Long.MAX_VALUE);
                fabric.run(fabric.nextEventNs());
            }
            fabric.run(fabric.nowNs() + 1_000_000);
            Link source = fabric.open(from, 1);
            Link target = fabric.open(to, 1);
            Packet packet = Objects.requireNonNull(source.claim(source.path(target.local(), LinkFlow.of(1)), LENGTH));
            Bth.write(packet.segment(), packet.offset(), Opcode.UC_SEND_ONLY, false, 0, 0xffff, 5);
            source.commit(packet);
            source.flush();
            long startNs = fabric.nowNs();
            assertEquals(startNs + expectedNs, fabric.run(startNs + 100_000));
            assertEquals(1, target.receive(_ -> {}, 10));
        }
    }
}
