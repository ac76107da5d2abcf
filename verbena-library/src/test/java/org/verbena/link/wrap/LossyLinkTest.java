package org.verbena.link.wrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.contract.LinkContractTest;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.time.Seed;

/** The contract holds with no faults; and each fault does what it says. */
final class LossyLinkTest extends LinkContractTest {
    private static final int COUNT = 4_000;

    @Override
    protected LinkPair open() {
        return lossy(1, LinkFaults.NONE, LinkFaults.NONE);
    }

    @Override
    protected LinkPair openWithTwoAddresses() {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(
                new LossyLink(network.open(LinkPair.twoAddresses(1)), new Seed(1), LinkFaults.NONE, LinkFaults.NONE),
                new LossyLink(network.open(LinkPair.twoAddresses(2)), new Seed(2), LinkFaults.NONE, LinkFaults.NONE));
    }

    @Override
    protected boolean lossless() {
        return true;
    }

    private static LinkPair lossy(long seed, LinkFaults outbound, LinkFaults inbound) {
        InProcessNetwork network = new InProcessNetwork();
        return new LinkPair(
                new LossyLink(network.open(), new Seed(seed), outbound, LinkFaults.NONE),
                new LossyLink(network.open(), new Seed(seed), LinkFaults.NONE, inbound));
    }

    /** Sends numbered packets from left to right, a few at a time; what arrives, in order, null for damaged packets. */
    private static List<Integer> exchange(LinkPair pair) {
        List<Integer> numbers = new ArrayList<>();
        LinkPath path = pair.left().path(pair.right().local(), LinkFlow.of(0));
        for (int i = 0; i < COUNT; i++) {
            assertTrue(LinkPair.send(pair.left(), path, LinkPair.numbered(i, 40 + i % 100)));
            if (i % 8 == 7) {
                pair.left().flush();
                receive(pair.right(), numbers);
            }
        }
        for (int i = 0; i < 50; i++) {
            pair.left().flush();
            receive(pair.right(), numbers);
        }
        return numbers;
    }

    private static void receive(Link link, List<Integer> numbers) {
        int delivered = link.receive(packet -> numbers.add(LinkPair.numberOf(LinkPair.bytesOf(packet))), 5);
        assertTrue(delivered <= 5);
        link.receive(packet -> numbers.add(LinkPair.numberOf(LinkPair.bytesOf(packet))), 64);
    }

    @Test
    void heldPacketsAllowNoSleep() {
        LinkFaults delays = new LinkFaults(0, 0, 1, 0);
        try (LinkPair pair = lossy(7, delays, delays)) {
            LinkPath path = pair.left().path(pair.right().local(), LinkFlow.of(0));
            assertEquals(Long.MAX_VALUE, pair.left().sleepMaxNs());
            assertTrue(LinkPair.send(pair.left(), path, LinkPair.numbered(1, 40)));
            assertEquals(0, pair.left().sleepMaxNs());
            pair.left().flush();
            pair.left().flush();
            assertEquals(Long.MAX_VALUE, pair.left().sleepMaxNs());

            assertEquals(0, pair.right().receive(packet -> {}, 1));
            assertEquals(0, pair.right().sleepMaxNs());
            assertEquals(1, pair.right().receive(packet -> {}, 1));
            assertEquals(Long.MAX_VALUE, pair.right().sleepMaxNs());
        }
    }

    private static LossyLink faulty(LinkPair pair, boolean outbound) {
        return (LossyLink) (outbound ? pair.left() : pair.right());
    }

    private static LinkPair faultsOn(boolean outbound, LinkFaults faults) {
        return outbound ? lossy(7, faults, LinkFaults.NONE) : lossy(7, LinkFaults.NONE, faults);
    }

    @Test
    void droppedPacketsAreMissingAndNoOthers() {
        for (boolean outbound : new boolean[] {true, false}) {
            LinkPair pair = faultsOn(outbound, LinkFaults.loss(0.1));
            List<Integer> numbers = exchange(pair);
            long dropped = faulty(pair, outbound).dropped();
            assertTrue(dropped > COUNT / 20 && dropped < COUNT / 5, dropped + " dropped");
            assertEquals(COUNT - dropped, numbers.size());
            assertEquals(numbers.stream().sorted().toList(), numbers);
        }
    }

    @Test
    void duplicatedPacketsComeTwice() {
        for (boolean outbound : new boolean[] {true, false}) {
            LinkPair pair = faultsOn(outbound, new LinkFaults(0, 0.1, 0, 0));
            List<Integer> numbers = exchange(pair);
            long duplicated = faulty(pair, outbound).duplicated();
            assertTrue(duplicated > COUNT / 20);
            assertEquals(COUNT + duplicated, numbers.size());
            assertEquals(COUNT, new HashSet<>(numbers).size());
        }
    }

    @Test
    void reorderedPacketsComeOnceAndLater() {
        for (boolean outbound : new boolean[] {true, false}) {
            LinkPair pair = faultsOn(outbound, new LinkFaults(0, 0, 0.1, 0));
            List<Integer> numbers = exchange(pair);
            assertTrue(faulty(pair, outbound).reordered() > COUNT / 20);
            assertEquals(COUNT, numbers.size());
            assertEquals(COUNT, new HashSet<>(numbers).size());
            assertNotEquals(numbers.stream().sorted().toList(), numbers);
        }
    }

    @Test
    void corruptedPacketsAreDifferentAndCounted() {
        for (boolean outbound : new boolean[] {true, false}) {
            LinkPair pair = faultsOn(outbound, new LinkFaults(0, 0, 0, 0.1));
            List<Integer> numbers = exchange(pair);
            assertEquals(COUNT, numbers.size());
            long damaged = numbers.stream().filter(number -> number == null).count();
            assertTrue(damaged > COUNT / 20);
            assertEquals(faulty(pair, outbound).corrupted(), damaged);
        }
    }

    @Test
    void theSameSeedGivesTheSameFaults() {
        LinkFaults faults = LinkFaults.all(0.05);
        List<Integer> first = exchange(lossy(42, faults, faults));
        assertEquals(first, exchange(lossy(42, faults, faults)));
        assertNotEquals(first, exchange(lossy(43, faults, faults)));
    }

    @Test
    void ratesBeyondOneAreRefused() {
        assertThrows(LinkException.class, () -> LinkFaults.loss(1.5));
        assertThrows(LinkException.class, () -> LinkFaults.all(Double.NaN));
    }
}
