package org.verbena.link.udp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.SelectableChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkCounters;
import org.verbena.link.LinkError;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Packet;
import org.verbena.link.Sleeper;
import org.verbena.link.Watch;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.sleep.RunnerSleeper;

final class UdpNetworkTest {
    private static final Endpoint ANY_PORT = Endpoint.of("127.0.0.1", 0);

    private static UdpOptions nio() {
        return UdpOptions.defaults().withDriver(UdpDriver.NIO);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linuxTakesItsOwnDriver() {
        try (Link link = UdpNetwork.open(ANY_PORT, UdpOptions.defaults().withDriver(UdpDriver.AUTO))) {
            assertTrue(link.name().contains("Linux"), link.name());
        }
    }

    @Test
    void wildcardsAndStrangersAddressesAreRefusedByEveryDriver() {
        for (UdpDriver driver : new UdpDriver[] {UdpDriver.AUTO, UdpDriver.NIO}) {
            UdpOptions options = UdpOptions.defaults().withDriver(driver);
            for (String address : new String[] {"0.0.0.0", "::", "224.0.0.1", "192.0.2.1"}) {
                String message = assertThrows(
                                LinkException.class, () -> UdpNetwork.open(Endpoint.of(address, 4791), options))
                        .getMessage();
                assertTrue(message != null && message.contains("expected"), message);
            }
        }
    }

    @Test
    void aPortInUseIsRefusedByEveryDriver() {
        try (Link first = UdpNetwork.open(ANY_PORT, nio())) {
            assertThrows(LinkException.class, () -> UdpNetwork.open(Endpoint.of(first.local()), nio()));
            String message = assertThrows(
                            LinkException.class,
                            () -> UdpNetwork.open(Endpoint.of(first.local()), nio().withDriver(UdpDriver.AUTO)))
                    .getMessage();
            assertTrue(message != null && message.contains(first.local().toString()), message);
        }
    }

    @Test
    void optionsThatCannotBeAreRefused() {
        assertThrows(LinkException.class, () -> new UdpOptions(UdpDriver.NIO, true, 100, 1));
        try (Link link = UdpNetwork.open(ANY_PORT, nio())) {
            assertThrows(LinkException.class, () -> link.path(Endpoint.of("127.0.0.1", 0), LinkFlow.of(0)));
        }
    }

    /** A sleeper that the system may refuse a watch. It counts the watches that are open. */
    private static final class FailingSleeper implements Sleeper {
        private boolean refuses;
        private int watches;

        @Override
        public Watch watch(int descriptor, Runnable onReady) {
            return watch();
        }

        @Override
        public Watch watch(SelectableChannel channel, Runnable onReady) {
            return watch();
        }

        private Watch watch() {
            if (refuses) {
                throw new LinkException("no room for one more watch");
            }
            watches++;
            return new Watch() {
                @Override
                public void wants(boolean read, boolean write) {}

                @Override
                public void close() {
                    watches--;
                }
            };
        }

        @Override
        public void look() {}

        @Override
        public void wakeup() {}

        @Override
        public void rouse() {}
    }

    @ParameterizedTest
    @EnumSource(
            value = UdpDriver.class,
            names = {"AUTO", "NIO"})
    void aGroupThatCannotBeWatchedIsNotJoined(UdpDriver driver) {
        FailingSleeper sleeper = new FailingSleeper();
        try (Link link = UdpNetwork.open(ANY_PORT, UdpOptions.defaults().withDriver(driver))) {
            link.attach(sleeper);
            int port = link.local().port();
            Endpoint group = Endpoint.of("239.254.%d.%d".formatted(port >>> 8, port & 0xff), port);
            sleeper.refuses = true;
            assertThrows(LinkException.class, () -> link.join(group));
            assertThrows(LinkException.class, () -> link.join(group), "the link is no member yet");
            sleeper.refuses = false;
            link.join(group);
            assertEquals(2, sleeper.watches);
        }
        assertEquals(0, sleeper.watches);
    }

    @ParameterizedTest
    @EnumSource(
            value = UdpDriver.class,
            names = {"AUTO", "NIO"})
    void roomForACommittedPacketEndsASleep(UdpDriver driver) {
        UdpOptions options = UdpOptions.defaults().withDriver(driver);
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link link = UdpNetwork.open(ANY_PORT, options);
                Link peer = UdpNetwork.open(ANY_PORT, options)) {
            sleeper.add(link);
            LinkPath path = link.path(peer.local(), LinkFlow.of(0));
            for (int round = 0; round < 3; round++) {
                assertTrue(LinkPair.send(link, path, LinkPair.numbered(round, 100)));
                assertTrue(sleeper.sleep(10_000_000_000L), "the packet can leave");
                assertEquals(1, link.flush());
                assertFalse(sleeper.sleep(1_000_000), "no packet waits for room");
            }
        }
    }

