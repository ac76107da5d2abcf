package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.CounterBlock;
import org.verbena.wire.subnet.GoldenMad;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** No content of a datagram causes an exception or takes a register out of its range. */
final class AgentFuzzTest {
    private static final int INPUTS = 1_000_000;
    private static final long SEED = 14;
    private static final int[] ATTRIBUTES = {
        0x02, 0x10, 0x11, 0x12, 0x14, 0x15, 0x15, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1d, 0x20, 0x30, 0x31,
        0xff90,
    };

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final List<MemorySegment> golden = new ArrayList<>();
    private final MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);
    private final TrapSender traps = new TrapSender();
    private int goodSets;

    @Test
    void aMillionDatagramsLeaveTheRegistersInTheirRanges() {
        for (String name : List.of("minhop", "qos", "mcast")) {
            GoldenMad.read(name).forEach(one -> golden.add(one.segment()));
        }
        net.nodes.forEach(node -> node.traps(traps));
        for (int input = 0; input < INPUTS; input++) {
            make();
            ManagedNode node = net.nodes.get(random.nextInt(net.nodes.size()));
            int arrival = node.isSwitch() ? random.nextInt(node.portCount() + 1) : 1;
            boolean isSet = Smp.METHOD.read(mad, 0) == Smp.METHOD_SET;
            step(node, arrival);
            MadOutcome outcome = random.nextInt(10) == 0
                    ? PerformanceAgent.handle(node, arrival, mad)
                    : SubnetAgent.handle(node, arrival, mad, input);
            boolean isGood = outcome == MadOutcome.ANSWERED && Smp.STATUS.read(mad, 0) == Smp.STATUS_GOOD;
            goodSets += isGood && isSet ? 1 : 0;
            if (input % 97 == 0) {
                traps.poll(traps.nextDeadlineNs());
                Cabling.flap(node.port(1), input);
                forgetKeys();
            }
            assertInRange(node, input);
        }
        assertTrue(goodSets > INPUTS / 50, "Sets that were followed: " + goodSets);
    }

    private void step(ManagedNode node, int arrival) {
        MemorySegment copy = MemorySegment.ofArray(mad.toArray(ValueLayout.JAVA_BYTE));
        int verdict = DirectedRoute.arrive(copy, 0, node, arrival);
        assertTrue((verdict <= node.portCount() && verdict != 0) || DirectedRoute.isByLid(verdict));
        DirectedRoute.start(copy, 0, node.endPort(1), random.nextInt(0x10000));
        DirectedRoute.answer(copy, 0, node, random.nextInt(0x10000));
    }

    /** A key that chance has written would keep out everything that follows. */
    private void forgetKeys() {
        for (ManagedNode node : net.nodes) {
            node.endPort(1).managementKey = 0;
        }
    }

    private void make() {
        switch (random.nextInt(4)) {
            case 0 -> fill(0, Mad.LENGTH);
            case 1 -> {
                mad.copyFrom(golden.get(random.nextInt(golden.size())));
                for (int change = random.nextInt(8); change > 0; change--) {
                    mad.set(ValueLayout.JAVA_BYTE, random.nextInt(Mad.LENGTH), (byte) random.nextInt());
                }
            }
            default -> {
                int method = 1 + random.nextInt(2);
                int attribute = ATTRIBUTES[random.nextInt(ATTRIBUTES.length)];
                Smp.request(mad, 0, Smp.CLASS_DIRECTED, method, 0, attribute, modifier());
                fill(Smp.DATA, 4 * random.nextInt(Smp.DATA_LENGTH / 4 + 1));
                if (attribute == PortInfo.ATTRIBUTE && random.nextBoolean()) {
                    moderate();
                }
                if (random.nextInt(8) == 0) {
                    Smp.MANAGEMENT_CLASS.write(mad, 0, CounterBlock.CLASS);
                }
            }
        }
    }

    /** Makes the values of a Set of PortInfo such that it has a chance. */
    private void moderate() {
        PortInfo.STATE.write(mad, Smp.DATA, random.nextInt(5));
        PortInfo.PHYSICAL_STATE.write(mad, Smp.DATA, random.nextInt(8) == 0 ? random.nextInt(4) : 0);
        PortInfo.LMC.write(mad, Smp.DATA, 0);
        PortInfo.LID.write(mad, Smp.DATA, random.nextInt(0xc000));
        PortInfo.MANAGER_LID.write(mad, Smp.DATA, random.nextInt(0xc000));
        PortInfo.OPERATIONAL_LANES.write(mad, Smp.DATA, random.nextInt(5));
        PortInfo.NEIGHBOR_MTU.write(mad, Smp.DATA, random.nextInt(4));
        PortInfo.WIDTH_ENABLED.write(mad, Smp.DATA, random.nextInt(0x20));
        PortInfo.SPEED_ENABLED.write(mad, Smp.DATA, random.nextInt(8));
        PortInfo.EXTENDED_ENABLED.write(mad, Smp.DATA, 0);
        PortInfo.LINK_DOWN_DEFAULT.write(mad, Smp.DATA, random.nextInt(3));
    }

    private int modifier() {
        return switch (random.nextInt(3)) {
            case 0 -> random.nextInt(10);
            case 1 -> (random.nextInt(5) << 16) | (random.nextInt(10) << 8) | random.nextInt(10);
            default -> random.nextInt();
        };
    }

    private void fill(int from, int count) {
        for (int at = from; at < from + count; at++) {
            mad.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
        }
    }

    private static boolean isLikePeer(ManagedPort port) {
        ManagedPort peer = port.peer();
        return peer == null
                || (peer.isUp() == port.isUp() && peer.width() == port.width() && peer.speed() == port.speed());
    }

    private void assertInRange(ManagedNode node, int input) {
        for (int number = node.isSwitch() ? 0 : 1; number <= node.portCount(); number++) {
            ManagedPort port = node.port(number);
            boolean isFine = port.state() != PortState.NO_CHANGE
                    && port.physicalState() != PhysicalState.NO_CHANGE
                    && (port.state() == PortState.DOWN) == !port.isUp()
                    && isLikePeer(port)
                    && port.lid() < 0xc000
                    && (port.lid() & ((1 << port.lmc()) - 1)) == 0
                    && port.lanes() >= 1
                    && port.operationalLanes <= port.laneCap
                    && port.mtu() >= 256
                    && port.mtu() <= 2048
                    && port.keyViolations <= 0xffff
                    && port.laneOf(random.nextInt(16), random.nextInt(256)) <= 15
                    && port.partitions.length <= port.partitionCap
                    && (port.widthEnabled & ~0x1f) == 0
                    && port.bitsPerSecond() > 0;
            assertTrue(isFine, () -> "after input " + input + ": " + port);
        }
        if (node.isSwitch()) {
            int output = node.outputTo(random.nextInt(0x10000));
            assertTrue(output <= node.portCount() || output == ManagedNode.NO_PORT);
            int group = 0xc000 + random.nextInt(0x4000);
            assertEquals(node.multicastTo(group, 200), false);
            node.multicastPorts(group);
        }
    }
}
