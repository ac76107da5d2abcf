package org.verbena.link.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.link.Endpoint;
import org.verbena.link.Link;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.LinkPath;
import org.verbena.link.Sleeper;
import org.verbena.link.WakeSource;
import org.verbena.link.Watch;
import org.verbena.link.contract.LinkPair;
import org.verbena.link.linux.Libc;
import org.verbena.link.linux.LinuxStructs;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;

/** One thread sleeps for several sources; each of them ends the sleep. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // an epoll does not end with an interrupt
final class RunnerSleeperTest {
    /** A wake-up that was missed would be slept through for an hour. */
    private static final long HOUR_NS = 3_600_000_000_000L;

    private static final long SHORT_NS = 200_000;

    private static Link udp(UdpDriver driver) {
        return UdpNetwork.open(
                Endpoint.of("127.0.0.1", 0), UdpOptions.defaults().withDriver(driver));
    }

    /** AUTO is the driver for Linux on Linux, NIO elsewhere. */
    @ParameterizedTest
    @EnumSource(
            value = UdpDriver.class,
            names = {"AUTO", "NIO"})
    void aUdpLinkAndALinkInMemoryWakeTheSameThread(UdpDriver driver) throws InterruptedException {
        InProcessNetwork network = new InProcessNetwork();
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link memory = network.open();
                Link udp = udp(driver);
                Link memoryPeer = network.open();
                Link udpPeer = udp(driver)) {
            sleeper.add(memory);
            sleeper.add(udp);
            LinkPath toMemory = memoryPeer.path(memory.local(), LinkFlow.of(1));
            LinkPath toUdp = udpPeer.path(udp.local(), LinkFlow.of(1));
            for (int round = 0; round < 100; round++) {
                assertEquals(1, arrivals(sleeper, memoryPeer, toMemory, memory, udp));
                assertEquals(2, arrivals(sleeper, udpPeer, toUdp, memory, udp));
            }
        }
    }

    /** Sends a packet from another thread and sleeps until it is there: 1 if it came by the first link, 2 by the second. */
    private static int arrivals(RunnerSleeper sleeper, Link peer, LinkPath path, Link first, Link second)
            throws InterruptedException {
        Thread sender = Thread.ofPlatform().start(() -> {
            LinkPair.send(peer, path, LinkPair.numbered(1, 64));
            peer.flush();
        });
        int found = 0;
        while (found == 0) {
            found = first.receive(packet -> {}, 1) + 2 * second.receive(packet -> {}, 1);
            if (found == 0) {
                sleeper.sleep(HOUR_NS);
            }
        }
        sender.join();
        return found;
    }

    @Test
    void sourcesInMemoryNeedNoSystem() throws InterruptedException {
        InProcessNetwork network = new InProcessNetwork();
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link one = network.open();
                Link other = network.open();
                Link peer = network.open()) {
            sleeper.add(one);
            sleeper.add(other);
            for (int round = 0; round < 100; round++) {
                assertEquals(1, arrivals(sleeper, peer, peer.path(one.local(), LinkFlow.of(1)), one, other));
                assertEquals(2, arrivals(sleeper, peer, peer.path(other.local(), LinkFlow.of(1)), one, other));
            }
        }
    }

    /** Ways to wait. */
    enum Means {
        PARKED,
        EPOLL,
        SELECTOR;

        /** A link that has its sleeper wait in this way; null where none is needed. */
        private @Nullable Link link() {
            return switch (this) {
                case PARKED -> null;
                case EPOLL -> udp(UdpDriver.AUTO);
                case SELECTOR -> udp(UdpDriver.NIO);
            };
        }
    }

    /** A parked thread may wake without a reason. */
    private static void sleepUntilWoken(RunnerSleeper sleeper) {
        while (!sleeper.sleep(HOUR_NS)) {
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWakeUpEndsTheCurrentOrTheNextSleepAndNoOther(Means means) throws InterruptedException {
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link link = means.link()) {
            if (link != null) {
                sleeper.add(link);
            }
            sleeper.wakeup();
            sleeper.wakeup();
            sleepUntilWoken(sleeper);
            for (int round = 0; round < 50; round++) {
                Thread other = Thread.ofPlatform().start(sleeper::wakeup);
                sleepUntilWoken(sleeper);
                other.join();
            }
            assertFalse(sleeper.sleep(SHORT_NS), "woken once, not twice");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLookTakesNoWakeUpFromTheNextSleep(Means means) {
        try (RunnerSleeper sleeper = new RunnerSleeper();
                Link link = means.link()) {
            if (link != null) {
                sleeper.add(link);
            }
            for (int round = 0; round < 50; round++) {
                sleeper.wakeup();
                sleeper.look();
                sleepUntilWoken(sleeper);
                assertFalse(sleeper.sleep(SHORT_NS), "woken once, not twice");
            }
        }
    }

    /** A source that has nothing to tell while the thread is awake costs the next sleep nothing. */
    @Test
    void rousingAThreadThatIsAwakeDoesNotEndItsNextSleep() {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            sleeper.rouse();
            assertFalse(sleeper.sleep(SHORT_NS));
        }
    }

    @Test
    void aSourceLimitsTheSleep() {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            long[] limitNs = {Long.MAX_VALUE};
            sleeper.add(new WakeSource() {
                @Override
                public void attach(Sleeper with) {}

                @Override
                public long sleepMaxNs() {
                    return limitNs[0];
                }
            });
            assertFalse(sleeper.sleep(SHORT_NS));
            limitNs[0] = 0;
            assertTrue(sleeper.sleep(HOUR_NS));
            limitNs[0] = SHORT_NS;
            assertTrue(sleeper.sleep(HOUR_NS));
        }
    }

    /** A source whose limit a test sets, and that counts the looks at it. */
    private static final class LimitedSource implements WakeSource {
        private long limitNs = Long.MAX_VALUE;
        private int looks;

        @Override
        public void attach(Sleeper with) {}

        @Override
        public long sleepMaxNs() {
            looks++;
            return limitNs;
        }
    }

    @Test
    void aSourceThatIsDetachedLimitsNoSleep() {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            LimitedSource kept = new LimitedSource();
            LimitedSource source = new LimitedSource();
            sleeper.attach(kept);
            sleeper.attach(source);
            assertFalse(sleeper.sleep(SHORT_NS));
            source.limitNs = 0;
            assertTrue(sleeper.sleep(HOUR_NS));
            sleeper.detach(source);
            sleeper.detach(source);
            int looks = source.looks;
            assertFalse(sleeper.sleep(SHORT_NS));
            assertEquals(looks, source.looks);
            kept.limitNs = 0;
            assertTrue(sleeper.sleep(HOUR_NS));
        }
    }

    @Test
    void aThreadThatDoesNotSleepLooksAtAttachedSourcesOnceInAFewTurns() {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            LimitedSource source = new LimitedSource();
            sleeper.attach(source);
            for (int turn = 0; turn < 10 * RunnerSleeper.LOOK_TURNS; turn++) {
                sleeper.onTurn();
            }
            assertEquals(10, source.looks);
            // A thread that sleeps here looks itself, before and after.
            assertTrue(sleeper.prepare(SHORT_NS) > 0);
            for (int turn = 0; turn < RunnerSleeper.LOOK_TURNS; turn++) {
                sleeper.onTurn();
            }
            assertEquals(11, source.looks);
            sleeper.block(1);
            sleeper.tell();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aDescriptorFromOutsideEndsASleep() {
        Libc libc = new Libc();
        int event = libc.eventfd(0, LinuxStructs.EFD_NONBLOCK | LinuxStructs.EFD_CLOEXEC);
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            AtomicInteger told = new AtomicInteger();
            Watch watch = sleeper.watch(event, told::incrementAndGet);
            assertEquals(0, libc.eventfdWrite(event, 1));
            assertFalse(sleeper.sleep(SHORT_NS), "a new watch wants nothing");
            watch.wants(true, false);
            assertTrue(sleeper.sleep(HOUR_NS));
            assertEquals(1, told.get());
            watch.wants(false, false);
            assertFalse(sleeper.sleep(SHORT_NS));
            watch.wants(false, true);
            assertTrue(sleeper.sleep(HOUR_NS), "there is room to write");
            assertEquals(2, told.get());
            watch.close();
            watch.close();
            assertFalse(sleeper.sleep(SHORT_NS));
            assertEquals(2, told.get());
        } finally {
            libc.close(event);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aWatchThatTheSystemRefusesIsRefusedEachTime() {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            Watch watch = sleeper.watch(-1, () -> {});
            assertThrows(LinkException.class, () -> watch.wants(true, false));
            assertThrows(LinkException.class, () -> watch.wants(true, false), "a refused watch is not a watch");
            watch.wants(false, false);
            watch.close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void amongManyDescriptorsOnlyTheReadyOneIsTold() {
        Libc libc = new Libc();
        List<Integer> events = new ArrayList<>();
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            List<Integer> told = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                int number = i;
                events.add(libc.eventfd(0, LinuxStructs.EFD_NONBLOCK | LinuxStructs.EFD_CLOEXEC));
                sleeper.watch(events.get(i), () -> told.add(number)).wants(true, false);
            }
            assertFalse(sleeper.sleep(SHORT_NS));
            libc.eventfdWrite(events.get(321), 1);
            assertTrue(sleeper.sleep(HOUR_NS));
            assertEquals(List.of(321), told);
        } finally {
            events.forEach(libc::close);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aWriteToTheWakeDescriptorEndsASleep() throws InterruptedException {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            int descriptor = sleeper.wakeDescriptor();
            for (int round = 0; round < 50; round++) {
                Thread other = Thread.ofPlatform().start(() -> new Libc().eventfdWrite(descriptor, 1));
                assertTrue(sleeper.sleep(HOUR_NS));
                other.join();
            }
            assertFalse(sleeper.sleep(SHORT_NS), "a write ends one sleep, not two");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLookTakesNoWriteToTheWakeDescriptorFromTheNextSleep() {
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            int descriptor = sleeper.wakeDescriptor();
            for (int round = 0; round < 50; round++) {
                new Libc().eventfdWrite(descriptor, 1);
                sleeper.look();
                assertTrue(sleeper.sleep(HOUR_NS));
            }
            sleeper.look();
            assertFalse(sleeper.sleep(SHORT_NS), "nothing was written");
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aLookTellsTheDescriptorsThatAreReady() {
        Libc libc = new Libc();
        int event = libc.eventfd(0, LinuxStructs.EFD_NONBLOCK | LinuxStructs.EFD_CLOEXEC);
        try (RunnerSleeper sleeper = new RunnerSleeper()) {
            AtomicInteger told = new AtomicInteger();
            Watch watch = sleeper.watch(event, told::incrementAndGet);
            watch.wants(true, false);
            sleeper.look();
            assertEquals(0, told.get());
            libc.eventfdWrite(event, 1);
            sleeper.look();
            sleeper.look();
            assertEquals(2, told.get());
            assertTrue(sleeper.sleep(HOUR_NS), "a descriptor stays ready until it is read");
        } finally {
            libc.close(event);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anOlderKernelWaitsAsWell() {
        EpollWaiter waiter = new EpollWaiter(false);
        try {
            assertFalse(waiter.await(SHORT_NS));
            waiter.rouse();
            assertTrue(waiter.await(HOUR_NS));
            assertFalse(waiter.await(SHORT_NS));
        } finally {
            waiter.close();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void descriptorsAndChannelsDoNotMix() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.configureBlocking(false);
            try (RunnerSleeper sleeper = new RunnerSleeper()) {
                sleeper.wakeDescriptor();
                assertThrows(LinkException.class, () -> sleeper.watch(channel, () -> {}));
            }
            try (RunnerSleeper sleeper = new RunnerSleeper()) {
                sleeper.watch(channel, () -> {}).wants(true, false);
                assertThrows(LinkException.class, sleeper::wakeDescriptor);
            }
        }
    }

    @Test
    void wakeupsAfterTheEndDoNothing() {
        RunnerSleeper sleeper = new RunnerSleeper();
        try (Link link = udp(UdpDriver.AUTO)) {
            sleeper.add(link);
            sleeper.close();
            sleeper.close();
            sleeper.wakeup();
            sleeper.rouse();
        }
        try (Link late = udp(UdpDriver.AUTO)) {
            RunnerSleeper unused = new RunnerSleeper();
            unused.close();
            assertThrows(LinkException.class, () -> unused.add(late));
        }
    }
}
