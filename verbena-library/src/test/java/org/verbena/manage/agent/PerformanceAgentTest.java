package org.verbena.manage.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.verbena.wire.mad.Mad;
import org.verbena.wire.subnet.ClassPortInfo;
import org.verbena.wire.subnet.CounterBlock;
import org.verbena.wire.subnet.ExtendedCounterBlock;
import org.verbena.wire.subnet.Field;
import org.verbena.wire.subnet.Smp;

final class PerformanceAgentTest {
    private static final int AT = CounterBlock.DATA;

    private final TwoSwitches net = new TwoSwitches(Conduct.STANDARD);
    private final MemorySegment mad = MemorySegment.ofArray(new byte[Mad.LENGTH]);

    @Test
    void countersAreShownInTheirFields() {
        PortCounters counters = net.host(1).port(1).counters();
        counters.symbolErrors = 1;
        counters.linkErrorRecoveries = 2;
        counters.linkDowned = 3;
        counters.receiveErrors = 4;
        counters.receiveRemotePhysicalErrors = 5;
        counters.receiveSwitchRelayErrors = 6;
        counters.transmitDiscards = 7;
        counters.transmitConstraintErrors = 8;
        counters.receiveConstraintErrors = 9;
        counters.localLinkIntegrityErrors = 10;
        counters.excessiveBufferOverruns = 11;
        counters.lane15Dropped = 12;
        counters.transmittedWords = 13;
        counters.receivedWords = 14;
        counters.transmittedPackets = 15;
        counters.receivedPackets = 16;
        counters.transmitWait = 17;
        assertEquals(Smp.STATUS_GOOD, get(net.host(1), 1, CounterBlock.ATTRIBUTE, 1));
        Field[] fields = {
            CounterBlock.SYMBOL_ERRORS,
            CounterBlock.LINK_ERROR_RECOVERIES,
            CounterBlock.LINK_DOWNED,
            CounterBlock.RECEIVE_ERRORS,
            CounterBlock.RECEIVE_REMOTE_PHYSICAL_ERRORS,
            CounterBlock.RECEIVE_SWITCH_RELAY_ERRORS,
            CounterBlock.TRANSMIT_DISCARDS,
            CounterBlock.TRANSMIT_CONSTRAINT_ERRORS,
            CounterBlock.RECEIVE_CONSTRAINT_ERRORS,
            CounterBlock.LOCAL_LINK_INTEGRITY_ERRORS,
            CounterBlock.EXCESSIVE_BUFFER_OVERRUNS,
            CounterBlock.LANE_15_DROPPED,
            CounterBlock.TRANSMITTED_WORDS,
            CounterBlock.RECEIVED_WORDS,
            CounterBlock.TRANSMITTED_PACKETS,
            CounterBlock.RECEIVED_PACKETS,
            CounterBlock.TRANSMIT_WAIT,
        };
        for (int index = 0; index < fields.length; index++) {
            assertEquals(index + 1, fields[index].read(mad, AT));
        }
    }

    @Test
    void aCounterStaysAtTheHighestValueOfItsField() {
        PortCounters counters = net.host(1).port(1).counters();
        counters.symbolErrors = 0x1_0000;
        counters.linkDowned = 1000;
        counters.localLinkIntegrityErrors = 16;
        counters.transmittedWords = 0x1_0000_0000L;
        get(net.host(1), 1, CounterBlock.ATTRIBUTE, 1);
        assertEquals(0xffff, CounterBlock.SYMBOL_ERRORS.read(mad, AT));
        assertEquals(0xff, CounterBlock.LINK_DOWNED.read(mad, AT));
        assertEquals(0xf, CounterBlock.LOCAL_LINK_INTEGRITY_ERRORS.read(mad, AT));
        assertEquals(0, CounterBlock.EXCESSIVE_BUFFER_OVERRUNS.read(mad, AT));
        assertEquals(-1, CounterBlock.TRANSMITTED_WORDS.read(mad, AT));
        get(net.host(1), 1, ExtendedCounterBlock.ATTRIBUTE, 1);
        assertEquals(0x1_0000_0000L, ExtendedCounterBlock.TRANSMITTED_WORDS.read(mad, AT));
    }

    @Test
    void allPortsAreTheSaturatedSum() {
        for (int port = 0; port <= 8; port++) {
            net.sw1.port(port).counters().receivedPackets = 0x2000_0000L;
            net.sw1.port(port).counters().linkDowned = port;
            net.sw1.port(port).counters().receivedMulticasts = 1;
        }
        assertEquals(Smp.STATUS_GOOD, get(net.sw1, 1, CounterBlock.ATTRIBUTE, CounterBlock.ALL_PORTS));
        assertEquals(-1, CounterBlock.RECEIVED_PACKETS.read(mad, AT));
        assertEquals(36, CounterBlock.LINK_DOWNED.read(mad, AT));
        assertEquals(CounterBlock.ALL_PORTS, CounterBlock.PORT_SELECT.read(mad, AT));
        get(net.sw1, 1, ExtendedCounterBlock.ATTRIBUTE, CounterBlock.ALL_PORTS);
        assertEquals(9 * 0x2000_0000L, ExtendedCounterBlock.RECEIVED_PACKETS.read(mad, AT));
        assertEquals(9, ExtendedCounterBlock.RECEIVED_MULTICASTS.read(mad, AT));
        assertEquals(9 * 0x2000_0000L - 9, ExtendedCounterBlock.RECEIVED_UNICASTS.read(mad, AT));
    }

