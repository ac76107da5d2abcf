package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.PhysicalState;
import org.verbena.manage.PortState;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;

/** States of the ends of links: what orders of management and pulled cables do. */
final class PortStatesTest {
    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final ManagedPort host = net.host(1).port(1);
    private final ManagedPort near = net.sw1.port(1);
    private final Asker atHost = new Asker(net.host(1), 1);
    private final Asker atSwitch = new Asker(net.sw1, 1);
    private final List<ManagedPort> told = new ArrayList<>();
    private final List<ManagedPort> traps = new ArrayList<>();

    @BeforeEach
    void listen() {
        NodeHardware ear = new NodeHardware() {
            @Override
            public void onPortState(ManagedPort port) {
                told.add(port);
            }

            @Override
            public void onPortSettings(ManagedPort port) {}

            @Override
            public void onTrap(ManagedPort from, byte[] notice) {
                traps.add(from);
            }
        };
        for (ManagedNode node : net.nodes) {
            node.hardware(ear);
            node.portStateChange = false;
        }
        for (ManagedNode node : List.of(net.sw1, net.sw2)) {
            node.port(0).lid = 2;
            node.port(0).managerLid = 1;
        }
    }

    @Test
    void cabledPortsStartInInitAndOthersDown() {
        assertEquals(PortState.INIT, host.state());
        assertEquals(PhysicalState.LINK_UP, host.physicalState());
        assertEquals(PortState.DOWN, net.sw1.port(4).state());
        assertEquals(PhysicalState.POLLING, net.sw1.port(4).physicalState());
        assertEquals(PortState.ACTIVE, net.sw1.port(0).state());
        assertEquals(LinkWidth.X4, host.width());
        assertEquals(LinkSpeed.QDR, host.speed());
        assertEquals(32_000_000_000L, host.bitsPerSecond());
    }

    @Test
    void aPortGoesFromInitOverArmedToActive() {
        assertEquals(Smp.STATUS_BAD_VALUE, state(atHost, 1, PortState.ACTIVE));
        assertEquals(Smp.STATUS_GOOD, state(atHost, 1, PortState.ARMED));
        assertEquals(PortState.ARMED.code(), atHost.read(PortInfo.STATE));
        assertEquals(Smp.STATUS_BAD_VALUE, state(atHost, 1, PortState.ACTIVE), "the other end is in Init");
        assertEquals(Smp.STATUS_GOOD, state(atSwitch, 1, PortState.ARMED));
        assertEquals(Smp.STATUS_GOOD, state(atHost, 1, PortState.ACTIVE));
        assertEquals(Smp.STATUS_GOOD, state(atSwitch, 1, PortState.ACTIVE));
        assertEquals(List.of(host, near, host, near), told);
        assertFalse(net.sw1.portStateChange(), "orders of management are no news to it");
        assertEquals(List.of(), traps);
    }

    @Test
    void everyOtherTransitionIsRefused() {
        for (PortState from : List.of(PortState.INIT, PortState.ARMED, PortState.ACTIVE)) {
            for (int to = PortState.INIT.code(); to < 16; to++) {
                host.state = from;
                near.state = PortState.ACTIVE;
                boolean allowed = (from == PortState.INIT && to == PortState.ARMED.code())
                        || (from == PortState.ARMED && to == PortState.ACTIVE.code());
                int status = atHost.port(1).with(PortInfo.STATE, to).setPort(1);
                assertEquals(allowed ? Smp.STATUS_GOOD : Smp.STATUS_BAD_VALUE, status, from + " to " + to);
                assertEquals(allowed ? PortState.of(to) : from, host.state());
            }
        }
    }

    @Test
    void aPortThatIsDownTakesNoState() {
        assertEquals(Smp.STATUS_BAD_VALUE, state(atSwitch, 4, PortState.ARMED));
        assertEquals(Smp.STATUS_BAD_VALUE, state(atSwitch, 0, PortState.ARMED));
        assertEquals(Smp.STATUS_GOOD, state(atSwitch, 4, PortState.DOWN));
        assertEquals(PortState.DOWN, net.sw1.port(4).state());
        assertEquals(Smp.STATUS_GOOD, state(atSwitch, 0, PortState.DOWN));
        assertEquals(PortState.ACTIVE, net.sw1.port(0).state());
    }

