package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.NodeKind;
import org.verbena.wire.subnet.ArbitrationTable;
import org.verbena.wire.subnet.ExtendedPortInfo;
import org.verbena.wire.subnet.GuidInfo;
import org.verbena.wire.subnet.LaneMapping;
import org.verbena.wire.subnet.LedInfo;
import org.verbena.wire.subnet.LinearBlock;
import org.verbena.wire.subnet.ManagerInfo;
import org.verbena.wire.subnet.MulticastBlock;
import org.verbena.wire.subnet.NodeDescription;
import org.verbena.wire.subnet.NodeInfo;
import org.verbena.wire.subnet.PartitionTable;
import org.verbena.wire.subnet.PortInfo;
import org.verbena.wire.subnet.Smp;
import org.verbena.wire.subnet.SwitchInfo;
import org.verbena.wire.subnet.VendorDiag;

/** The rules of the attributes, with the conduct of the standard. */
final class SubnetAgentTest {
    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final ManagedPort host = net.host(1).port(1);
    private final Asker atHost = new Asker(net.host(1), 1);
    private final Asker atSwitch = new Asker(net.sw1, 2);

    @Test
    void headersThatTheAgentDoesNotKnowHaveTheirStatus() {
        Smp.request(atHost.mad, 0, Smp.CLASS_LID_ROUTED, 3, 1, NodeInfo.ATTRIBUTE, 0);
        assertEquals(Smp.STATUS_BAD_METHOD, atHost.send());
        assertEquals(0x83, Smp.METHOD.read(atHost.mad, 0));
        Smp.request(atHost.mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_GET, 1, NodeInfo.ATTRIBUTE, 0);
        Smp.CLASS_VERSION.write(atHost.mad, 0, 2);
        assertEquals(Smp.STATUS_BAD_VERSION, atHost.send());
        assertEquals(1, Smp.DIRECTION.read(atHost.mad, 0));
        Smp.request(atHost.mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_GET, 1, NodeInfo.ATTRIBUTE, 0);
        Smp.BASE_VERSION.write(atHost.mad, 0, 2);
        assertEquals(Asker.SILENCE, atHost.send());
        assertEquals(MadOutcome.DONE, atHost.outcome);
    }

    @ParameterizedTest
    @ValueSource(ints = {Smp.METHOD_RESPONSE, Smp.METHOD_TRAP})
    void answersAndTrapsAreForPrograms(int method) {
        Smp.request(atHost.mad, 0, Smp.CLASS_DIRECTED, method, 1, NodeInfo.ATTRIBUTE, 0);
        atHost.send();
        assertEquals(MadOutcome.NOT_MINE, atHost.outcome);
    }

    @Test
    void aPacketByLocalIdentifierHasNoDirection() {
        Smp.request(atHost.mad, 0, Smp.CLASS_LID_ROUTED, Smp.METHOD_GET, 1, NodeInfo.ATTRIBUTE, 0);
        assertEquals(Smp.STATUS_GOOD, atHost.send());
        assertEquals(0, Smp.DIRECTION.read(atHost.mad, 0));
        assertEquals(Smp.METHOD_RESPONSE, Smp.METHOD.read(atHost.mad, 0));
    }

    @Test
    void attributesThatAreNotThereLeaveTheDataAsTheyAre() {
        for (int attribute : new int[] {0, 1, 0x13, 0x1a, 0x1c, 0xff91, 0xffff}) {
            Smp.request(atHost.mad, 0, Smp.CLASS_DIRECTED, Smp.METHOD_SET, 1, attribute, 0);
            VendorDiag.NEXT_INDEX.write(atHost.mad, Smp.DATA, 0x1234);
            assertEquals(Smp.STATUS_BAD_ATTRIBUTE, atHost.send());
            assertEquals(0x1234, atHost.read(VendorDiag.NEXT_INDEX));
        }
        for (int attribute : new int[] {SwitchInfo.ATTRIBUTE, LinearBlock.ATTRIBUTE, MulticastBlock.ATTRIBUTE}) {
            assertEquals(Smp.STATUS_BAD_ATTRIBUTE, atHost.get(attribute, 0));
            assertEquals(Smp.STATUS_BAD_ATTRIBUTE, atHost.set(attribute, 0));
        }
    }

