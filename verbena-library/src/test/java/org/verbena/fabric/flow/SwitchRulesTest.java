package org.verbena.fabric.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.verbena.manage.PortState;
import org.verbena.manage.agent.PortCounters;
import org.verbena.manage.agent.Registers;
import org.verbena.wire.ib.Lrh;

/** What a switch does with a packet by the registers that management has written. */
final class SwitchRulesTest {
    private static final int GROUP = 0xc005;
    /** Behind the table of multicast identifiers, which has 1024. */
    private static final int FAR_GROUP = 0xc000 + 1024;

    private static final int INBOUND = 8;
    private static final int OUTBOUND = 4;
    private static final int RAW_INBOUND = 2;
    private static final int RAW_OUTBOUND = 1;

    private final RawStand stand = new RawStand(3);

    @AfterEach
    void close() {
        stand.close();
    }

    /** The counters of the switch's port at a host. */
    private PortCounters at(int host) {
        return stand.crossing.port(host + 1).counters();
    }

    @Test
    void aPacketLeavesByThePortOfItsTarget() {
        stand.send(0, 2, 0, RawStand.PKEY);
        assertEquals(1, stand.received(1));
        assertEquals(0, stand.received(2));
        assertEquals(1, at(0).receivedPackets);
        assertEquals(1, at(1).transmittedPackets);
        // 8 + 12 + 64 + 4 bytes
        assertEquals(22, at(0).receivedWords);
        assertEquals(22, at(1).transmittedWords);
    }

    @ParameterizedTest
    @CsvSource({"1", "9", "60"})
    void aPacketBackToItsSenderOrToNoPortIsARelayError(int lid) {
        Registers.linear(stand.crossing, 9, 200);
        Registers.lid(stand.ports.get(0), 7, 0);
        stand.send(0, lid, 0, RawStand.PKEY);
        stand.run();
        assertEquals(1, at(0).receiveSwitchRelayErrors);
    }

    @Test
    void aServiceLevelWithoutALaneIsARelayError() {
        Registers.lane(stand.crossing.port(2), 3, 1, 15);
        stand.send(0, 2, 3, RawStand.PKEY);
        assertEquals(0, stand.received(1));
        assertEquals(1, at(0).receiveSwitchRelayErrors);
        assertEquals(0, at(1).transmitDiscards);
        // Of another input port the mapping is another.
        stand.send(2, 2, 3, RawStand.PKEY);
        assertEquals(1, stand.received(1));
    }

    @Test
    void aGroupsPacketLeavesByEachPortOfTheGroupButItsOwn() {
        for (int port = 1; port <= 3; port++) {
            Registers.multicast(stand.crossing, GROUP, port);
        }
        stand.send(0, GROUP, 0, RawStand.PKEY);
        assertEquals(0, stand.received(0));
        assertEquals(1, stand.received(1));
        assertEquals(1, stand.received(2));
        assertEquals(1, at(0).receivedMulticasts);
        assertEquals(1, at(1).transmittedMulticasts);
    }

    @Test
    void aGroupBehindTheTableHasADefaultPortAndAnotherForPacketsFromThere() {
        stand.send(0, FAR_GROUP, 0, RawStand.PKEY);
        stand.run();
        assertEquals(1, at(0).receiveSwitchRelayErrors);
        Registers.defaultMulticast(stand.crossing, 2, 3);
        stand.send(0, FAR_GROUP, 0, RawStand.PKEY);
        assertEquals(1, stand.received(1));
        stand.send(1, FAR_GROUP, 0, RawStand.PKEY);
        assertEquals(1, stand.received(2));
        assertEquals(0, stand.received(1));
        // A group within the table that has no ports.
        stand.send(0, GROUP, 0, RawStand.PKEY);
        assertEquals(0, stand.received(1) + stand.received(2));
        assertEquals(2, at(0).receiveSwitchRelayErrors);
    }

    @ParameterizedTest
    @CsvSource({"2", "0xc005"})
    void aPortLetsNoPacketOfAnotherPartitionIn(String target) {
        Registers.multicast(stand.crossing, GROUP, 2);
        Registers.enforcement(stand.crossing.port(1), INBOUND);
        Registers.partitions(stand.crossing.port(1), 0x0005);
        Registers.partitions(stand.ports.get(1), 0xffff, 0x8005, 0x8006);
        stand.send(0, Integer.decode(target), 0, 0x8006);
        assertEquals(0, stand.received(1));
        assertEquals(1, at(0).receiveConstraintErrors);
        // 15 bits count: the port of a limited member lets packets of full members pass, and its own.
        stand.send(0, Integer.decode(target), 0, 0x0005);
        stand.send(0, Integer.decode(target), 0, 0x8005);
        assertEquals(2, stand.received(1));
        assertEquals(1, at(0).receiveConstraintErrors);
    }