    /** The driver for Linux receives several packets by one call. */
    @ParameterizedTest
    @EnumSource(
            value = UdpDriver.class,
            names = {"AUTO", "NIO"})
    void packetsLeftOverByALimitedReceiveEndASleep(UdpDriver driver) {
        UdpOptions options = UdpOptions.defaults().withDriver(driver);
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link link = UdpNetwork.open(ANY_PORT, options);
                Link peer = UdpNetwork.open(ANY_PORT, options)) {
            sleeper.add(link);
            LinkPath path = peer.path(link.local(), LinkFlow.of(0));
            int packets = 8;
            for (int i = 0; i < packets; i++) {
                assertTrue(LinkPair.send(peer, path, LinkPair.numbered(i, 64)));
            }
            peer.flush();
            for (int received = 0; received < packets; ) {
                assertTrue(sleeper.sleep(10_000_000_000L), received + " of " + packets + " received");
                received += link.receive(packet -> {}, 1);
            }
        }
    }

    @Test
    void driversReachEachOtherAndOtherLoopbackAddresses() {
        try (LinkPair pair =
                new LinkPair(UdpNetwork.open(ANY_PORT), UdpNetwork.open(Endpoint.of("127.0.0.1", 0), nio()))) {
            for (boolean leftward : new boolean[] {true, false}) {
                Link from = leftward ? pair.right() : pair.left();
                Link to = leftward ? pair.left() : pair.right();
                LinkPath path = from.path(to.local(), LinkFlow.of(0));
                for (int i = 0; i < 20; i++) {
                    assertTrue(LinkPair.send(from, path, LinkPair.numbered(i, 1000)));
                }
                from.flush();
                List<byte[]> received = pair.receive(to, 20);
                assertEquals(20, received.size());
                assertArrayEquals(LinkPair.numbered(19, 1000), received.get(19));
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void packetsOfARunAreNumberedAsTheKernelNumbersThem() {
        UdpOptions options = UdpOptions.defaults().withDriver(UdpDriver.LINUX);
        Endpoint second = Endpoint.of("127.0.0.2", 0);
        try (LinkPair pair = new LinkPair(UdpNetwork.open(ANY_PORT, options), UdpNetwork.open(second, options))) {
            Link left = pair.left();
            LinkPath path = left.path(pair.right().local(), LinkFlow.of(0));
            List<Integer> sent = new ArrayList<>();
            // A shorter packet ends a run, a longer one starts the next.
            for (int length : new int[] {100, 100, 100, 60, 100, 100, 200, 200, 50, 50, 40}) {
                Packet packet = left.claim(path, length);
                assertNotNull(packet);
                sent.add(packet.identification());
                left.commit(packet);
            }
            assertEquals(List.of(0, 1, 2, 3, 0, 1, 0, 1, 2, 0, 1), sent);
            left.flush();
            assertEquals(1, left.counters().sendCalls());
            List<Integer> received = new ArrayList<>();
            while (received.size() < sent.size()
                    && pair.receiveOne(pair.right(), packet -> received.add(packet.identification()))) {}
            assertEquals(sent, received);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void channelsSendWhatMarksTheyCan() {
        for (String address : new String[] {"127.0.0.1", "::1"}) {
            Endpoint local = Endpoint.of(address, 0);
            UdpOptions linux = UdpOptions.defaults().withDriver(UdpDriver.LINUX);
            try (LinkPair pair = new LinkPair(UdpNetwork.open(local, nio()), UdpNetwork.open(local, linux))) {
                for (int trafficClass : new int[] {0xb8, 0, 0x02, 0xba}) {
                    LinkFlow flow = LinkFlow.of(1).withTrafficClass(trafficClass);
                    LinkPath path = pair.left().path(pair.right().local(), flow);
                    assertTrue(LinkPair.send(pair.left(), path, new byte[40]));
                    pair.left().flush();
                    assertTrue(
                            pair.receiveOne(pair.right(), packet -> assertEquals(trafficClass, packet.trafficClass())));
                }
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void whatTheKernelThrowsAwayIsCounted() {
        UdpOptions small = new UdpOptions(UdpDriver.LINUX, true, Packet.LENGTH_MAX, 1);
        try (LinkPair pair = new LinkPair(UdpNetwork.open(ANY_PORT), UdpNetwork.open(ANY_PORT, small))) {
            LinkPath path = pair.left().path(pair.right().local(), LinkFlow.of(0));
            for (int i = 0; i < 200; i++) {
                assertTrue(LinkPair.send(pair.left(), path, LinkPair.numbered(i, 1000 + i)));
                pair.left().flush();
            }
            int received = pair.receive(pair.right(), 1).size();
            while (pair.receiveSoon(pair.right(), packet -> {})) {
                received++;
            }
            assertTrue(received < 200, "a full socket loses packets");
            // Each of these tells the same number, which counts once.
            for (int i = 0; i < 3; i++) {
                assertTrue(LinkPair.send(pair.left(), path, new byte[40]));
                pair.left().flush();
                assertTrue(pair.receiveOne(pair.right(), packet -> {}));
            }
            assertEquals(200 - received, pair.right().counters().overrun());
        }
    }

    @Test
    void errorsOfSystemCallsAreCountedByKind() {
        for (UdpDriver driver : new UdpDriver[] {UdpDriver.AUTO, UdpDriver.NIO}) {
            UdpOptions options = UdpOptions.defaults().withDriver(driver);
            try (Link link = UdpNetwork.open(ANY_PORT, options)) {
                // From the loopback address no way leads out.
                LinkPath path = link.path(Endpoint.of("192.0.2.1", 4791), LinkFlow.of(0));
                assertTrue(LinkPair.send(link, path, new byte[40]));
                assertEquals(0, link.flush());
                LinkCounters counters = link.counters();
                assertEquals(1, counters.sendDropped());
                long errors = 0;
                for (LinkError kind : LinkError.values()) {
                    errors += counters.sendErrors(kind);
                    assertEquals(0, counters.receiveErrors(kind));
                }
                assertEquals(1, errors, counters.toString());
            }
        }
    }
}
