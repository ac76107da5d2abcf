package org.verbena.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Mtu;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.fabric.topology.NetFile;
import org.verbena.fabric.topology.Topology;
import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;
import org.verbena.manage.manager.ManagerOptions;
import org.verbena.memory.Region;
import org.verbena.trace.Counter;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/** A fabric in real time: its thread drives it, adapters are on their own. */
final class RealTimeTest {
    private static final Path RING = Path.of("src/test/resources/subnets/ring6/ring6.net");
    private static final int ATTEMPTS = 50;
    private static final Duration LONG = Duration.ofSeconds(60);

    private final Fabric fabric = Fabric.of(NetFile.read(RING).topology(), FabricOptions.DEFAULT.withMtu(Mtu.MTU_4096));

    @AfterEach
    void close() {
        fabric.close();
    }

    private void start() throws InterruptedException {
        fabric.start();
        fabric.manage(fabric.port("h0-0", 1), ManagerOptions.DEFAULT);
        for (String host : new String[] {"h1-0", "h4-1"}) {
            assertTrue(fabric.awaitActive(host, 1, LONG), host);
        }
    }

    @Test
    void anRdmaWriteCrossesFourSwitches() throws InterruptedException {
        start();
        try (Adapter here = Adapter.open(fabric.open("h1-0", 1), AdapterOptions.DEFAULT);
                Adapter there = Adapter.open(fabric.open("h4-1", 1), AdapterOptions.DEFAULT)) {
            assertEquals("written across the ring", write(here, there));
        }
    }

    /** Writes over new connections until one lives long enough: the manager needs time to find a new route. */
    private static void writeAgainAndAgain(Adapter here, Adapter there) throws InterruptedException {
        String read = "";
        for (int i = 0; read.isEmpty() && i < ATTEMPTS; i++) {
            read = write(here, there);
        }
        assertEquals("written across the ring", read);
    }

    /** What a write has brought to the other adapter; empty if the connection ended. */
    private static String write(Adapter here, Adapter there) throws InterruptedException {
        CompletionQueue completions = here.createCompletionQueue(16);
        QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
        QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
        queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
        other.connect(queuePair.address(), ConnectionOptions.DEFAULT);
        MemorySegment source = here.arena().allocateFrom("written across the ring");
        MemorySegment target = there.arena().allocate(source.byteSize());
        Region remote = there.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE);
        assertTrue(queuePair.post(new WorkRequest.Write(1, source, RemoteMemory.of(remote))));
        Completion completion = completions.poll(LONG);
        assertNotNull(completion);
        boolean written = completion.status() == Status.SUCCESS;
        assertTrue(written || completion.status() == Status.RETRY_EXCEEDED, completion.toString());
        queuePair.close();
        other.close();
        return written ? target.getString(0) : "";
    }

    @Test
    void trafficTakesANewRouteWhenACableIsPulled() throws InterruptedException {
        start();
        try (Adapter here = Adapter.open(fabric.open("h1-0", 1), AdapterOptions.DEFAULT);
                Adapter there = Adapter.open(fabric.open("h4-1", 1), AdapterOptions.DEFAULT)) {
            writeAgainAndAgain(here, there);
            // One cable of the ring is pulled after the other, and put back.
            for (int i = 0; i < 6; i++) {
                int at = i;
                fabric.call(() -> fabric.unplug(fabric.port("sw" + at, 8)));
                writeAgainAndAgain(here, there);
                fabric.call(() -> fabric.plug(fabric.port("sw" + at, 8), fabric.port("sw" + (at + 5) % 6, 7)));
                writeAgainAndAgain(here, there);
            }
        }
    }

    @Test
    void theSenderOfPacketsThatMeetCongestionIsTold() throws InterruptedException {
        Topology slow = Topology.builder()
                .rate(LinkWidth.X1, LinkSpeed.SDR)
                .switchNode("s", 4)
                .adapter("a", 1)
                .adapter("b", 1)
                .cable("a", 1, "s", 1)
                .cable("b", 1, "s", 2)
                .build();
        FabricOptions options = FabricOptions.DEFAULT.withMtu(Mtu.MTU_4096).withCongestionBytes(8192);
        try (Fabric congested = Fabric.of(slow, options)) {
            congested.start();
            congested.manage(congested.port("a", 1), ManagerOptions.DEFAULT);
            assertTrue(congested.awaitActive("b", 1, LONG));
            try (Adapter here = Adapter.open(congested.open("a", 1), AdapterOptions.DEFAULT);
                    Adapter there = Adapter.open(congested.open("b", 1), AdapterOptions.DEFAULT)) {
                CompletionQueue completions = here.createCompletionQueue(16);
                QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
                QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
                queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
                other.connect(queuePair.address(), ConnectionOptions.DEFAULT);
                MemorySegment source = here.arena().allocate(1 << 20);
                Region remote = there.register(there.arena().allocate(1 << 20), Right.LOCAL_WRITE, Right.REMOTE_WRITE);
                assertTrue(queuePair.post(new WorkRequest.Write(1, source, RemoteMemory.of(remote))));
                Completion completion = completions.poll(LONG);
                assertTrue(completion != null && completion.status() == Status.SUCCESS, "" + completion);
                assertTrue(here.counters().value(Counter.RECEIVED_CONGESTION_NOTIFICATIONS) > 0);
            }
        }
    }

    @Test
    void commandsRunOnTheFabricsThreadAndTheirExceptionsReachTheCaller() {
        fabric.start();
        AtomicLong thread = new AtomicLong();
        fabric.call(() -> thread.set(Thread.currentThread().threadId()));
        assertTrue(thread.get() != Thread.currentThread().threadId());
        Exception thrown = assertThrows(
                RuntimeException.class,
                () -> fabric.call(() -> {
                    throw new IllegalStateException("on purpose");
                }));
        assertTrue(thrown.toString().contains("on purpose"), thrown.toString());
    }

    @Test
    void aPortWithoutAManagerDoesNotBecomeActive() throws InterruptedException {
        fabric.start();
        assertEquals(false, fabric.awaitActive("h1-0", 1, Duration.ofMillis(20)));
        assertThrows(FabricException.class, () -> fabric.awaitActive("nobody", 1, LONG));
    }
}