    @ParameterizedTest
    @CsvSource({"2", "0xc005"})
    void aPortLetsNoPacketOfAnotherPartitionOut(String target) {
        Registers.multicast(stand.crossing, GROUP, 2);
        Registers.enforcement(stand.crossing.port(2), OUTBOUND);
        Registers.partitions(stand.crossing.port(2), 0x0005);
        Registers.partitions(stand.ports.get(1), 0xffff, 0x8005, 0x8006);
        stand.send(0, Integer.decode(target), 0, 0x8006);
        assertEquals(0, stand.received(1));
        assertEquals(1, at(1).transmitConstraintErrors);
        stand.send(0, Integer.decode(target), 0, 0x8005);
        assertEquals(1, stand.received(1));
    }

    @Test
    void rawPacketsAreFilteredInAndOut() {
        Registers.enforcement(stand.crossing.port(1), RAW_INBOUND);
        Registers.enforcement(stand.crossing.port(2), RAW_OUTBOUND);
        stand.send(0, 3, 0, 0, Lrh.NEXT_RAW, 0);
        assertEquals(0, stand.received(2));
        assertEquals(1, at(0).receiveConstraintErrors);
        stand.send(2, 2, 0, 0, Lrh.NEXT_RAW, 0);
        assertEquals(0, stand.received(1));
        assertEquals(1, at(1).transmitConstraintErrors);
        stand.send(1, 3, 0, 0, Lrh.NEXT_RAW, 0);
        assertEquals(1, stand.received(2));
    }

    @Test
    void anEndNodeTakesAPacketWithAnEqualKeyOfAFullMember() {
        Registers.partitions(stand.ports.get(1), 0x0005);
        stand.send(0, 2, 0, 0x8005);
        assertEquals(1, stand.received(1));
        stand.send(0, 2, 0, 0x0005);
        stand.send(0, 2, 0, 0x8006);
        assertEquals(0, stand.received(1));
        assertEquals(2, Registers.partitionViolations(stand.ports.get(1)));
    }

    @Test
    void aPacketForAnotherGuidIsNotTaken() {
        stand.sendGlobal(0, 2, stand.ports.get(1).guid());
        assertEquals(1, stand.received(1));
        stand.sendGlobal(0, 2, stand.ports.get(2).guid());
        assertEquals(0, stand.received(1));
    }

    @Test
    void aPortThatIsNotActiveSendsNoDataAndCounts() {
        Registers.state(stand.crossing.port(2), PortState.ARMED);
        stand.send(0, 2, 0, RawStand.PKEY);
        assertEquals(0, stand.received(1));
        assertEquals(1, at(1).transmitDiscards);
    }

    @Test
    void anArmedPortTakesDataAndBecomesActive() {
        Registers.state(stand.ports.get(1), PortState.ARMED);
        stand.send(0, 2, 0, RawStand.PKEY);
        assertEquals(1, stand.received(1));
        assertEquals(PortState.ACTIVE, stand.ports.get(1).state());
    }

    @Test
    void aPortInInitTakesNoDataAndCounts() {
        Registers.state(stand.ports.get(1), PortState.INIT);
        stand.send(0, 2, 0, RawStand.PKEY);
        assertEquals(0, stand.received(1));
        assertEquals(1, stand.ports.get(1).counters().receiveErrors);
        assertEquals(PortState.INIT, stand.ports.get(1).state());
    }

    @Test
    void aLifetimeThatManagementHasNotChangedLimitsNothing() {
        assertEquals(Long.MAX_VALUE, stand.crossing.lifeTimeNs());
        Registers.lifeTime(stand.crossing, 0); // what it had
        assertEquals(Long.MAX_VALUE, stand.crossing.lifeTimeNs());
        Registers.lifeTime(stand.crossing, 18);
        assertEquals(4096L << 18, stand.crossing.lifeTimeNs());
        Registers.lifeTime(stand.crossing, 0);
        assertEquals(4096, stand.crossing.lifeTimeNs());
        Registers.lifeTime(stand.crossing, 20);
        assertEquals(Long.MAX_VALUE, stand.crossing.lifeTimeNs());
    }
}
