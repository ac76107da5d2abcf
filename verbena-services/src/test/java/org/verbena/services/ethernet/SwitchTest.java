package org.verbena.services.ethernet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.link.frame.EthernetHeader;

final class SwitchTest {
    private static final long A = 0x02_00_00_00_00_0aL;
    private static final long B = 0x02_00_00_00_00_0bL;
    private static final long C = 0x02_00_00_00_00_0cL;
    private static final long STATION = 0x00_11_22_33_44_55L;
    private static final long STATION_2 = 0x00_11_22_33_44_66L;
    private static final long GROUP = 0x01_00_5e_00_00_01L;
    private static final long GROUP_2 = 0x01_00_5e_00_00_02L;
    private static final long[] NO_GROUPS = {};
    private static final int[] NO_VLANS = {};

    private final PortSet ports = new PortSet(9);
    private final EthernetHeader header = new EthernetHeader();
    private long nowNs = 1;
    private Switch fabric = new Switch(8, false, Promiscuity.LAN, 99);
    private int a = host(A);
    private int b = host(B);

    private int host(long address) {
        int port = fabric.attach();
        assertEquals(AddressVerdict.TAKEN, fabric.addAddress(port, address));
        return port;
    }

    /** The hosts A and B on a new switch. */
    private void rebuild(boolean forged, Promiscuity promiscuity) {
        fabric = new Switch(8, forged, promiscuity, 7);
        a = host(A);
        b = host(B);
    }