    @Test
    void anOrderToGoDownBeginsTheLinkAnewAndIsNewsToTheOtherSwitchOnly() {
        activate(net.sw1.port(7), net.sw2.port(7));
        assertEquals(Smp.STATUS_GOOD, state(atSwitch, 7, PortState.DOWN));
        assertEquals(PortState.INIT.code(), atSwitch.read(PortInfo.STATE));
        assertEquals(PortState.INIT, net.sw1.port(7).state());
        assertEquals(PortState.INIT, net.sw2.port(7).state());
        assertEquals(PhysicalState.LINK_UP, net.sw2.port(7).physicalState());
        assertFalse(net.sw1.portStateChange());
        assertTrue(net.sw2.portStateChange());
        assertEquals(List.of(net.sw2.port(0)), traps);
        assertTrue(told.containsAll(List.of(net.sw1.port(7), net.sw2.port(7))));
    }

    @Test
    void aDisabledPortTakesItsPeerDownUntilItIsEnabled() {
        activate(host, near);
        int status = atSwitch.port(1)
                .with(PortInfo.STATE, PortState.DOWN.code())
                .with(PortInfo.PHYSICAL_STATE, PhysicalState.DISABLED.code())
                .setPort(1);
        assertEquals(Smp.STATUS_GOOD, status);
        assertEquals(PhysicalState.DISABLED.code(), atSwitch.read(PortInfo.PHYSICAL_STATE));
        assertEquals(PortState.DOWN, near.state());
        assertEquals(PortState.DOWN, host.state());
        assertEquals(PhysicalState.POLLING, host.physicalState());
        assertEquals(1, host.counters().linkDowned);
        assertEquals(0, near.counters().linkDowned);
        Cabling.unplug(host, 0);
        Cabling.plug(host, near, 0);
        assertEquals(PortState.DOWN, host.state(), "a disabled port does not train");
        atSwitch.port(1)
                .with(PortInfo.PHYSICAL_STATE, PhysicalState.POLLING.code())
                .setPort(1);
        assertEquals(PortState.INIT.code(), atSwitch.read(PortInfo.STATE));
        assertEquals(PortState.INIT, host.state());
    }

    @Test
    void otherPhysicalStatesAreRefused() {
        for (int physical = PhysicalState.DISABLED.code() + 1; physical < 16; physical++) {
            assertEquals(
                    Smp.STATUS_BAD_VALUE,
                    atSwitch.port(1).with(PortInfo.PHYSICAL_STATE, physical).setPort(1));
        }
        assertEquals(
                Smp.STATUS_BAD_VALUE,
                atSwitch.port(0)
                        .with(PortInfo.PHYSICAL_STATE, PhysicalState.DISABLED.code())
                        .setPort(0));
        assertEquals(PortState.INIT, near.state());
    }

    @Test
    void aPulledCableIsNewsToTheSwitchesAtBothEnds() {
        activate(net.sw1.port(8), net.sw2.port(8));
        Cabling.unplug(net.sw2.port(8), 0);
        for (ManagedPort port : List.of(net.sw1.port(8), net.sw2.port(8))) {
            assertNull(port.peer());
            assertEquals(PortState.DOWN, port.state());
            assertEquals(PhysicalState.POLLING, port.physicalState());
            assertEquals(1, port.counters().linkDowned);
            assertTrue(port.node().portStateChange());
        }
        assertEquals(List.of(net.sw2.port(0), net.sw1.port(0)), traps);
        Cabling.unplug(net.sw2.port(8), 0);
        assertEquals(2, traps.size());
    }

    @Test
    void aCableThatIsPluggedAgainComesUpInInit() {
        Cabling.unplug(host, 0);
        net.sw1.portStateChange = false;
        Cabling.plug(near, host, 0);
        assertSame(host, near.peer());
        assertSame(near, host.peer());
        assertEquals(PortState.INIT, host.state());
        assertTrue(net.sw1.portStateChange());
    }