    @Test
    void attributesThatAreReadOnlyTakeNoSet() {
        for (int attribute : new int[] {NodeDescription.ATTRIBUTE, NodeInfo.ATTRIBUTE, VendorDiag.ATTRIBUTE}) {
            assertEquals(Smp.STATUS_GOOD, atHost.get(attribute, 0));
            assertEquals(Smp.STATUS_BAD_ATTRIBUTE, atHost.set(attribute, 0));
        }
    }

    @Test
    void theStateOfAManagerIsTheManagers() {
        assertEquals(Smp.STATUS_BAD_ATTRIBUTE, atHost.get(ManagerInfo.ATTRIBUTE, 0));
        SubnetAgent.manager(host, true, 0);
        atHost.get(ManagerInfo.ATTRIBUTE, 0);
        assertEquals(MadOutcome.NOT_MINE, atHost.outcome);
        SubnetAgent.manager(host, false, 0);
        assertEquals(Smp.STATUS_BAD_ATTRIBUTE, atHost.get(ManagerInfo.ATTRIBUTE, 0));
    }

    @Test
    void aNodeNamesThePortThatThePacketCameTo() {
        ManagedNode two = new ManagedNode(NodeKind.ADAPTER, "two", 0x100, 2);
        Asker second = new Asker(two, 2);
        second.get(NodeInfo.ATTRIBUTE, 0);
        assertEquals(2, second.read(NodeInfo.LOCAL_PORT));
        assertEquals(0x102, second.read(NodeInfo.PORT_GUID));
        second.get(PortInfo.ATTRIBUTE, 0);
        second.get(PortInfo.ATTRIBUTE, 1);
        assertEquals(2, second.read(PortInfo.LOCAL_PORT));
        assertEquals(Smp.STATUS_BAD_VALUE, second.setPort(1), "a Set for the other port");
        assertEquals(Smp.STATUS_GOOD, second.port(0).setPort(0));
        assertEquals(Smp.STATUS_BAD_VALUE, second.get(PortInfo.ATTRIBUTE, 3));
        assertEquals(Smp.STATUS_GOOD, second.get(PortInfo.ATTRIBUTE, 2 | PortInfo.EXTENDED_SPEEDS_KNOWN));
    }

    @Test
    void whatASetOfPortInfoWritesIsShownAndInForce() {
        int status = atHost.port(1)
                .with(PortInfo.GID_PREFIX, 0xfe80_0000_0000_1234L)
                .with(PortInfo.LID, 8)
                .with(PortInfo.LMC, 2)
                .with(PortInfo.MANAGER_LID, 3)
                .with(PortInfo.MANAGER_SERVICE_LEVEL, 5)
                .with(PortInfo.NEIGHBOR_MTU, 3)
                .with(PortInfo.OPERATIONAL_LANES, 2)
                .with(PortInfo.HIGH_LIMIT, 9)
                .with(PortInfo.SUBNET_TIMEOUT, 18)
                .with(PortInfo.ERROR_THRESHOLDS, 0x88)
                .with(PortInfo.CAPABILITY_MASK, 0)
                .setPort(1);
        assertEquals(Smp.STATUS_GOOD, status);
        assertEquals(0xfe80_0000_0000_1234L, host.gidPrefix());
        assertFalse(host.owns(7));
        assertTrue(host.owns(8) && host.owns(11));
        assertFalse(host.owns(12));
        assertEquals(3, host.managerLid());
        assertEquals(5, host.managerServiceLevel());
        assertEquals(1024, host.mtu());
        assertEquals(2, host.lanes());
        assertEquals(1, host.laneOf(7, 0));
        assertEquals(9, host.highLimit());
        assertEquals(18, atHost.read(PortInfo.SUBNET_TIMEOUT));
        assertEquals(0x88, atHost.read(PortInfo.ERROR_THRESHOLDS));
        assertEquals(host.capabilityMask(), atHost.read(PortInfo.CAPABILITY_MASK));
    }