    private SwitchVerdict route(int from, long destination, long source, int vlan) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment frame = arena.allocate(64);
            BigEndianBytes.putShort(frame, 0, (int) (destination >>> 32));
            BigEndianBytes.putInt(frame, 2, (int) destination);
            BigEndianBytes.putShort(frame, 6, (int) (source >>> 32));
            BigEndianBytes.putInt(frame, 8, (int) source);
            BigEndianBytes.putShort(frame, 12, vlan < 0 ? 0x0800 : 0x8100);
            if (vlan >= 0) {
                BigEndianBytes.putShort(frame, 14, 5 << 13 | vlan);
                BigEndianBytes.putShort(frame, 16, 0x86dd);
            }
            assertTrue(header.read(frame, 0, 64));
            return fabric.route(from, header, nowNs, ports);
        }
    }

    private List<Integer> forwarded(int from, long destination, long source, int vlan) {
        assertEquals(SwitchVerdict.FORWARDED, route(from, destination, source, vlan));
        List<Integer> all = new ArrayList<>();
        for (int port = ports.next(0); port >= 0; port = ports.next(port + 1)) {
            all.add(port);
        }
        return all;
    }

    private List<Integer> forwarded(int from, long destination, long source) {
        return forwarded(from, destination, source, -1);
    }

    @Test
    void aFrameGoesToTheOwnerOfItsDestinationAndNoOther() {
        assertEquals(List.of(a), forwarded(Switch.LAN, A, STATION));
        assertEquals(List.of(b), forwarded(Switch.LAN, B, STATION));
        assertEquals(List.of(b), forwarded(a, B, A));
        assertEquals(List.of(Switch.LAN), forwarded(a, STATION, A));
        assertEquals(List.of(), forwarded(Switch.LAN, STATION_2, STATION));
        assertEquals(List.of(), forwarded(a, A, A));
    }

    @Test
    void broadcastGoesToAllButTheSenderAndThoseThatDoNotWantIt() {
        int c = host(C);
        assertEquals(List.of(Switch.LAN, b, c), forwarded(a, EthernetHeader.BROADCAST, A));
        assertEquals(List.of(a, b, c), forwarded(Switch.LAN, EthernetHeader.BROADCAST, STATION));
        fabric.filter(b, false, true, false, NO_GROUPS, NO_VLANS);
        assertEquals(List.of(Switch.LAN, c), forwarded(a, EthernetHeader.BROADCAST, A));
    }

    @Test
    void multicastGoesToThoseThatWantTheGroup() {
        fabric.filter(a, false, false, true, new long[] {GROUP_2, GROUP}, NO_VLANS);
        fabric.filter(b, false, false, true, new long[] {GROUP_2}, NO_VLANS);
        assertEquals(List.of(a), forwarded(Switch.LAN, GROUP, STATION));
        assertEquals(List.of(a, b), forwarded(Switch.LAN, GROUP_2, STATION));
        assertEquals(List.of(Switch.LAN), forwarded(a, GROUP, A));
        fabric.resetFilter(b);
        assertEquals(List.of(Switch.LAN, b), forwarded(a, GROUP, A));
    }

    @Test
    void aHostSendsWithItsOwnAddressesOnly() {
        assertEquals(SwitchVerdict.SPOOFED, route(a, STATION, B, -1));
        assertEquals(SwitchVerdict.SPOOFED, route(a, STATION, C, -1));
        assertTrue(ports.isEmpty());
        assertEquals(AddressVerdict.TAKEN, fabric.addAddress(a, C));
        assertEquals(SwitchVerdict.FORWARDED, route(a, STATION, C, -1));
        assertTrue(fabric.removeAddress(a, C));
        assertEquals(SwitchVerdict.SPOOFED, route(a, STATION, C, -1));
        assertEquals(List.of(b), forwarded(Switch.LAN, B, STATION), "the spoofed source moved nothing");
    }

    @Test
    void anAddressOfOneHostIsNotGivenToAnother() {
        assertEquals(AddressVerdict.OF_ANOTHER, fabric.addAddress(a, B));
        assertEquals(AddressVerdict.TAKEN, fabric.addAddress(a, A));
        assertEquals(AddressVerdict.NO_STATION, fabric.addAddress(a, GROUP));
        assertEquals(AddressVerdict.NO_STATION, fabric.addAddress(a, 0));
        for (int i = 1; i < Switch.ADDRESSES_MAX; i++) {
            assertEquals(AddressVerdict.TAKEN, fabric.addAddress(a, C + i));
        }
        assertEquals(AddressVerdict.TOO_MANY, fabric.addAddress(a, C));
        fabric.detach(b);
        int c = host(B);
        assertEquals(List.of(c), forwarded(a, B, A));
    }

    @Test
    void aStationOfTheLanWithAHostsAddressTakesNothingFromTheHost() {
        assertEquals(List.of(b), forwarded(Switch.LAN, B, A));
        assertEquals(List.of(a), forwarded(b, A, B));
    }

    @Test
    void sourcesThatNoStationHasAreRefused() {
        assertEquals(SwitchVerdict.BAD_SOURCE, route(Switch.LAN, A, GROUP, -1));
        assertEquals(SwitchVerdict.BAD_SOURCE, route(a, B, 0, -1));
    }

    @Test
    void aPromiscuousHostSeesOfTheLanWhatIsForNoHost() {
        int c = host(C);
        fabric.filter(c, true, false, false, NO_GROUPS, NO_VLANS);
        assertEquals(List.of(c), forwarded(Switch.LAN, STATION_2, STATION));
        assertEquals(List.of(a), forwarded(Switch.LAN, A, STATION));
        assertEquals(List.of(Switch.LAN), forwarded(a, STATION, A));
        assertEquals(List.of(b), forwarded(a, B, A));
        assertEquals(List.of(a, b, c), forwarded(Switch.LAN, GROUP, STATION));
    }

    @Test
    void theUnitDecidesWhatAPromiscuousHostSees() {
        rebuild(false, Promiscuity.LAN_AND_HOSTS);
        int c = host(C);
        fabric.filter(c, true, false, false, NO_GROUPS, NO_VLANS);
        assertEquals(List.of(a, c), forwarded(Switch.LAN, A, STATION));
        assertEquals(List.of(Switch.LAN, c), forwarded(a, STATION, A));
        assertEquals(List.of(b), forwarded(a, B, A), "never frames between two other hosts");
        rebuild(false, Promiscuity.GROUPS);
        fabric.filter(b, true, false, false, NO_GROUPS, NO_VLANS);
        assertEquals(List.of(), forwarded(Switch.LAN, STATION_2, STATION));
    }

    @Test
    void aHostWithVlansTakesAndSendsFramesOfTheseOnly() {
        fabric.filter(a, false, true, true, NO_GROUPS, new int[] {10, 0});
        assertEquals(List.of(a), forwarded(Switch.LAN, A, STATION, 10));
        assertEquals(List.of(a), forwarded(Switch.LAN, A, STATION, 0), "tagged for its priority only");
        assertEquals(List.of(a), forwarded(Switch.LAN, A, STATION, -1));
        assertEquals(List.of(), forwarded(Switch.LAN, A, STATION, 11));
        assertEquals(List.of(b), forwarded(Switch.LAN, EthernetHeader.BROADCAST, STATION, 11));
        assertEquals(List.of(Switch.LAN), forwarded(a, STATION, A, 10));
        assertEquals(SwitchVerdict.WRONG_VLAN, route(a, STATION, A, 12, 0));
        fabric.filter(a, false, true, true, NO_GROUPS, new int[] {10});
        assertEquals(SwitchVerdict.WRONG_VLAN, route(a, STATION, A, -1, 0));
    }

    private SwitchVerdict route(int from, long destination, long source, int vlan, int expectedPorts) {
        SwitchVerdict verdict = route(from, destination, source, vlan);
        assertEquals(expectedPorts == 0, ports.isEmpty());
        return verdict;
    }

    @Test
    void forgedSourcesAreLearnedPerVlanIfTheUnitAllowsThem() {
        rebuild(true, Promiscuity.LAN);
        assertEquals(List.of(b), forwarded(a, B, C, 5));
        assertEquals(List.of(a), forwarded(b, C, B, 5));
        assertEquals(List.of(Switch.LAN), forwarded(b, C, B, 6), "not seen in this VLAN");
        assertEquals(SwitchVerdict.SPOOFED, route(a, STATION, B, 5), "the address of another host");
        assertEquals(List.of(), forwarded(Switch.LAN, STATION, C, 5));
        assertEquals(List.of(Switch.LAN), forwarded(b, C, B, 5), "it moved to the LAN");
    }

    @Test
    void learnedAddressesAreForgottenWithTime() {
        rebuild(true, Promiscuity.LAN);
        forwarded(a, B, C);
        nowNs += Switch.AGE_NS;
        assertEquals(List.of(a), forwarded(b, C, B));
        nowNs++;
        assertEquals(List.of(Switch.LAN), forwarded(b, C, B));
        assertEquals(1, fabric.learnedCount());
        for (int i = 0; i < 1000; i++) {
            fabric.age(nowNs);
        }
        assertEquals(0, fabric.learnedCount());
        assertEquals(List.of(a), forwarded(b, A, B), "a host's own address has no age");
    }

    @Test
    void aHostCannotFillTheTable() {
        rebuild(true, Promiscuity.LAN);
        for (int i = 0; i < 10_000; i++) {
            forwarded(a, B, C + 0x100 + i);
        }
        assertEquals(Switch.LEARNED_OF_HOST_MAX, fabric.learnedCount());
        assertEquals(10_000 - Switch.LEARNED_OF_HOST_MAX, fabric.notLearned());
        forwarded(b, A, C);
        assertEquals(List.of(b), forwarded(a, C, A), "another host is learned all the same");
        for (int i = 0; i < 10_000; i++) {
            forwarded(Switch.LAN, B, STATION + 0x10000 + i);
        }
        assertEquals(Switch.LEARNED_OF_LAN_MAX + Switch.LEARNED_OF_HOST_MAX + 1, fabric.learnedCount());
        fabric.detach(a);
        assertEquals(Switch.LEARNED_OF_LAN_MAX + 1, fabric.learnedCount());
    }

    @Test
    void portsAreBoundedAndUsedAgain() {
        for (int i = 2; i < 8; i++) {
            assertTrue(fabric.attach() > 0);
        }
        assertEquals(-1, fabric.attach());
        fabric.filter(a, true, false, false, new long[] {GROUP}, new int[] {3});
        fabric.detach(a);
        int again = fabric.attach();
        assertEquals(a, again);
        assertEquals(-1, fabric.ownerOf(A));
        assertTrue(forwarded(Switch.LAN, EthernetHeader.BROADCAST, STATION).contains(again), "the filter is new");
    }

    @Test
    void framesWithoutAWholeHeaderAreNotRead() {
        MemorySegment frame = MemorySegment.ofArray(new byte[64]);
        assertFalse(header.read(frame, 0, 13));
        assertTrue(header.read(frame, 0, 14));
        BigEndianBytes.putShort(frame, 12, 0x8100);
        assertFalse(header.read(frame, 0, 17));
        BigEndianBytes.putShort(frame, 14, 0xefff);
        assertFalse(header.read(frame, 0, 64), "the reserved VLAN");
        BigEndianBytes.putShort(frame, 14, 0xe064);
        BigEndianBytes.putShort(frame, 16, 0x88a8);
        BigEndianBytes.putShort(frame, 18, 7);
        BigEndianBytes.putShort(frame, 20, 0x0800);
        assertTrue(header.read(frame, 0, 64));
        assertEquals(100, header.vlan());
        assertEquals(22, header.bytes());
        assertEquals(0x0800, header.type());
    }
}