    @Test
    void aResetClearsTheChosenCountersOfItsAttributeOnly() {
        PortCounters counters = net.sw1.port(2).counters();
        counters.transmittedPackets = 10;
        counters.receivedPackets = 20;
        counters.transmitWait = 30;
        request(Smp.METHOD_SET, CounterBlock.ATTRIBUTE, 2);
        CounterBlock.COUNTER_SELECT.write(mad, AT, 1 << 14);
        assertEquals(Smp.STATUS_GOOD, send(net.sw1, 1));
        assertEquals(0, CounterBlock.TRANSMITTED_PACKETS.read(mad, AT));
        assertEquals(20, CounterBlock.RECEIVED_PACKETS.read(mad, AT));
        assertEquals(30, CounterBlock.TRANSMIT_WAIT.read(mad, AT));
        counters.transmittedPackets += 5;
        get(net.sw1, 1, CounterBlock.ATTRIBUTE, 2);
        assertEquals(5, CounterBlock.TRANSMITTED_PACKETS.read(mad, AT));
        get(net.sw1, 1, ExtendedCounterBlock.ATTRIBUTE, 2);
        assertEquals(15, ExtendedCounterBlock.TRANSMITTED_PACKETS.read(mad, AT));
        request(Smp.METHOD_SET, ExtendedCounterBlock.ATTRIBUTE, 2);
        ExtendedCounterBlock.COUNTER_SELECT.write(mad, AT, 0b1100);
        send(net.sw1, 1);
        assertEquals(0, ExtendedCounterBlock.TRANSMITTED_PACKETS.read(mad, AT));
        assertEquals(0, ExtendedCounterBlock.RECEIVED_PACKETS.read(mad, AT));
        assertEquals(15, ExtendedCounterBlock.TRANSMITTED_UNICASTS.read(mad, AT));
        get(net.sw1, 1, CounterBlock.ATTRIBUTE, 2);
        assertEquals(5, CounterBlock.TRANSMITTED_PACKETS.read(mad, AT));
        assertEquals(15, counters.transmittedPackets, "the data path's counters go on");
    }

    @Test
    void theCounterOfWaitingHasASelectOfItsOwn() {
        PortCounters counters = net.sw1.port(2).counters();
        counters.transmitWait = 30;
        request(Smp.METHOD_SET, CounterBlock.ATTRIBUTE, 2);
        CounterBlock.COUNTER_SELECT.write(mad, AT, 0xffff);
        send(net.sw1, 1);
        assertEquals(30, CounterBlock.TRANSMIT_WAIT.read(mad, AT));
        request(Smp.METHOD_SET, CounterBlock.ATTRIBUTE, 2);
        CounterBlock.COUNTER_SELECT_2.write(mad, AT, 1);
        send(net.sw1, 1);
        assertEquals(0, CounterBlock.TRANSMIT_WAIT.read(mad, AT));
    }

    @Test
    void portsThatAreNotThereAreRefused() {
        assertEquals(Smp.STATUS_BAD_VALUE, get(net.sw1, 1, CounterBlock.ATTRIBUTE, 9));
        assertEquals(Smp.STATUS_BAD_VALUE, get(net.host(1), 1, CounterBlock.ATTRIBUTE, 2));
        assertEquals(Smp.STATUS_BAD_VALUE, get(net.host(1), 1, CounterBlock.ATTRIBUTE, 0));
        assertEquals(Smp.STATUS_BAD_VALUE, get(net.host(1), 1, CounterBlock.ATTRIBUTE, CounterBlock.ALL_PORTS));
        assertEquals(Smp.STATUS_BAD_VALUE, get(net.host(1), 1, ExtendedCounterBlock.ATTRIBUTE, 2));
    }

    @Test
    void otherAttributesMethodsAndVersionsHaveTheirStatus() {
        assertEquals(Smp.STATUS_BAD_ATTRIBUTE, get(net.sw1, 1, 0x15, 1));
        request(Smp.METHOD_SET, ClassPortInfo.ATTRIBUTE, 0);
        assertEquals(Smp.STATUS_BAD_ATTRIBUTE, send(net.sw1, 1));
        request(3, CounterBlock.ATTRIBUTE, 1);
        assertEquals(Smp.STATUS_BAD_METHOD, send(net.sw1, 1));
        assertEquals(0x83, Smp.METHOD.read(mad, 0));
        request(Smp.METHOD_GET, CounterBlock.ATTRIBUTE, 1);
        Smp.CLASS_VERSION.write(mad, 0, 2);
        assertEquals(Smp.STATUS_BAD_VERSION, send(net.sw1, 1));
        Smp.MANAGEMENT_CLASS.write(mad, 0, 3);
        assertEquals(MadOutcome.NOT_MINE, PerformanceAgent.handle(net.sw1, 1, mad));
        request(Smp.METHOD_RESPONSE, CounterBlock.ATTRIBUTE, 1);
        assertEquals(MadOutcome.NOT_MINE, PerformanceAgent.handle(net.sw1, 1, mad));
    }

    private int get(ManagedNode node, int arrival, int attribute, int port) {
        request(Smp.METHOD_GET, attribute, port);
        return send(node, arrival);
    }

    private void request(int method, int attribute, int port) {
        Smp.request(mad, 0, CounterBlock.CLASS, method, 1, attribute, 0);
        CounterBlock.PORT_SELECT.write(mad, AT, port);
    }

    private int send(ManagedNode node, int arrival) {
        assertEquals(MadOutcome.ANSWERED, PerformanceAgent.handle(node, arrival, mad));
        return Smp.STATUS.read(mad, 0);
    }
}