    @Test
    void valuesThatAPortCannotTakeChangeNothing() {
        refuse(atHost.port(1).with(PortInfo.LID, 0xc000));
        refuse(atHost.port(1).with(PortInfo.LID, 5).with(PortInfo.LMC, 1));
        refuse(atHost.port(1).with(PortInfo.MANAGER_LID, 0xc001));
        refuse(atHost.port(1).with(PortInfo.OPERATIONAL_LANES, 5));
        refuse(atHost.port(1).with(PortInfo.NEIGHBOR_MTU, 5));
        refuse(atHost.port(1).with(PortInfo.WIDTH_ENABLED, 0x20));
        refuse(atHost.port(1).with(PortInfo.SPEED_ENABLED, 8));
        refuse(atHost.port(1).with(PortInfo.EXTENDED_ENABLED, 1));
        refuse(atHost.port(1).with(PortInfo.LINK_DOWN_DEFAULT, 3));
        assertEquals(0, host.lid());
        assertEquals(2048, host.mtu());
    }

    private static void refuse(Asker asker) {
        String data = asker.data();
        assertEquals(Smp.STATUS_BAD_VALUE, asker.setPort(1));
        assertEquals(data, asker.data(), "the answer has the data of the request");
    }

    @Test
    void zeroAndAllInRatesMeanNoChangeAndWhatIsSupported() {
        atHost.port(1)
                .with(PortInfo.WIDTH_ENABLED, 0)
                .with(PortInfo.SPEED_ENABLED, 0)
                .with(PortInfo.NEIGHBOR_MTU, 0)
                .with(PortInfo.OPERATIONAL_LANES, 0)
                .setPort(1);
        assertEquals(3, atHost.read(PortInfo.WIDTH_ENABLED));
        assertEquals(7, atHost.read(PortInfo.SPEED_ENABLED));
        assertEquals(4, atHost.read(PortInfo.NEIGHBOR_MTU));
        assertEquals(4, atHost.read(PortInfo.OPERATIONAL_LANES));
        host.speedEnabled = 1;
        atHost.port(1)
                .with(PortInfo.WIDTH_ENABLED, PortInfo.WIDTH_ALL)
                .with(PortInfo.SPEED_ENABLED, PortInfo.SPEED_ALL)
                .setPort(1);
        assertEquals(0x1f, atHost.read(PortInfo.WIDTH_ENABLED));
        assertEquals(7, atHost.read(PortInfo.SPEED_ENABLED));
        host.rates(new LinkRates(0x1f, 2, 7, 7, 7, 1, false));
        atHost.port(1).with(PortInfo.EXTENDED_ENABLED, PortInfo.EXTENDED_ALL).setPort(1);
        assertEquals(7, atHost.read(PortInfo.EXTENDED_ENABLED));
        atHost.port(1).with(PortInfo.EXTENDED_ENABLED, PortInfo.EXTENDED_NONE).setPort(1);
        assertEquals(0, atHost.read(PortInfo.EXTENDED_ENABLED));
    }

