package org.verbena.link.simulated;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;
import org.verbena.time.VirtualClock;

final class SimulatedLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open() {
        VirtualClock clock = new VirtualClock();
        SimulatedNetwork network = new SimulatedNetwork(clock, SimulatedWire.usual());
        return new LinkPair(network.open(), network.open(), link -> advance(clock, network));
    }

    @Override
    protected LinkPair openWithTwoAddresses() {
        VirtualClock clock = new VirtualClock();
        SimulatedNetwork network = new SimulatedNetwork(clock, SimulatedWire.usual());
        return new LinkPair(
                network.open(LinkPair.twoAddresses(1)),
                network.open(LinkPair.twoAddresses(2)),
                link -> advance(clock, network));
    }

    private static void advance(VirtualClock clock, SimulatedNetwork network) {
        long next = network.nextDeliveryNs();
        if (next == Long.MAX_VALUE || next <= clock.nowNs()) {
            clock.advance(1_000_000);
        } else {
            clock.advanceTo(next);
        }
    }

    @Override
    protected boolean lossless() {
        return true;
    }

    @Test
    void aPacketTakesAsLongAsTheWireSays() {
        VirtualClock clock = new VirtualClock();
        // A byte takes a nanosecond, and 66 go along with each packet.
        SimulatedNetwork network = new SimulatedNetwork(clock, new SimulatedWire(1_000, 1_000_000_000, 16));
        Link left = network.open();
        Link right = network.open();
        LinkPath path = left.path(right.local(), LinkFlow.of(0));
        assertEquals(Long.MAX_VALUE, network.nextDeliveryNs());
        assertTrue(LinkPair.send(left, path, new byte[34]));
        assertTrue(LinkPair.send(left, path, new byte[134]));
        assertEquals(1_100, network.nextDeliveryNs());
        clock.advanceTo(1_099);
        assertEquals(0, right.receive(packet -> {}, 10));
        clock.advanceTo(1_100);
        assertEquals(1, right.receive(packet -> {}, 10));
        assertEquals(1_300, network.nextDeliveryNs());
        clock.advanceTo(1_300);
        assertEquals(1, right.receive(packet -> {}, 10));
    }

    @Test
    void aReceiverThatIsFloodedLosesTheLastPackets() {
        VirtualClock clock = new VirtualClock();
        SimulatedNetwork network = new SimulatedNetwork(clock, new SimulatedWire(0, 1_000_000_000, 4));
        Link right = network.open();
        for (int sender = 0; sender < 2; sender++) {
            Link left = network.open();
            for (int i = 0; i < 4; i++) {
                assertTrue(LinkPair.send(left, left.path(right.local(), LinkFlow.of(0)), new byte[100]));
            }
        }
        clock.advance(1_000_000);
        assertEquals(4, right.receive(packet -> {}, 100));
        assertEquals(4, right.counters().receiveDropped());
    }

    @Test
    void wiresThatCannotBeAreRefused() {
        assertThrows(LinkException.class, () -> new SimulatedWire(-1, 1, 1));
        assertThrows(LinkException.class, () -> new SimulatedWire(0, 0, 1));
        assertThrows(LinkException.class, () -> new SimulatedWire(0, 1, 0));
    }
}
