package org.verbena.adapter.iwarp.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Operation;
import org.verbena.PrivateData;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.adapter.iwarp.mpa.MpaAgreement;
import org.verbena.adapter.iwarp.mpa.UnitFormat;
import org.verbena.link.Endpoint;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.link.stream.LooseStreams;
import org.verbena.link.stream.MemoryStream;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ForwardingPageStore;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.memory.store.Transfer;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.trace.Counter;
import org.verbena.trace.MetricSnapshot;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Openings;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairAddress;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** A stream that meets an absent page stops until the page is there; others go on; nothing is lost. */
final class IwarpPageFaultTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 8;
    private static final long SERVICE_NS = 100_000;
    private static final Endpoint PEER = Endpoint.of("192.0.2.9", 7471);
    private static final UnitFormat FORMAT = new UnitFormat(false, true);

    private final byte[] content = new byte[PAGES * PAGE];
    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork links = new InProcessNetwork();
    private final Seed seed = new Seed(13);
    private final SimulatedPageStore store =
            new SimulatedPageStore(clock, new ServiceTime(SERVICE_NS, 0, 0), new Seed(5));
    /** Whether a transfer is over before the call that asks for it returns. */
    private boolean prompt;

    private final Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(new PromptStore()));
    private final ManagedMemory cold = hypervisor.host().allocate((long) PAGES * PAGE);
    private final End a = new End();
    private final End b = new End();
    private final Region coldRegion;

    IwarpPageFaultTest() {
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) seed.nextInt(256);
        }
        cold.write(0, MemorySegment.ofArray(content));
        coldRegion = b.adapter.register(b.domain, cold, 0x7_0000_0000L, EnumSet.allOf(Right.class));
    }

    @AfterEach
    void close() {
        coldRegion.close();
        a.adapter.close();
        b.adapter.close();
        cold.close();
        hypervisor.close();
    }

    private final class PromptStore extends ForwardingPageStore {
        PromptStore() {
            super(store);
        }

        @Override
        public void submit(Transfer transfer) {
            super.submit(transfer);
            if (prompt) {
                store.work(clock.nowNs() + SERVICE_NS);
            }
        }
    }

    private final class End {
        @Nullable
        IwarpPort made;

        final LooseStreams streams = new LooseStreams();
        final Adapter adapter =
                Openings.open(links.open(), clock, parts -> made = new IwarpPort(parts, streams, clock, 0));
        final IwarpPort port = Objects.requireNonNull(made);
        final ProtectionDomain domain = adapter.createProtectionDomain();
        final CompletionQueue completions = adapter.createCompletionQueue(64);
        final MemorySegment memory = Arena.ofAuto().allocate(content.length, 8);
        final Region region = adapter.register(domain, memory, EnumSet.allOf(Right.class));

        QueuePair queuePair(MemoryStream stream, boolean initiator) {
            QueuePair made = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
            MpaAgreement agreement = new MpaAgreement(2, FORMAT, FORMAT, 4, 4, null, PrivateData.NONE);
            streams.add(stream);
            int number = port.add(PEER, stream, agreement, initiator);
            made.connect(new QueuePairAddress(PEER, number, 0), ConnectionOptions.DEFAULT.withReads(4, 4));
            return made;
        }

        void expect(long id, Operation operation, Status status) {
            Completion completion = completions.poll();
            assertNotNull(completion, operation + " is not complete");
            assertEquals(status, completion.status());
            assertEquals(id, completion.id());
            assertEquals(operation, completion.operation());
        }
    }

    private QueuePair[] connect() {
        MemoryStream[] ends = MemoryStream.pair(20_000, 1448, seed, 0);
        // Neither waits for the other's first unit.
        return new QueuePair[] {a.queuePair(ends[0], true), b.queuePair(ends[1], true)};
    }

    private void evictAll() {
        for (int page = 0; page < PAGES; page++) {
            assertEquals(0, Eviction.evict(hypervisor, store, cold, page, 1), "pinned pages");
        }
    }

    /** Turns without time: no page comes. */
    private void turns() {
        for (int i = 0; i < 50; i++) {
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
        }
    }

    /** Turns in which time passes. */
    private void run() {
        for (int i = 0; i < 400; i++) {
            a.adapter.work(clock.nowNs());
            b.adapter.work(clock.nowNs());
            store.work(clock.nowNs());
            clock.advance(SERVICE_NS / 4);
        }
    }

    private byte[] coldBytes() {
        byte[] bytes = new byte[content.length];
        cold.read(0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private RemoteMemory coldAt(int offset) {
        return new RemoteMemory(coldRegion.address() + offset, coldRegion.key());
    }

    @Test
    void writeWaitsForItsPagesAndOtherStreamsGoOn() {
        QueuePair[] first = connect();
        QueuePair[] second = connect();
        evictAll();
        MemorySegment.copy(MemorySegment.ofArray(content), 0, a.memory, 100, content.length - 100);
        int length = content.length - 200;
        assertTrue(first[0].post(new WorkRequest.Write(
                1, Payload.of(LocalSegment.of(a.region, 100, length)), coldAt(50), SendOptions.SIGNALLED)));
        turns();
        assertEquals(1, StreamCountersTest.read(b.port.counters()).total("streams", "paused"));
        assertTrue(second[1].post(new WorkRequest.Receive(2, List.of(LocalSegment.of(b.region, 0, 100)))));
        assertTrue(second[0].post(
                new WorkRequest.Send(3, Payload.of(LocalSegment.of(a.region, 0, 100)), SendOptions.SIGNALLED)));
        turns();
        boolean sent = false;
        for (Completion each = a.completions.poll(); each != null; each = a.completions.poll()) {
            sent |= each.id() == 3;
        }
        assertTrue(sent, "the other stream goes on");
        b.expect(2, Operation.RECEIVE, Status.SUCCESS);
        run();
        byte[] expected = content.clone();
        System.arraycopy(content, 0, expected, 50, length);
        assertArrayEquals(expected, coldBytes());
        assertEquals(QueuePairState.READY_TO_SEND, first[1].state());
        MetricSnapshot counted = StreamCountersTest.read(b.port.counters());
        assertEquals(0, counted.total("streams", "paused"));
        assertTrue(counted.total("streams", "page_waits") > 0);
        assertTrue(counted.total("streams", "page_wait") > 0);
        assertEquals(0, counted.total("streams", "receive_waits"));
    }

    @Test
    void sendWaitsForThePagesOfItsReceive() {
        QueuePair[] pair = connect();
        evictAll();
        assertTrue(pair[1].post(new WorkRequest.Receive(1, List.of(LocalSegment.of(coldRegion, 10, 20_000)))));
        a.memory.fill((byte) 7);
        assertTrue(pair[0].post(
                new WorkRequest.Send(2, Payload.of(LocalSegment.of(a.region, 0, 20_000)), SendOptions.SIGNALLED)));
        turns();
        assertNull(b.completions.poll());
        run();
        b.expect(1, Operation.RECEIVE, Status.SUCCESS);
        a.expect(2, Operation.SEND, Status.SUCCESS);
        byte[] expected = content.clone();
        Arrays.fill(expected, 10, 20_010, (byte) 7);
        assertArrayEquals(expected, coldBytes());
    }

    @Test
    void readAndAtomicWaitForThePagesOfTheResponder() {
        QueuePair[] pair = connect();
        evictAll();
        assertTrue(pair[0].post(new WorkRequest.Read(
                1, List.of(LocalSegment.of(a.region, 0, content.length)), coldAt(0), SendOptions.SIGNALLED)));
        assertTrue(pair[0].post(
                new WorkRequest.FetchAdd(2, LocalSegment.of(a.region, 0, 8), coldAt(8), 1, SendOptions.SIGNALLED)));
        turns();
        assertNull(a.completions.poll());
        run();
        a.expect(1, Operation.READ, Status.SUCCESS);
        a.expect(2, Operation.FETCH_ADD, Status.SUCCESS);
        byte[] read = a.memory.toArray(ValueLayout.JAVA_BYTE);
        for (int i = 8; i < read.length; i++) {
            assertEquals(content[i], read[i], "byte " + i);
        }
    }

    @Test
    void gatherAndReadResponsesWaitForThePagesOfTheRequester() {
        QueuePair[] pair = connect();
        evictAll();
        assertTrue(pair[1].post(new WorkRequest.Write(
                1,
                Payload.of(LocalSegment.of(coldRegion, 0, 20_000)),
                new RemoteMemory(a.region.address(), a.region.key()),
                SendOptions.SIGNALLED)));
        run();
        b.expect(1, Operation.WRITE, Status.SUCCESS);
        assertEquals(
                -1,
                a.memory
                        .asSlice(0, 20_000)
                        .mismatch(MemorySegment.ofArray(content).asSlice(0, 20_000)));
        evictAll();
        a.memory.fill((byte) 9);
        assertTrue(pair[1].post(new WorkRequest.Read(
                2,
                List.of(LocalSegment.of(coldRegion, 3, 30_000)),
                new RemoteMemory(a.region.address(), a.region.key()),
                SendOptions.SIGNALLED)));
        run();
        b.expect(2, Operation.READ, Status.SUCCESS);
        byte[] expected = content.clone();
        Arrays.fill(expected, 3, 30_003, (byte) 9);
        assertArrayEquals(expected, coldBytes());
    }

    /** As a file does whose pages the system still has. */
    @Test
    void pagesThatAreThereAtOnceStopNothing() {
        QueuePair[] pair = connect();
        evictAll();
        prompt = true;
        a.memory.fill((byte) 7);
        assertTrue(pair[0].post(new WorkRequest.Write(
                1, Payload.of(LocalSegment.of(a.region, 0, 100)), coldAt(50), SendOptions.SIGNALLED)));
        assertTrue(pair[1].post(new WorkRequest.Receive(2, List.of(LocalSegment.of(coldRegion, 2L * PAGE, 100)))));
        assertTrue(pair[0].post(
                new WorkRequest.Send(3, Payload.of(LocalSegment.of(a.region, 0, 100)), SendOptions.SIGNALLED)));
        turns();
        b.expect(2, Operation.RECEIVE, Status.SUCCESS);
        byte[] expected = content.clone();
        Arrays.fill(expected, 50, 150, (byte) 7);
        Arrays.fill(expected, 2 * PAGE, 2 * PAGE + 100, (byte) 7);
        assertArrayEquals(expected, coldBytes());
        assertEquals(1, b.adapter.counters().value(Counter.WRITE_PAGE_FAULTS));
        assertEquals(1, b.adapter.counters().value(Counter.SEND_PAGE_FAULTS));
    }

    @Test
    void lostPageEndsTheStream() {
        QueuePair[] pair = connect();
        evictAll();
        store.inject(StoreFaults.NONE.readErrorRate(1));
        assertTrue(pair[0].post(
                new WorkRequest.Read(1, List.of(LocalSegment.of(a.region, 0, 100)), coldAt(0), SendOptions.SIGNALLED)));
        run();
        a.expect(1, Operation.READ, Status.REMOTE_OPERATIONAL_ERROR);
        assertEquals(QueuePairState.ERROR, pair[0].state());
        assertEquals(QueuePairState.ERROR, pair[1].state());
        store.inject(StoreFaults.NONE);
    }
}