    @Test
    void aCableNeedsTwoFreeExternalPorts() {
        assertThrows(IllegalArgumentException.class, () -> Cabling.plug(host, net.sw1.port(4), 0));
        assertThrows(IllegalArgumentException.class, () -> Cabling.plug(net.sw1.port(4), net.sw1.port(4), 0));
        assertThrows(IllegalArgumentException.class, () -> Cabling.plug(net.sw1.port(4), net.sw2.port(0), 0));
        assertNull(net.sw1.port(4).peer());
    }

    @Test
    void aFlapLeavesTheLinkInInitAndCounts() {
        activate(host, near);
        Cabling.flap(host, 0);
        assertEquals(PortState.INIT, host.state());
        assertEquals(PortState.INIT, near.state());
        assertEquals(1, host.counters().linkDowned);
        assertEquals(List.of(net.sw1.port(0)), traps);
    }

    @Test
    void dataMakeAnArmedPortActiveAndNoManagerIsTold() {
        near.state = PortState.ARMED;
        Cabling.onData(near);
        assertEquals(PortState.ACTIVE, near.state());
        assertFalse(net.sw1.portStateChange());
        assertEquals(List.of(), traps);
        near.state = PortState.INIT;
        Cabling.onData(near);
        assertEquals(PortState.INIT, near.state());
    }

    @Test
    void endsWithoutACommonWidthOrSpeedStayDown() {
        Cabling.unplug(host, 0);
        host.rates(new LinkRates(0x1f, LinkWidth.X1.bit(), 7, 7, 0, 0, false));
        near.rates(new LinkRates(0x1f, LinkWidth.X12.bit(), 7, 7, 0, 0, false));
        Cabling.plug(host, near, 0);
        assertEquals(PortState.DOWN, host.state());
        near.rates(new LinkRates(0x1f, 0x1f, 7, 7, 0, 0, false));
        Cabling.unplug(host, 0);
        Cabling.plug(host, near, 0);
        assertEquals(PortState.INIT, host.state());
        assertEquals(LinkWidth.X1, near.width());
    }

    @Test
    void theFastestCommonSpeedIsChosen() {
        assertEquals(LinkSpeed.EDR, agreed(7, 3, true, 7, 7, true));
        assertEquals(LinkSpeed.FDR, agreed(7, 1, true, 7, 3, true));
        assertEquals(LinkSpeed.FDR10, agreed(7, 0, true, 7, 3, true));
        assertEquals(LinkSpeed.QDR, agreed(7, 0, true, 7, 3, false));
        assertEquals(LinkSpeed.SDR, agreed(1, 0, false, 7, 3, false));
    }

    private LinkSpeed agreed(int speed, int extended, boolean fdr10, int speed2, int extended2, boolean fdr102) {
        Cabling.unplug(host, 0);
        host.rates(new LinkRates(0x1f, 2, 7, speed, 0xf, extended, fdr10));
        near.rates(new LinkRates(0x1f, 2, 7, speed2, 0xf, extended2, fdr102));
        Cabling.plug(host, near, 0);
        assertSame(host.speed(), near.speed());
        return host.speed();
    }

    @Test
    void enabledRatesCountWhenTheLinkBeginsAnew() {
        assertEquals(
                Smp.STATUS_GOOD, atHost.port(1).with(PortInfo.WIDTH_ENABLED, 1).setPort(1));
        assertEquals(LinkWidth.X4, host.width());
        state(atHost, 1, PortState.DOWN);
        assertEquals(LinkWidth.X1, host.width());
        assertEquals(LinkWidth.X1, near.width());
    }

    private static void activate(ManagedPort one, ManagedPort other) {
        one.state = PortState.ACTIVE;
        other.state = PortState.ACTIVE;
    }

    private static int state(Asker asker, int port, PortState state) {
        return asker.port(port).with(PortInfo.STATE, state.code()).setPort(port);
    }
}
