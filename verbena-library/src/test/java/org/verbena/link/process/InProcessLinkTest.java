package org.verbena.link.process;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;

final class InProcessLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(network.open(), network.open());
    }

    @Override
    protected LinkPair openWithTwoAddresses() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(network.open(LinkPair.twoAddresses(1)), network.open(LinkPair.twoAddresses(2)));
    }

    @Override
    protected boolean lossless() {
        return true;
    }

    @Test
    void everyEndpointIsTakenOnce() {
        InProcessNetwork network = new InProcessNetwork();
        Endpoint place = Endpoint.of("10.0.0.2", 4791);
        Link first = network.open(place);
        assertThrows(LinkException.class, () -> network.open(place));
        assertNotEquals(network.open().local(), network.open().local());
        first.close();
        network.open(place).close();
        assertThrows(LinkException.class, () -> network.open(Endpoint.of("0.0.0.0", 4791)));
        assertThrows(LinkException.class, () -> new InProcessNetwork(100_000));
    }

    @Test
    void aPathFindsALinkThatOpensLaterAndOneThatOpensAgain() {
        InProcessNetwork network = new InProcessNetwork();
        Link left = network.open();
        Endpoint place = Endpoint.of("10.9.9.9", 4791);
        LinkPath path = left.path(place, LinkFlow.of(0));
        assertTrue(LinkPair.send(left, path, new byte[20]));
        assertEquals(1, left.counters().sendDropped());
        for (int life = 1; life <= 2; life++) {
            Link right = network.open(place);
            assertTrue(LinkPair.send(left, path, LinkPair.numbered(life, 20)));
            left.flush();
            List<byte[]> received = new LinkPair(left, right).receive(right, 1);
            assertArrayEquals(LinkPair.numbered(life, 20), received.getFirst());
            right.close();
        }
    }

    /** A receiver does not tell a sender that there is room again: the sender looks. */
    @Test
    void aFullReceiverLimitsTheNextSleepOfItsSender() {
        InProcessNetwork network = new InProcessNetwork(1 << 14);
        Link left = network.open();
        Link right = network.open();
        LinkPath path = left.path(right.local(), LinkFlow.of(0));
        assertEquals(Long.MAX_VALUE, right.sleepMaxNs());
        int packets = 0;
        while (LinkPair.send(left, path, new byte[200])) {
            packets++;
        }
        assertEquals(20_000, left.sleepMaxNs());
        assertEquals(Long.MAX_VALUE, left.sleepMaxNs());
        assertEquals(0, right.sleepMaxNs());
        assertEquals(packets, right.receive(packet -> {}, packets));
        assertEquals(Long.MAX_VALUE, right.sleepMaxNs());
    }

    @Test
    void ipv6EndpointsAreEndpointsToo() {
        InProcessNetwork network = new InProcessNetwork();
        Link left = network.open(Endpoint.of("fd00::1", 4791));
        Link right = network.open(Endpoint.of("fd00::2", 4791));
        assertTrue(LinkPair.send(left, left.path(right.local(), LinkFlow.of(0)), new byte[20]));
        left.flush();
        assertEquals(1, right.receive(packet -> assertTrue(packet.ipv6()), 1));
    }
}