    @Test
    void aSwitchEnforcesPartitionsAndLifetimesPerPort() {
        assertTrue(net.sw1.port(3).admits(0x7fff));
        atSwitch.port(3)
                .with(PortInfo.ENFORCEMENT, 0b1101)
                .with(PortInfo.HEAD_OF_QUEUE_LIFE, 3)
                .setPort(3);
        ManagedPort port = net.sw1.port(3);
        assertTrue(port.enforcesInbound() && port.enforcesOutbound() && port.filtersRawOutbound());
        assertFalse(port.filtersRawInbound());
        assertEquals(4096 * 8, port.headOfQueueLifeNs());
        atSwitch.port(3).with(PortInfo.HEAD_OF_QUEUE_LIFE, 20).setPort(3);
        assertEquals(Long.MAX_VALUE, port.headOfQueueLifeNs());
        assertEquals(Long.MAX_VALUE, host.headOfQueueLifeNs(), "an end node drops nothing");
        assertFalse(net.sw1.port(2).enforcesInbound());
    }

    @Test
    void reregistrationIsShownOnceAndTold() {
        List<ManagedPort> told = new ArrayList<>();
        net.host(1).hardware(new NodeHardware() {
            @Override
            public void onPortState(ManagedPort port) {}

            @Override
            public void onPortSettings(ManagedPort port) {}

            @Override
            public void onTrap(ManagedPort from, byte[] notice) {}

            @Override
            public void onReregister(ManagedPort port) {
                told.add(port);
            }
        });
        atHost.port(1).with(PortInfo.CLIENT_REREGISTER, 1).setPort(1);
        assertEquals(1, atHost.read(PortInfo.CLIENT_REREGISTER));
        assertEquals(List.of(host), told);
        atHost.get(PortInfo.ATTRIBUTE, 1);
        assertEquals(0, atHost.read(PortInfo.CLIENT_REREGISTER));
    }

