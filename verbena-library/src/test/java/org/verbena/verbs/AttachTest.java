package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.IdleStrategy;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.link.udp.UdpOptions;
import org.verbena.time.VirtualClock;

/** A thread waits for completions and for a source of its own at once. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // an epoll does not end with an interrupt
@OverEachWire
final class AttachTest {
    /** An event that was missed would be waited for until the test's own limit. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final int EARLY_MAX = 3;

    private static final int ROUNDS = 500;
    private static final int SLEEPS = 150;
    private static final int WAITS = 2000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Wire wire;
    private final Wires wires;

    AttachTest(Wire wire) {
        this.wire = wire;
        this.wires = new Wires(wire);
    }

    /** Kinds of sources, run modes, and kinds of threads that wait. */
    enum Setting {
        DESCRIPTOR_SHARED,
        DESCRIPTOR_SHARED_VIRTUAL,
        DESCRIPTOR_THREAD,
        DESCRIPTOR_INLINE,
        CHANNEL_SHARED,
        CHANNEL_SHARED_VIRTUAL,
        CHANNEL_THREAD,
        CHANNEL_INLINE,
        MEMORY_SHARED,
        MEMORY_SHARED_VIRTUAL,
        MEMORY_THREAD,
        MEMORY_INLINE,
        DESCRIPTOR_THREAD_THAT_SPINS,
        MEMORY_THREAD_THAT_SPINS;

        private boolean is(String part) {
            return name().contains(part);
        }

        private AdapterOptions options() {
            AdapterOptions.Run run = is("SHARED")
                    ? AdapterOptions.Run.SHARED
                    : is("THREAD") ? AdapterOptions.Run.THREAD : AdapterOptions.Run.INLINE;
            return AdapterOptions.DEFAULT
                    .withRun(run)
                    .withIdle(is("SPINS") ? IdleStrategy.SPIN : IdleStrategy.BACK_OFF);
        }

        OwnSource source() {
            return is("DESCRIPTOR")
                    ? new OwnSource.Descriptor()
                    : is("CHANNEL") ? new OwnSource.Channel() : new OwnSource.Memory();
        }
    }

    /** Descriptors go with the UDP driver for Linux, channels with the one of the JDK and with TCP, memory with all. */
    private Adapter open(Setting setting) {
        if (setting.is("DESCRIPTOR")) {
            assumeTrue(OS.LINUX.isCurrentOs(), "descriptors are watched on Linux only");
            return wires.openBySockets(setting.options());
        }
        if (setting.is("CHANNEL") && wire == Wire.ROCE) {
            return nio(setting.options());
        }
        return wires.openLive(setting.options());
    }

    private static Adapter nio(AdapterOptions options) {
        return Adapter.open(
                UdpNetwork.open(
                        Endpoint.of("127.0.0.1", 0), UdpOptions.defaults().withDriver(UdpDriver.NIO)),
                options);
    }

    /** Attaches the source; false, after a check that it is refused, if the adapter's streams are channels and the source is none. */
    private boolean attach(Setting setting, OwnSource source, CompletionQueue queue) {
        if (setting.is("DESCRIPTOR") && wire == Wire.IWARP) {
            assertThrows(LinkException.class, () -> queue.attach(source));
            return false;
        }
        queue.attach(source);
        return true;
    }

    private static <T> WaitingThread<T> start(Setting setting, WaitingThread.Wait<T> wait) {
        return WaitingThread.start(setting.is("VIRTUAL"), wait);
    }

    /** Waits until the source has fired. A wait may end early for an event that was taken before, and only a few may. */
    private static boolean awaitFired(CompletionQueue queue, AtomicBoolean fired) throws InterruptedException {
        for (int early = 0; early <= EARLY_MAX; early++) {
            boolean found = queue.await(LONG);
            if (found || fired.get()) {
                return found;
            }
        }
        throw new AssertionError("more than " + EARLY_MAX + " waits ended without an event");
    }

    @ParameterizedTest
    @EnumSource
    void anEventEndsTheWaitAndNoOtherOnceItIsTaken(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            if (!attach(setting, source, queue)) {
                return;
            }
            for (int round = 0; round < 2; round++) {
                var fired = new AtomicBoolean();
                WaitingThread<Boolean> waiter = start(setting, () -> awaitFired(queue, fired));
                waiter.isStillWaiting();
                fired.set(true);
                source.fire();
                assertFalse(waiter.get());
                WaitingThread<Boolean> again = start(setting, () -> queue.await(LONG));
                assertFalse(again.get(), "an event that is not taken ends the next wait too");
                assertTrue(source.take());
            }
        }
    }

    /** A sleep that no event ends lasts a second: the test's limit would be over. */
    @ParameterizedTest
    @EnumSource
    void anEventEndsASleepAtOnce(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            CompletionQueue other = adapter.createCompletionQueue(4);
            if (!attach(setting, source, queue)) {
                return;
            }
            for (int round = 0; round < SLEEPS; round++) {
                boolean watchedByOther = round % 2 == 1; // where consumers drive
                WaitingThread<Boolean> before =
                        watchedByOther ? start(setting, () -> other.await(LONG)).asleep() : start(setting, () -> true);
                var fired = new AtomicBoolean();
                WaitingThread<Boolean> waiter =
                        start(setting, () -> awaitFired(queue, fired)).asleep();
                fired.set(true);
                source.fire();
                assertFalse(waiter.get());
                assertTrue(source.take());
                other.wakeup();
                assertEquals(!watchedByOther, before.get());
                if (!watchedByOther) {
                    assertFalse(other.await(LONG), "takes the wake-up");
                }
            }
        }
    }

    /** The waiter takes the events after each wait; one that is lost leaves it waiting, and the other thread too. */
    @ParameterizedTest
    @EnumSource
    void noEventIsLostWheneverItComes(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            if (!attach(setting, source, queue)) {
                return;
            }
            var count = new AtomicInteger();
            var seen = new AtomicInteger();
            WaitingThread<Integer> waiter = start(setting, () -> {
                while (seen.get() < ROUNDS) {
                    assertFalse(queue.await(LONG));
                    if (source.take()) {
                        seen.set(count.get());
                    }
                }
                return seen.get();
            });
            for (int round = 1; round <= ROUNDS; round++) {
                count.set(round);
                source.fire();
                while (seen.get() < round) {
                    assertFalse(waiter.hasFailed(), "the waiter has failed");
                    Thread.onSpinWait();
                }
            }
            assertEquals(ROUNDS, waiter.get());
        }
    }

    /** Nobody waits, and the event is not taken: the thread that drives the adapter is told once, not again and again. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = ".*INLINE")
    void anEventThatIsNotTakenDoesNotKeepTheAdapterAwake(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            Node node = new Node(adapter, 4096, 16);
            Node peer = new Node(adapter, 4096, 16);
            Node.connect(node, peer, Node.PATIENT);
            if (!attach(setting, source, node.completions)) {
                return;
            }
            source.fire();
            while (source.told.get() == 0) {
                Thread.onSpinWait();
            }
            // Work that the adapter's own thread does, with sleeps between.
            for (int i = 0; i < 20; i++) {
                assertTrue(node.queuePair.post(new WorkRequest.Write(
                        i, Payload.of(node.segment(0, 8)), peer.remote(0), SendOptions.SIGNALLED)));
                WaitingThread<Boolean> other = start(setting, () -> peer.completions.await(Duration.ofMillis(10)));
                other.get();
            }
            assertTrue(source.told.get() <= 2, () -> source.told + " times told");
            for (int completions = 0; completions < 20; ) {
                completions += node.completions.poll(LONG) != null ? 1 : 0; // null: the event
            }
            assertFalse(node.completions.await(LONG), "the event is there still");
            assertTrue(source.take());
        }
    }

    @ParameterizedTest
    @EnumSource
    void completionsEndTheWaitAsBefore(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            Node node = new Node(adapter, 4096, 16);
            Node peer = new Node(adapter, 4096, 16);
            Node.connect(node, peer, Node.PATIENT);
            if (!attach(setting, source, node.completions)) {
                return;
            }
            for (int i = 0; i < 50; i++) {
                WaitingThread<Integer> done = start(setting, () -> {
                    int events = 0;
                    int completions = 0;
                    while (events == 0 || completions == 0) {
                        completions += node.completions.poll(LONG) != null ? 1 : 0;
                        events += source.take() ? 1 : 0;
                    }
                    return completions;
                });
                assertTrue(node.queuePair.post(new WorkRequest.Write(i, node.segment(0, 8), peer.remote(0))));
                source.fire();
                assertEquals(1, done.get());
            }
        }
    }

    /** The thread that drives has work without end, and none of its completions is for the queue. */
    @ParameterizedTest
    @EnumSource
    void anEventEndsTheWaitOfAnAdapterThatIsBusy(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            Node node = new Node(adapter, 4096, 64);
            Node peer = new Node(adapter, 4096, 64);
            Node.connect(node, peer, Node.PATIENT);
            CompletionQueue queue = adapter.createCompletionQueue(4);
            if (!attach(setting, source, queue)) {
                return;
            }
            var running = new AtomicBoolean(true);
            WaitingThread<Boolean> load = start(setting, () -> {
                while (running.get()) {
                    while (node.queuePair.post(new WorkRequest.Write(1, node.segment(0, 512), peer.remote(0)))) {
                        Thread.onSpinWait();
                    }
                    while (node.completions.poll() != null) {
                        Thread.onSpinWait();
                    }
                }
                return true;
            });
            for (int round = 0; round < 20; round++) {
                WaitingThread<Boolean> waiter = start(setting, () -> queue.await(LONG));
                source.fire();
                assertFalse(waiter.get());
                assertTrue(source.take());
            }
            running.set(false);
            assertTrue(load.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSourceThatIsDetachedEndsNoWait(Setting setting) throws Exception {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            if (!attach(setting, source, queue)) {
                return;
            }
            WaitingThread<Boolean> waiter = start(setting, () -> queue.await(LONG));
            waiter.isStillWaiting();
            queue.detach(source);
            queue.detach(source);
            source.fire();
            waiter.isStillWaiting();
            queue.wakeup();
            assertFalse(waiter.get());
            assertTrue(source.take());
            queue.attach(source);
            source.fire();
            WaitingThread<Boolean> again = start(setting, () -> queue.await(LONG));
            assertFalse(again.get(), "attached again");
            queue.close();
            int looks = source.looks.get();
            int told = source.told.get();
            adapter.management().call(() -> {});
            assertEquals(looks, source.looks.get());
            assertEquals(told, source.told.get());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MEMORY_SHARED", "MEMORY_INLINE"})
    void aWaitThatAnEventEndsAllocatesNothing(Setting setting) throws InterruptedException {
        try (OwnSource source = setting.source();
                Adapter adapter = open(setting)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            queue.attach(source);
            long best = Long.MAX_VALUE;
            for (int attempt = 0; attempt < 20 && best >= WAITS; attempt++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < WAITS; i++) {
                    source.fire();
                    assertFalse(queue.await(LONG));
                    assertTrue(source.take());
                }
                best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            long allocated = best;
            assertTrue(allocated < WAITS, () -> allocated + " bytes in " + WAITS + " waits");
        }
    }

    @Test
    void aSecondAttachmentIsRefusedAndOneToAClosedAdapter() {
        OwnSource source = new OwnSource.Memory();
        Adapter adapter = wires.openLive(AdapterOptions.DEFAULT);
        CompletionQueue queue = adapter.createCompletionQueue(4);
        queue.attach(source);
        String found = assertThrows(IllegalStateException.class, () -> queue.attach(source))
                .getMessage();
        assertEquals("the source is attached to the completion queue already", found);
        adapter.close();
        queue.detach(source);
        assertThrows(IllegalStateException.class, () -> queue.attach(source));
    }

    @ParameterizedTest
    @EnumSource(
            value = AdapterOptions.Run.class,
            names = {"SHARED", "THREAD", "INLINE"})
    void descriptorsBesideChannelsAreRefused(AdapterOptions.Run run) throws InterruptedException {
        assumeTrue(OS.LINUX.isCurrentOs(), "descriptors are watched on Linux only");
        AdapterOptions options = AdapterOptions.DEFAULT.withRun(run);
        try (OwnSource source = new OwnSource.Descriptor();
                Adapter adapter = wire == Wire.ROCE ? nio(options) : wires.openLive(options)) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            assertThrows(LinkException.class, () -> queue.attach(source));
            queue.wakeup();
            assertFalse(queue.await(LONG), "the adapter goes on");
            assertThrows(LinkException.class, () -> queue.attach(source));
        }
    }

    @Test
    void anAdapterThatIsRunByHandSleepsForNoSource() {
        try (OwnSource source = new OwnSource.Memory();
                Adapter adapter =
                        wires.open(new VirtualClock(0), AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL))) {
            CompletionQueue queue = adapter.createCompletionQueue(4);
            queue.attach(source);
            adapter.work(0);
            assertEquals(0, source.looks.get());
            queue.detach(source);
        }
    }
}
