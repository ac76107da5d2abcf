package org.verbena.link.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.verbena.link.Address;
import org.verbena.link.Endpoint;
import org.verbena.link.Framing;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.PacketHandler;
import org.verbena.link.sleep.RunnerSleeper;

/** What every link keeps to. A subclass per kind of link says how to open two that reach each other over a quiet network. */
@Timeout(60)
public abstract class LinkContractTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private LinkPair pair;
    private Link left;
    private Link right;
    private LinkPath toRight;
    private LinkPath toLeft;

    protected abstract LinkPair open();

    /** Whether a receiver that does not keep up holds senders back, in place of losing packets. */
    protected boolean lossless() {
        return false;
    }

    /** Whether the link may allocate per packet. */
    protected boolean allocates() {
        return false;
    }

    /** Whether packets tell traffic class and hop limit when they arrive. */
    protected boolean seesMarks() {
        return true;
    }

    /** The headers around packets. */
    protected Framing framing() {
        return Framing.ROCE_V2;
    }

    /** Two links, each with an IPv4 and an IPv6 address; null if that cannot be here. */
    protected abstract @Nullable LinkPair openWithTwoAddresses();

    @BeforeEach
    void openBoth() {
        pair = open();
        left = pair.left();
        right = pair.right();
        toRight = left.path(right.local(), LinkFlow.of(1));
        toLeft = right.path(left.local(), LinkFlow.of(1));
    }

    @AfterEach
    void closeBoth() {
        pair.close();
    }

    @Test
    void everyLengthArrivesUnharmed() {
        int max = left.packetMax();
        for (int length : new int[] {1, 20, 21, 63, 64, 65, 255, 256, 1023, 1024, 1040, max - 1, max}) {
            byte[] bytes = LinkPair.numbered(length, length);
            assertTrue(LinkPair.send(left, toRight, bytes));
            assertEquals(1, left.flush());
            List<byte[]> received = pair.receive(right, 1);
            assertEquals(1, received.size(), "packets of length " + length);
            assertArrayEquals(bytes, received.getFirst());
        }
    }

    @Test
    void orderIsKeptOnAQuietPathWhateverTheLengths() {
        int count = 300;
        for (int i = 0; i < count; i++) {
            assertTrue(LinkPair.send(left, toRight, LinkPair.numbered(i, 20 + i * 37 % 1000)));
        }
        left.flush();
        List<byte[]> received = pair.receive(right, count);
        assertEquals(count, received.size());
        for (int i = 0; i < count; i++) {
            assertArrayEquals(LinkPair.numbered(i, 20 + i * 37 % 1000), received.get(i), "packet " + i);
        }
    }

    @Test
    void packetsTellWhereTheyComeFromAndGoTo() {
        Packet claimed = claim(20);
        assertFlow(claimed, toRight);
        left.commit(claimed);
        left.flush();
        assertTrue(pair.receiveOne(right, packet -> assertFlow(packet, toRight)));

        assertTrue(LinkPair.send(right, toLeft, new byte[20]));
        right.flush();
        assertTrue(pair.receiveOne(left, packet -> assertFlow(packet, toLeft)));
        assertEquals(right.local(), toRight.remote());
        assertEquals(at(left).address(), Endpoint.of(toRight.source()).address());
        assertEquals(LinkFlow.of(1), toRight.flow());
    }

    private Packet claim(int length) {
        Packet packet = left.claim(toRight, length);
        assertNotNull(packet);
        return packet;
    }

    private static Endpoint at(Link link) {
        return Endpoint.of(link.local());
    }

    private static void assertFlow(Packet packet, LinkPath path) {
        Endpoint target = Endpoint.of(path.remote());
        assertEquals(path.source(), Endpoint.of(packet.sourceHigh(), packet.sourceLow(), packet.sourcePort()));
        assertEquals(target, Endpoint.of(packet.targetHigh(), packet.targetLow(), packet.targetPort()));
        assertEquals(target.ipv6(), packet.ipv6());
    }

    @Test
    void addressesOfAnotherKindAreRefused() {
        record Fabric(long high, long low, int port) implements Address {}
        Address other = new Fabric(at(right).high(), at(right).low(), at(right).port());
        assertThrows(LinkException.class, () -> left.path(other, LinkFlow.of(1)));
        assertThrows(
                LinkException.class, () -> left.path(at(right), LinkFlow.of(1).withSource(other)));
        assertThrows(LinkException.class, () -> left.join(other));
        assertEquals(framing(), left.framing());
    }

    @Test
    void flowsAreSpreadOverSourcePortsThatReceiversSee() {
        Assumptions.assumeTrue(framing() == Framing.ROCE_V2, "no ports");
        Set<Integer> ports = new HashSet<>();
        for (int entropy = 0; entropy < 40; entropy++) {
            LinkPath path = left.path(right.local(), LinkFlow.of(entropy));
            int port = path.source().port();
            assertTrue(port >= 0xc000 && port <= 0xffff, "source port " + port);
            assertEquals(
                    port,
                    left.path(right.local(), LinkFlow.of(entropy)).source().port());
            ports.add(port);
            assertTrue(LinkPair.send(left, path, LinkPair.numbered(entropy, 40)));
            left.flush();
            assertTrue(pair.receiveOne(right, packet -> assertFlow(packet, path)));
        }
        assertTrue(ports.size() > 8, ports.size() + " source ports for 40 flows");
    }

    @Test
    void everyFlowKeepsItsOrder() {
        List<LinkPath> paths = new ArrayList<>();
        for (int entropy = 0; entropy < 8; entropy++) {
            paths.add(left.path(right.local(), LinkFlow.of(entropy).withTrafficClass(entropy % 2 * 0x68)));
        }
        int each = 40;
        for (int i = 0; i < each; i++) {
            for (LinkPath path : paths) {
                assertTrue(LinkPair.send(left, path, LinkPair.numbered(i * 8 + paths.indexOf(path), 200)));
            }
        }
        assertEquals(each * 8, left.flush());
        int[] next = new int[8];
        for (byte[] bytes : pair.receive(right, each * 8)) {
            Integer number = LinkPair.numberOf(bytes);
            assertNotNull(number);
            assertEquals(next[number % 8]++, number / 8, "flow " + number % 8);
        }
        assertEquals(each * 8, IntStream.of(next).sum());
    }

    @Test
    void trafficClassAndHopLimitTravelWithThePacket() {
        // Alternating: what one packet had must not stick to the next.
        for (int round = 0; round < 3; round++) {
            for (LinkFlow flow :
                    List.of(new LinkFlow(7, 0xbb, 9), LinkFlow.of(7), new LinkFlow(7, 0, 255), new LinkFlow(8, 1, 1))) {
                LinkPath path = left.path(right.local(), flow);
                Packet claimed = left.claim(path, 20);
                assertNotNull(claimed);
                assertEquals(flow.trafficClass(), claimed.trafficClass());
                assertEquals(flow.hopLimit(), claimed.hopLimit());
                left.commit(claimed);
                left.flush();
                assertTrue(pair.receiveOne(right, packet -> {
                    assertEquals(seesMarks() ? flow.trafficClass() : 0, packet.trafficClass());
                    assertEquals(seesMarks() ? flow.hopLimit() : 64, packet.hopLimit());
                }));
            }
        }
        assertThrows(LinkException.class, () -> new LinkFlow(0, 256, 64));
        assertThrows(LinkException.class, () -> new LinkFlow(0, 0, 0));
        assertThrows(LinkException.class, () -> LinkFlow.of(0).withServiceLevel(16));
    }

    /** A group of this test alone, though others run on the same machine. */
    private Endpoint group() {
        int port = left.local().port();
        String ipv4 = "239.255.%d.%d".formatted(port >>> 8, port & 0xff);
        return Endpoint.of(at(left).ipv6() ? "ff05::%x".formatted(port) : ipv4, port);
    }

    private LinkPath toGroup(Endpoint group) {
        // Linux has no route for IPv6 multicast over the loopback interface.
        boolean carried = !at(left).address().isLoopbackAddress() || !at(left).ipv6();
        Assumptions.assumeTrue(carried, "no way for multicast from " + left.local());
        return left.path(group, LinkFlow.of(5).withHopLimit(3));
    }

    @Test
    void groupsReachAllMembersAndNobodyElse() {
        Endpoint group = group();
        LinkPath path = toGroup(group);
        right.join(group);
        right.join(group);
        sendTo(path, 1);
        assertEquals(1, receivedFrom(right, path));
        assertEquals(0, left.receive(packet -> {}, 10));

        left.join(group);
        sendTo(path, 3);
        assertEquals(3, receivedFrom(right, path));
        assertEquals(3, receivedFrom(left, path));

        right.leave(group);
        right.leave(group);
        sendTo(path, 1);
        assertEquals(1, receivedFrom(left, path));
        assertEquals(0, right.receive(packet -> {}, 10));
        assertTrue(LinkPair.send(left, toRight, LinkPair.numbered(4, 40)));
        left.flush();
        assertArrayEquals(LinkPair.numbered(4, 40), pair.receive(right, 1).getFirst());
    }

    private void sendTo(LinkPath path, int count) {
        for (int i = 0; i < count; i++) {
            assertTrue(LinkPair.send(left, path, LinkPair.numbered(i, 100)));
        }
        assertEquals(count, left.flush());
    }

    /** Packets of a path that arrive before nothing more does. */
    private int receivedFrom(Link link, LinkPath path) {
        int count = 0;
        while (pair.receiveSoon(link, packet -> {
            assertFlow(packet, path);
            assertEquals(seesMarks() || framing() == Framing.INFINIBAND ? 3 : 64, packet.hopLimit());
        })) {
            count++;
        }
        return count;
    }

    @Test
    void groupsThatCannotBeAreRefused() {
        assertThrows(LinkException.class, () -> left.join(right.local()));
        assertThrows(LinkException.class, () -> left.join(group().withPort(0)));
        assertThrows(LinkException.class, () -> left.join(Endpoint.of(at(left).ipv6() ? "239.1.1.1" : "ff05::1", 9)));
        left.leave(group());
    }

    @Test
    void aLinkMayHaveAnAddressOfEachFamily() {
        LinkPair both = openWithTwoAddresses();
        Assumptions.assumeTrue(both != null, "no address of each family here");
        try (both) {
            assertEquals(2, both.left().locals().size());
            assertEquals(both.left().locals().getFirst(), both.left().local());
            for (int round = 0; round < 3; round++) {
                for (Address local : both.right().locals()) {
                    Endpoint remote = Endpoint.of(local);
                    LinkPath path = both.left().path(remote, LinkFlow.of(round));
                    assertEquals(remote.ipv6(), Endpoint.of(path.source()).ipv6());
                    assertTrue(LinkPair.send(both.left(), path, LinkPair.numbered(round, 50)));
                    both.left().flush();
                    for (int i = 0; i < 1000 && !both.await(both.right(), 10_000_000); i++) {
                        both.quiet().pass(both.right());
                    }
                    assertTrue(both.receiveOne(both.right(), packet -> assertFlow(packet, path)));
                }
            }
        }
    }

    @Test
    void rawPacketsAreCarriedOrRefused() {
        if (!left.carriesRaw()) {
            assertThrows(LinkException.class, () -> left.claimRaw(toRight, 20));
            return;
        }
        for (boolean raw : new boolean[] {true, false, true}) {
            Packet packet = raw ? left.claimRaw(toRight, 33) : left.claim(toRight, 33);
            assertNotNull(packet);
            assertEquals(raw, packet.raw());
            left.commit(packet);
            left.flush();
            assertTrue(pair.receiveOne(right, arrived -> assertEquals(raw, arrived.raw())));
        }
    }

    @Test
    void segmentAndBufferAreTheSameDirectMemory() {
        Packet packet = claim(32);
        packet.segment().set(ValueLayout.JAVA_BYTE, packet.offset() + 5, (byte) 77);
        assertEquals(77, packet.bytes().get(packet.offset() + 5));
        assertTrue(packet.bytes().isDirect());
        assertTrue(packet.segment().isNative());
        left.abandon(packet);
    }

    @Test
    void abandonedPacketsNeverArrive() {
        for (int i = 0; i < 40; i++) {
            left.abandon(claim(100));
            assertTrue(LinkPair.send(left, toRight, LinkPair.numbered(i, 50)));
        }
        assertEquals(40, left.flush());
        List<byte[]> received = pair.receive(right, 40);
        assertEquals(40, received.size());
        for (int i = 0; i < 40; i++) {
            assertArrayEquals(LinkPair.numbered(i, 50), received.get(i));
        }
        assertEquals(0, right.receive(packet -> {}, 10));
    }

    @Test
    void nothingArrivesOutOfNothing() {
        assertEquals(0, left.flush());
        assertEquals(0, right.receive(packet -> {}, 10));
        assertEquals(0, right.counters().received());
    }

    @Test
    void limitIsKeptAndTheRestComesLater() {
        for (int i = 0; i < 30; i++) {
            assertTrue(LinkPair.send(left, toRight, LinkPair.numbered(i, 64)));
        }
        left.flush();
        int seen = 0;
        for (int round = 0; round < 1000 && seen < 30; round++) {
            int delivered = right.receive(packet -> {}, 7);
            assertTrue(delivered <= 7);
            seen += delivered;
            if (delivered == 0) {
                pair.quiet().pass(right);
            }
        }
        assertEquals(30, seen);
    }

    @Test
    void batchesLargerThanTheBuffersArriveWhole() {
        int total = 3_000;
        int length = left.packetMax();
        int next = 0;
        int seen = 0;
        for (int rounds = 0; seen < total && rounds < 100_000; rounds++) {
            int burst = Math.min(total, seen + 100);
            while (next < burst && LinkPair.send(left, toRight, LinkPair.numbered(next, length))) {
                next++;
            }
            left.flush();
            for (byte[] bytes : pair.receive(right, next - seen)) {
                assertEquals(seen, LinkPair.numberOf(bytes));
                seen++;
            }
        }
        assertEquals(total, seen);
    }

    @Test
    void noPacketThatWasAcceptedIsLostUnderBackPressure() {
        byte[] bytes = new byte[left.packetMax()];
        int accepted = 0;
        while (accepted < 20_000 && LinkPair.send(left, toRight, bytes)) {
            accepted++;
            left.flush();
        }
        if (lossless()) {
            assertTrue(accepted < 20_000, "a bounded link holds its sender back");
            assertTrue(left.counters().refused() > 0);
            assertEquals(accepted, pair.receive(right, accepted).size());
            assertTrue(LinkPair.send(left, toRight, bytes), "room again");
        }
        assertTrue(right.counters().received() <= accepted);
    }

    @Test
    void bothWaysAtOnceInTheHandler() {
        assertTrue(LinkPair.send(left, toRight, LinkPair.numbered(1, 200)));
        left.flush();
        assertTrue(pair.receiveOne(right, packet -> {
            assertTrue(LinkPair.send(right, toLeft, LinkPair.numbered(2, 300)));
            right.flush();
        }));
        assertArrayEquals(LinkPair.numbered(2, 300), pair.receive(left, 1).getFirst());
    }

    @Test
    void aLinkReachesItself() {
        LinkPath toSelf = left.path(left.local(), LinkFlow.of(3));
        assertTrue(LinkPair.send(left, toSelf, LinkPair.numbered(9, 90)));
        left.flush();
        assertArrayEquals(LinkPair.numbered(9, 90), pair.receive(left, 1).getFirst());
    }

    @Test
    void sendingToNobodyHarmsNobody() {
        LinkPath toNobody = left.path(at(right).withPort(right.local().port() == 9 ? 10 : 9), LinkFlow.of(1));
        assertTrue(LinkPair.send(left, toNobody, new byte[40]));
        left.flush();
        assertTrue(LinkPair.send(left, toRight, LinkPair.numbered(3, 40)));
        left.flush();
        assertArrayEquals(LinkPair.numbered(3, 40), pair.receive(right, 1).getFirst());
    }

    @Test
    void awaitEndsWhenAPacketArrives() {
        assertTrue(LinkPair.send(left, toRight, new byte[40]));
        left.flush();
        for (int i = 0; i < 1000 && !pair.await(right, 10_000_000); i++) {
            pair.quiet().pass(right);
        }
        assertTrue(pair.receiveOne(right, packet -> {}));
    }

    @Test
    void awaitEndsWithItsTime() {
        int ended = 0;
        for (int i = 0; i < 10; i++) {
            ended += pair.await(right, 200_000) ? 0 : 1;
        }
        assertTrue(ended > 0, "time was over at least once");
        pair.await(right, 0);
    }

    /** The sleeper that the right link was attached to. */
    private RunnerSleeper sleeper() {
        RunnerSleeper sleeper = pair.sleeper(right);
        Assumptions.assumeTrue(sleeper != null, "virtual time: nothing sleeps");
        return sleeper;
    }

    @Test
    void wakeupBeforeASleepLetsItReturnAtOnce() {
        sleeper().wakeup();
        assertTrue(sleeper().sleep(Long.MAX_VALUE));
    }

    @Test
    void wakeupFromAnotherThreadEndsASleep() throws InterruptedException {
        RunnerSleeper sleeper = sleeper();
        for (int round = 0; round < 50; round++) {
            CountDownLatch started = new CountDownLatch(1);
            Thread waker = Thread.ofPlatform().start(() -> {
                started.countDown();
                sleeper.wakeup();
            });
            started.await();
            LinkPair.sleepUntilWoken(sleeper);
            waker.join();
        }
    }

    @Test
    void everyPacketEndsASleepHoweverItMeetsIt() throws InterruptedException {
        RunnerSleeper sleeper = sleeper();
        int packets = 300;
        Semaphore next = new Semaphore(1);
        Thread sender = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < packets; i++) {
                next.acquireUninterruptibly();
                LinkPair.send(left, toRight, LinkPair.numbered(i, 64));
                left.flush();
            }
        });
        for (int received = 0; received < packets; ) {
            int now = right.receive(packet -> {}, 10);
            received += now;
            next.release(now);
            if (now == 0) {
                // A wake-up that was missed would be slept through for an hour.
                sleeper.sleep(3_600_000_000_000L);
            }
        }
        sender.join();
    }

    @Test
    void countersTellPacketsAndBytes() {
        assertTrue(LinkPair.send(left, toRight, new byte[40]));
        assertTrue(LinkPair.send(left, toRight, new byte[60]));
        left.flush();
        assertEquals(2, pair.receive(right, 2).size());
        assertEquals(2, left.counters().sent());
        assertEquals(100, left.counters().sentBytes());
        assertEquals(2, right.counters().received());
        assertEquals(100, right.counters().receivedBytes());
        assertFalse(left.counters().toString().isEmpty());
        assertFalse(left.name().isEmpty());
    }

    @Test
    void misuseIsRefusedAndSaysWhy() {
        int max = left.packetMax();
        assertThrows(IllegalArgumentException.class, () -> left.claim(toRight, 0));
        assertThrows(IllegalArgumentException.class, () -> left.claim(toRight, max + 1));
        String message = assertThrows(IllegalArgumentException.class, () -> left.claim(toLeft, 20))
                .getMessage();
        assertNotNull(message);
        assertTrue(message.contains("another link"), message);
        Packet packet = claim(20);
        assertThrows(IllegalStateException.class, () -> left.claim(toRight, 20));
        left.abandon(packet);
        assertThrows(IllegalStateException.class, () -> left.commit(packet));
        assertThrows(IllegalStateException.class, () -> left.abandon(packet));
        Endpoint otherFamily = Endpoint.of(at(left).ipv6() ? "10.1.2.3" : "fd00::1", 4791);
        assertThrows(LinkException.class, () -> left.path(otherFamily, LinkFlow.of(1)));
    }

    @Test
    void closingAgainDoesNothing() {
        left.close();
        left.close();
        assertThrows(IllegalStateException.class, () -> left.claim(toRight, 20));
    }

    @Test
    void steadyTrafficAllocatesNothing() {
        Traffic traffic = new Traffic();
        traffic.run(30_000);
        long allocated = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 100 && allocated > 0; attempt++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            traffic.run(2_000);
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertTrue(allocated == 0 || allocates(), allocated + " bytes in 2,000 rounds");
        assertTrue(traffic.received > 0);
    }

    /** A few packets and back to the loop, without anything that would allocate by itself. */
    private final class Traffic implements PacketHandler {
        private final MemorySegment source = MemorySegment.ofArray(new byte[4096]);
        private long received;

        void run(int rounds) {
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < 4; i++) {
                    send(64 + i % 2);
                }
                left.flush();
                if (right.receive(this, 16) == 0) {
                    pair.quiet().pass(right);
                }
            }
        }

        private void send(int length) {
            Packet packet = left.claim(toRight, length);
            if (packet != null) {
                MemorySegment.copy(source, 0, packet.segment(), packet.offset(), length);
                left.commit(packet);
            }
        }

        @Override
        public void onPacket(Packet packet) {
            received += packet.length() + packet.segment().get(ValueLayout.JAVA_BYTE, packet.offset());
        }
    }
}