    @Test
    void guidsAreWrittenApartFromTheFirst() {
        assertEquals(Smp.STATUS_GOOD, atHost.get(GuidInfo.ATTRIBUTE, 0));
        GuidInfo.guid(atHost.mad, Smp.DATA, 0, 0x666);
        GuidInfo.guid(atHost.mad, Smp.DATA, 3, 0x777);
        assertEquals(Smp.STATUS_GOOD, atHost.set(GuidInfo.ATTRIBUTE, 0));
        assertEquals(host.guid(), GuidInfo.guid(atHost.mad, Smp.DATA, 0));
        assertEquals(0x777, GuidInfo.guid(atHost.mad, Smp.DATA, 3));
        assertTrue(host.hasGuid(host.guid()) && host.hasGuid(0x777));
        assertFalse(host.hasGuid(0x666) || host.hasGuid(0));
        GuidInfo.guid(atHost.mad, Smp.DATA, 0, 0x888);
        assertEquals(Smp.STATUS_GOOD, atHost.set(GuidInfo.ATTRIBUTE, 3));
        assertTrue(host.hasGuid(0x888));
        assertEquals(Smp.STATUS_BAD_VALUE, atHost.set(GuidInfo.ATTRIBUTE, 4));
        assertEquals(Smp.STATUS_BAD_VALUE, atHost.get(GuidInfo.ATTRIBUTE, -1));
        assertEquals(Smp.STATUS_GOOD, atSwitch.get(GuidInfo.ATTRIBUTE, 0));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(GuidInfo.ATTRIBUTE, 1));
    }

    @Test
    void everyPortOfASwitchHasItsPartitions() {
        int block = PartitionTable.modifier(3, 1);
        assertEquals(Smp.STATUS_GOOD, atSwitch.get(PartitionTable.ATTRIBUTE, block));
        PartitionTable.key(atSwitch.mad, Smp.DATA, 31, 0x8123);
        assertEquals(Smp.STATUS_GOOD, atSwitch.set(PartitionTable.ATTRIBUTE, block));
        assertEquals(0x8123, PartitionTable.key(atSwitch.mad, Smp.DATA, 31));
        assertTrue(net.sw1.port(3).admits(0x0123), "a full member talks to a limited one");
        assertTrue(net.sw1.port(3).admits(0xffff));
        assertFalse(net.sw1.port(2).admits(0x0123));
        assertEquals(0x8123, net.sw1.port(3).partition(63));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(PartitionTable.ATTRIBUTE, PartitionTable.modifier(0, 1)));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(PartitionTable.ATTRIBUTE, PartitionTable.modifier(9, 0)));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.set(PartitionTable.ATTRIBUTE, PartitionTable.modifier(3, 2)));
    }

    @Test
    void limitedMembersDoNotAdmitEachOther() {
        atHost.get(PartitionTable.ATTRIBUTE, 0);
        PartitionTable.key(atHost.mad, Smp.DATA, 0, 0x0005);
        atHost.set(PartitionTable.ATTRIBUTE, 0);
        assertFalse(host.admits(0x0005));
        assertTrue(host.admits(0x8005));
        assertFalse(host.admits(0xffff));
        assertFalse(host.admits(0x8000));
    }

    @Test
    void lanesAreMappedPerInputAndOutput() {
        long table = 0x0011_2233_4455_66ffL;
        writeLanes(LaneMapping.modifier(4, 7), table);
        ManagedPort out = net.sw1.port(7);
        assertEquals(1, out.laneOf(2, 4));
        assertEquals(LaneMapping.DROP, out.laneOf(15, 4));
        assertEquals(2, out.laneOf(2, 5), "other inputs are as before");
        assertEquals(2, net.sw1.port(8).laneOf(2, 4), "other outputs are as before");
        writeLanes(LaneMapping.ALL_INPUTS | 8, table);
        assertEquals(1, net.sw1.port(8).laneOf(2, 0));
        assertEquals(1, net.sw1.port(8).laneOf(2, 8));
        writeLanes(LaneMapping.ALL_OUTPUTS | LaneMapping.modifier(6, 0), table);
        assertEquals(1, net.sw1.port(1).laneOf(2, 6));
        assertEquals(2, net.sw1.port(1).laneOf(2, 7));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(LaneMapping.ATTRIBUTE, LaneMapping.modifier(9, 1)));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.set(LaneMapping.ATTRIBUTE, LaneMapping.modifier(1, 9)));
    }

    private void writeLanes(int modifier, long table) {
        LaneMapping.write(atSwitch.mad, Smp.DATA, table);
        assertEquals(Smp.STATUS_GOOD, atSwitch.set(LaneMapping.ATTRIBUTE, modifier));
        assertEquals(table, LaneMapping.read(atSwitch.mad, Smp.DATA));
    }

    @Test
    void arbitrationIsWrittenPerPort() {
        byte[] before = net.sw1.port(2).highArbitration().clone();
        atSwitch.get(ArbitrationTable.ATTRIBUTE, ArbitrationTable.modifier(ArbitrationTable.HIGH, 3));
        ArbitrationTable.entry(atSwitch.mad, Smp.DATA, 1, 6, 200);
        ArbitrationTable.entry(atSwitch.mad, Smp.DATA, 8, 6, 200);
        int modifier = ArbitrationTable.modifier(ArbitrationTable.HIGH, 3);
        assertEquals(Smp.STATUS_GOOD, atSwitch.set(ArbitrationTable.ATTRIBUTE, modifier));
        assertEquals(6, net.sw1.port(3).highArbitration()[2]);
        assertEquals((byte) 200, net.sw1.port(3).highArbitration()[3]);
        assertEquals(0, ArbitrationTable.weight(atSwitch.mad, Smp.DATA, 8), "the table has eight entries");
        assertArrayEquals(before, net.sw1.port(2).highArbitration());
        assertArrayEquals(net.sw1.port(2).lowArbitration(), net.sw1.port(3).lowArbitration());
        for (int bad : new int[] {0, 2, 4, 5, 0xffff}) {
            int block = ArbitrationTable.modifier(bad, 3);
            assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(ArbitrationTable.ATTRIBUTE, block));
            assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.set(ArbitrationTable.ATTRIBUTE, block));
        }
        int nowhere = ArbitrationTable.modifier(ArbitrationTable.LOW, 9);
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(ArbitrationTable.ATTRIBUTE, nowhere));
    }

    @Test
    void aPortWithFifteenLanesHasAllBlocksOfArbitration() {
        ManagedNode wide = new ManagedNode(
                NodeProfile.of(NodeKind.SWITCH, "wide", 0x500, 3).withCaps(5, 5));
        Asker asker = new Asker(wide, 1);
        assertEquals(15, wide.port(1).lanes());
        assertEquals(4096, wide.port(1).mtu());
        assertEquals(Smp.STATUS_GOOD, asker.get(ArbitrationTable.ATTRIBUTE, ArbitrationTable.modifier(2, 1)));
        ArbitrationTable.entry(asker.mad, Smp.DATA, 31, 14, 1);
        assertEquals(Smp.STATUS_GOOD, asker.set(ArbitrationTable.ATTRIBUTE, ArbitrationTable.modifier(2, 1)));
        assertEquals(14, wide.port(1).lowArbitration()[126]);
    }

    @Test
    void theLinearTableForwardsUpToItsTop() {
        LinearBlock.port(atSwitch.mad, Smp.DATA, 5, 3);
        LinearBlock.port(atSwitch.mad, Smp.DATA, 6, 9);
        LinearBlock.port(atSwitch.mad, Smp.DATA, 7, 0xff);
        assertEquals(Smp.STATUS_GOOD, atSwitch.set(LinearBlock.ATTRIBUTE, 2));
        assertEquals(ManagedNode.NO_PORT, net.sw1.outputTo(133), "the top is 0");
        setTop(133);
        assertEquals(3, net.sw1.outputTo(133));
        assertEquals(ManagedNode.NO_PORT, net.sw1.outputTo(134));
        setTop(200);
        assertEquals(ManagedNode.NO_PORT, net.sw1.outputTo(134), "there is no port 9");
        assertEquals(ManagedNode.NO_PORT, net.sw1.outputTo(135));
        assertEquals(ManagedNode.NO_PORT, net.sw1.outputTo(199));
        assertEquals(Smp.STATUS_GOOD, atSwitch.get(LinearBlock.ATTRIBUTE, 0xbfff / 64));
        assertEquals(LinearBlock.NO_PORT, LinearBlock.port(atSwitch.mad, Smp.DATA, 63));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(LinearBlock.ATTRIBUTE, 768));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.set(LinearBlock.ATTRIBUTE, -1));
    }

    private void setTop(int top) {
        atSwitch.get(SwitchInfo.ATTRIBUTE, 0);
        assertEquals(Smp.STATUS_GOOD, atSwitch.with(SwitchInfo.LINEAR_TOP, top).set(SwitchInfo.ATTRIBUTE, 0));
        assertEquals(top, atSwitch.read(SwitchInfo.LINEAR_TOP));
    }

    @Test
    void theNewsOfPortsIsClearedByASetOnly() {
        assertTrue(net.sw1.portStateChange());
        atSwitch.get(SwitchInfo.ATTRIBUTE, 0);
        assertEquals(1, atSwitch.read(SwitchInfo.PORT_STATE_CHANGE));
        atSwitch.with(SwitchInfo.PORT_STATE_CHANGE, 0)
                .with(SwitchInfo.LIFE_TIME, 18)
                .set(SwitchInfo.ATTRIBUTE, 0);
        assertTrue(net.sw1.portStateChange());
        assertEquals(4096L << 18, net.sw1.lifeTimeNs());
        atSwitch.set(SwitchInfo.ATTRIBUTE, 0);
        assertFalse(net.sw1.portStateChange());
        assertEquals(0, atSwitch.read(SwitchInfo.PORT_STATE_CHANGE));
        atSwitch.with(SwitchInfo.LINEAR_TOP, 0xc000);
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.set(SwitchInfo.ATTRIBUTE, 0));
    }

    @Test
    void theMulticastTableHasThePortsOfEachPosition() {
        ManagedNode large = new ManagedNode(NodeKind.SWITCH, "large", 0x900, 100);
        Asker asker = new Asker(large, 1);
        for (int position = 0; position <= 6; position++) {
            MulticastBlock.ports(asker.mad, Smp.DATA, 2, 0xffff);
            int modifier = MulticastBlock.modifier(1, position);
            assertEquals(Smp.STATUS_GOOD, asker.set(MulticastBlock.ATTRIBUTE, modifier));
            assertEquals(position == 6 ? 0x1f : 0xffff, MulticastBlock.ports(asker.mad, Smp.DATA, 2));
        }
        int lid = MulticastBlock.FIRST_LID + 34;
        assertTrue(large.multicastTo(lid, 0) && large.multicastTo(lid, 64) && large.multicastTo(lid, 100));
        assertFalse(large.multicastTo(lid, 101) || large.multicastTo(lid, 255) || large.multicastTo(lid + 1, 1));
        assertArrayEquals(new long[] {-1, (1L << 37) - 1}, large.multicastPorts(lid));
        assertEquals(0, large.multicastPorts(lid + 1).length);
        assertEquals(0, large.multicastPorts(5).length);
        MulticastBlock.ports(asker.mad, Smp.DATA, 2, 0);
        asker.set(MulticastBlock.ATTRIBUTE, MulticastBlock.modifier(1, 1));
        assertFalse(large.multicastTo(lid, 16));
        assertTrue(large.multicastTo(lid, 15) && large.multicastTo(lid, 32));
        for (int bad : new int[] {MulticastBlock.modifier(32, 0), MulticastBlock.modifier(0, 7)}) {
            assertEquals(Smp.STATUS_BAD_VALUE, asker.get(MulticastBlock.ATTRIBUTE, bad));
            assertEquals(Smp.STATUS_BAD_VALUE, asker.set(MulticastBlock.ATTRIBUTE, bad));
        }
    }

    @Test
    void lampsGoOnAndOff() {
        assertEquals(Smp.STATUS_GOOD, atSwitch.with(LedInfo.LED, 1).set(LedInfo.ATTRIBUTE, 3));
        atSwitch.get(LedInfo.ATTRIBUTE, 3);
        assertEquals(1, atSwitch.read(LedInfo.LED));
        atSwitch.get(LedInfo.ATTRIBUTE, 4);
        assertEquals(0, atSwitch.read(LedInfo.LED));
        assertEquals(Smp.STATUS_BAD_VALUE, atSwitch.get(LedInfo.ATTRIBUTE, 9));
        assertEquals(Smp.STATUS_BAD_VALUE, atHost.get(VendorDiag.ATTRIBUTE, 1));
    }

    @Test
    void theVendorsSpeedIsSwitchedOffAtThePort() {
        LinkRates rates = new LinkRates(0x1f, 3, 7, 7, 0, 0, true);
        host.rates(rates);
        net.sw1.port(1).rates(rates);
        Cabling.flap(host, 0);
        assertEquals(LinkSpeed.FDR10, host.speed());
        atHost.get(ExtendedPortInfo.ATTRIBUTE, 1);
        assertEquals(ExtendedPortInfo.FDR10, atHost.read(ExtendedPortInfo.SPEED_ACTIVE));
        atHost.with(ExtendedPortInfo.SPEED_ENABLED, 0).set(ExtendedPortInfo.ATTRIBUTE, 1);
        assertEquals(0, atHost.read(ExtendedPortInfo.SPEED_ENABLED));
        Cabling.flap(host, 0);
        assertEquals(LinkSpeed.QDR, host.speed());
        assertEquals(Smp.STATUS_BAD_VALUE, atHost.set(ExtendedPortInfo.ATTRIBUTE, 2));
    }
}
