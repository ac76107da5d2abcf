package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.FaultKind;
import org.verbena.FaultedAccess;
import org.verbena.PageFault;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Verdict;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.FaultListener;
import org.verbena.memory.hypervisor.FaultWatch;
import org.verbena.memory.hypervisor.GuestDriver;
import org.verbena.memory.hypervisor.GuestFault;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;

/** The page faults of an adapter, as a listener of the host and the driver of a guest see them. */
@OverEachWire
final class FaultEventsTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 16;
    private static final long STORE_NS = 200_000;
    private static final long ADDRESS = 0x7_0000_0000L;
    private static final ConnectionOptions HOW =
            ConnectionOptions.DEFAULT.withReads(4, 4).withRetries(7, Duration.ofSeconds(10));

    private final Pair pair;
    private final SimulatedPageStore store;
    private final Hypervisor hypervisor;
    private final ManagedMemory memory;
    private final Region region;
    /** Calls of listeners and drivers, which the test makes. */
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();

    private final Noting noting = new Noting();

    private static final class Noting implements FaultListener {
        private final List<PageFault> begun = new ArrayList<>();
        private final List<PageFault> ended = new ArrayList<>();
        private final List<Verdict> outcomes = new ArrayList<>();
        private final List<Duration> durations = new ArrayList<>();

        @Override
        public void onBegin(PageFault fault) {
            begun.add(fault);
        }

        @Override
        public void onEnd(PageFault fault, Verdict outcome, Duration duration) {
            ended.add(fault);
            outcomes.add(outcome);
            durations.add(duration);
        }

        /** Forgets everything. */
        void clear() {
            begun.clear();
            ended.clear();
            outcomes.clear();
            durations.clear();
        }
    }

    FaultEventsTest(Wire wire) {
        pair = new Pair(wire, 1 << 16, 16, HOW);
        store = new SimulatedPageStore(pair.clock, new ServiceTime(STORE_NS, 0, 0), new Seed(5));
        hypervisor = Hypervisor.open(
                HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
        memory = hypervisor.host().allocate(PAGES * PAGE);
        memory.write(0, MemorySegment.ofArray(pattern(PAGES * PAGE, 1)));
        region = pair.b.adapter.register(pair.b.domain, memory, ADDRESS, EnumSet.allOf(Right.class));
    }

    @AfterEach
    void close() {
        pair.close();
        region.close();
        memory.close();
        hypervisor.close();
    }

    private static byte[] pattern(int length, int seed) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (seed * 31 + i * 7 + i / 256);
        }
        return bytes;
    }

    private void evict(long first, long count) {
        assertEquals(0, Eviction.evict(hypervisor, store, memory, first, count), "pinned pages");
    }

    /** Turns of adapters and calls, until nothing happens any more at this time. */
    private void settle() {
        do {
            pair.run();
            for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                call.run();
            }
            pair.run();
        } while (!calls.isEmpty());
    }

    private void pass(long ns) {
        for (long left = ns; left > 0; left -= STORE_NS / 4) {
            settle();
            pair.clock.advance(STORE_NS / 4);
            store.work(pair.clock.nowNs());
        }
        settle();
    }

    /** Time passes until both nodes together have this number of completions; all are successful. */
    private void succeed(int count) {
        List<Completion> all = new ArrayList<>();
        for (int step = 0; all.size() < count; step++) {
            assertTrue(step < 1000, () -> "only " + all);
            pass(STORE_NS / 4);
            all.addAll(pair.a.drain());
            all.addAll(pair.b.drain());
        }
        all.forEach(completion -> assertEquals(Status.SUCCESS, completion.status(), completion::toString));
        pass(4 * STORE_NS); // over iWARP a write is complete before the peer has met its fault
    }

    private RemoteMemory cold(long offset) {
        return RemoteMemory.of(region).plus(offset);
    }

    private void read(long offset, int length) {
        assertTrue(pair.a.queuePair.post(
                new WorkRequest.Read(1, List.of(pair.a.segment(0, length)), cold(offset), SendOptions.SIGNALLED)));
    }

    private void write(long offset, int length) {
        assertTrue(pair.a.queuePair.post(
                new WorkRequest.Write(2, Payload.of(pair.a.segment(0, length)), cold(offset), SendOptions.SIGNALLED)));
    }

    private FaultedAccess access(FaultKind kind, long offset, long length) {
        return new FaultedAccess(kind, 0, region.key(), ADDRESS + offset, length, pair.b.queuePair.number());
    }

    /** One fault was told: its begin, and its end with the pages in memory after the store has read them. */
    private void expect(FaultedAccess access, int pages) {
        PageFault told = new PageFault(noting.begun.getFirst().number(), "b", access, 1, pages);
        assertEquals(List.of(told), noting.begun);
        assertEquals(List.of(told), noting.ended);
        assertEquals(List.of(Verdict.GRANTED), noting.outcomes);
        long ns = noting.durations.getFirst().toNanos();
        assertTrue(ns >= STORE_NS && ns <= 2 * STORE_NS, ns + " ns");
        noting.clear();
    }

    @Test
    void eachOperationIsToldWithItsMemoryAndQueuePair() {
        try (FaultWatch watch = hypervisor.watchFaults(noting, calls::add)) {
            evict(0, PAGES);
            read(100, 500);
            succeed(1);
            expect(access(FaultKind.READ, 100, 500), 1);

            write(PAGE + 100, 500);
            succeed(1);
            expect(access(FaultKind.WRITE, PAGE + 100, 500), 1);

            assertTrue(pair.b.queuePair.post(
                    new WorkRequest.Receive(3, List.of(LocalSegment.of(region, 3 * PAGE - 200, 600)))));
            assertTrue(pair.a.queuePair.post(
                    new WorkRequest.Send(4, Payload.of(pair.a.segment(0, 300)), SendOptions.SIGNALLED)));
            succeed(2);
            expect(access(FaultKind.SEND, 3 * PAGE - 200, 300), 2);

            assertTrue(pair.a.queuePair.post(
                    new WorkRequest.FetchAdd(5, pair.a.segment(0, 8), cold(5 * PAGE + 64), 1, SendOptions.SIGNALLED)));
            succeed(1);
            expect(access(FaultKind.ATOMIC, 5 * PAGE + 64, 8), 1);

            assertTrue(pair.b.queuePair.post(new WorkRequest.Write(
                    6,
                    Payload.of(LocalSegment.of(region, 6 * PAGE + 1, 700)),
                    pair.a.remote(0),
                    SendOptions.SIGNALLED)));
            succeed(1);
            expect(access(FaultKind.GATHER, 6 * PAGE + 1, 700), 1);

            assertTrue(pair.b.queuePair.post(new WorkRequest.Read(
                    7, List.of(LocalSegment.of(region, 7 * PAGE + 5, 800)), pair.a.remote(0), SendOptions.SIGNALLED)));
            succeed(1);
            expect(access(FaultKind.LANDING, 7 * PAGE + 5, 800), 1);
            assertEquals(0, watch.dropped());
            assertEquals(0, watch.failures());
        }
    }

    @Test
    void pagesInMemoryAreNotTold() {
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add)) {
            read(0, 500);
            write(500, 500);
            succeed(2);
            assertEquals(List.of(), noting.begun);
        }
    }

    @Test
    void theSegmentThatMissesAPageIsNamed() {
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add)) {
            evict(9, 1);
            assertTrue(pair.b.queuePair.post(new WorkRequest.Receive(
                    1, List.of(LocalSegment.of(region, 0, 100), LocalSegment.of(region, 9 * PAGE + 10, 100)))));
            assertTrue(pair.a.queuePair.post(
                    new WorkRequest.Send(2, Payload.of(pair.a.segment(0, 150)), SendOptions.SIGNALLED)));
            succeed(2);
            expect(access(FaultKind.SEND, 9 * PAGE + 10, 50), 2);
        }
    }

    @Test
    void aLostPageIsTheOutcome() {
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add)) {
            evict(0, 1);
            store.inject(StoreFaults.NONE.readErrorRate(1));
            read(0, 100);
            pass(10 * STORE_NS);
            assertEquals(
                    Status.REMOTE_OPERATIONAL_ERROR, pair.a.drain().getFirst().status());
            assertEquals(List.of(Verdict.PAGE_LOST), noting.outcomes);
            assertEquals(noting.begun, noting.ended);
            store.inject(StoreFaults.NONE);
        }
    }

    @Test
    void aQueuePairThatEndsEndsItsFault() {
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add)) {
            evict(0, 1);
            store.inject(StoreFaults.NONE.stallReadAt(1));
            read(0, 100);
            pass(3 * STORE_NS);
            assertEquals(1, noting.begun.size());
            assertEquals(List.of(), noting.ended);
            pair.b.queuePair.close();
            pass(STORE_NS);
            assertEquals(List.of(Verdict.NOT_RESIDENT), noting.outcomes);
            assertTrue(noting.durations.getFirst().toNanos() >= 2 * STORE_NS, noting.durations::toString);
            assertEquals(noting.begun, noting.ended);
            store.resume();
            pass(STORE_NS);
        }
    }

    @Test
    void aFaultThatTakesTooLongIsToldOnce() {
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add)) {
            evict(0, 1);
            store.inject(StoreFaults.NONE.stallReadAt(1));
            read(0, 100);
            for (int i = 0; i < 60; i++) {
                pair.clock.advance(100_000_000);
                settle();
            }
            assertEquals(List.of(Verdict.NOT_RESIDENT), noting.outcomes);
            assertTrue(
                    noting.durations.getFirst().compareTo(AdapterOptions.DEFAULT.faultLimit()) >= 0,
                    noting.durations::toString);
            store.resume();
            pass(STORE_NS);
        }
    }

    @Test
    void noFaultIsToldAfterTheWatchIsClosed() {
        FaultWatch watch = hypervisor.watchFaults(noting, calls::add);
        evict(0, 2);
        read(0, 100);
        settle();
        assertEquals(1, noting.begun.size());
        watch.close();
        succeed(1);
        read(PAGE, 100);
        succeed(1);
        assertEquals(1, noting.begun.size());
        assertEquals(List.of(), noting.ended);
    }

    @Test
    void flightRecorderHasTheSame(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("faults.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("org.verbena.AdapterFault").withoutThreshold();
            recording.start();
            evict(0, 2);
            write(100, 500);
            succeed(1);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("org.verbena.AdapterFault"))
                .toList();
        assertEquals(1, events.size());
        RecordedEvent fault = events.getFirst();
        assertEquals("b", fault.getString("adapter"));
        assertEquals("write", fault.getString("operation"));
        assertTrue(fault.getBoolean("write"));
        assertEquals(0, fault.getInt("memoryDomain"));
        assertEquals(region.key(), fault.getInt("key"));
        assertEquals(ADDRESS + 100, fault.getLong("address"));
        assertEquals(500, fault.getLong("length"));
        assertEquals(pair.b.queuePair.number(), fault.getInt("queuePair"));
        assertEquals(1, fault.getInt("stage"));
        assertEquals(1, fault.getInt("pages"));
        assertEquals("GRANTED", fault.getString("outcome"));
    }

    // --- guests

    private Domain guest(GuestDriver driver) {
        return hypervisor.createGuest(
                GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(driver, calls::add));
    }

    private Region register(ManagedMemory guests) {
        return pair.b.adapter.register(pair.b.domain, guests, ADDRESS, EnumSet.allOf(Right.class));
    }

    private static FaultedAccess access(
            FaultKind kind, Domain guest, Region on, long offset, int length, QueuePair by) {
        return new FaultedAccess(kind, guest.id(), on.key(), ADDRESS + offset, length, by.number());
    }

    @Test
    void theDriverOfAGuestAndTheHostAreToldTheSameAccess() {
        List<Optional<FaultedAccess>> asked = new ArrayList<>();
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add);
                Domain guest = guest(fault -> {
                    asked.add(fault.access());
                    assertTrue(fault.isWrite());
                    fault.map(fault.page() + 7);
                })) {
            Region guests = register(guest.allocate(8 * PAGE));
            FaultedAccess access = access(FaultKind.WRITE, guest, guests, PAGE + 50, 300, pair.b.queuePair);
            assertTrue(pair.a.queuePair.post(new WorkRequest.Write(
                    1,
                    Payload.of(pair.a.segment(0, 300)),
                    RemoteMemory.of(guests).plus(PAGE + 50),
                    SendOptions.SIGNALLED)));
            succeed(1);
            assertEquals(List.of(Optional.of(access)), asked);
            assertEquals(
                    List.of(access),
                    noting.begun.stream().map(PageFault::access).toList());
            assertEquals(1, noting.begun.getFirst().stage());

            assertEquals(0, Eviction.evict(hypervisor, store, guest.physical(), 8, 1), "guest physical page 8");
            noting.clear();
            assertTrue(pair.a.queuePair.post(new WorkRequest.Read(
                    2,
                    List.of(pair.a.segment(0, 300)),
                    RemoteMemory.of(guests).plus(PAGE + 50),
                    SendOptions.SIGNALLED)));
            succeed(1);
            assertEquals(1, asked.size(), "stage two is the host's");
            PageFault second = noting.begun.getFirst();
            assertEquals(2, second.stage());
            assertEquals(access(FaultKind.READ, guest, guests, PAGE + 50, 300, pair.b.queuePair), second.access());
            assertEquals(List.of(Verdict.GRANTED), noting.outcomes);
            guests.close();
        }
    }

    @Test
    void aConsumersOwnAccessIsNoAccessOfAnAdapter() {
        List<Optional<FaultedAccess>> asked = new ArrayList<>();
        // The caller waits for the driver, so another thread calls it.
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add);
                Domain guest = hypervisor.createGuest(
                        GuestOptions.ofPhysical(GuestOptions.PHYSICAL_MIN).withDriver(fault -> {
                            asked.add(fault.access());
                            fault.map(fault.page());
                        }))) {
            guest.allocate(8 * PAGE).write(0, MemorySegment.ofArray(new byte[10]));
            assertEquals(List.of(Optional.empty()), asked);
            settle();
            assertEquals(List.of(), noting.begun);
        }
    }

    /** The driver was asked for a page that is read, and has not answered when a write to the page comes. */
    @Test
    void aWriterThatJoinsAReadTurnsTheFaultIntoAWrite() {
        List<GuestFault> asked = new ArrayList<>();
        List<GuestFault> turned = new ArrayList<>();
        GuestDriver late = new GuestDriver() {
            @Override
            public void onFault(GuestFault fault) {
                assertFalse(fault.isWrite());
                asked.add(fault);
            }

            @Override
            public void onWrite(GuestFault fault) {
                turned.add(fault);
            }
        };
        try (FaultWatch _ = hypervisor.watchFaults(noting, calls::add);
                Domain guest = guest(late)) {
            ManagedMemory guests = guest.allocate(8 * PAGE);
            Region on = register(guests);
            QueuePair reader = pair.a.queuePair;
            Node writers = new Node(pair.a.adapter, 1 << 12, 16);
            Node targets = new Node(pair.b.adapter, 1 << 12, 16);
            Node.connect(writers, targets, HOW);
            Region their = pair.b.adapter.register(targets.domain, guests, ADDRESS, EnumSet.allOf(Right.class));

            assertTrue(reader.post(new WorkRequest.Read(
                    1, List.of(pair.a.segment(0, 100)), RemoteMemory.of(on), SendOptions.SIGNALLED)));
            pass(STORE_NS);
            assertEquals(1, asked.size());
            byte[] data = pattern(100, 9);
            MemorySegment.copy(MemorySegment.ofArray(data), 0, writers.memory, 0, data.length);
            assertTrue(writers.queuePair.post(new WorkRequest.Write(
                    2,
                    Payload.of(writers.segment(0, 100)),
                    RemoteMemory.of(their).plus(200),
                    SendOptions.SIGNALLED)));
            pass(STORE_NS);
            assertEquals(1, asked.size(), "one fault for both");
            assertEquals(asked, turned);
            assertTrue(asked.getFirst().isWrite());
            assertEquals(
                    Optional.of(access(FaultKind.READ, guest, on, 0, 100, pair.b.queuePair)),
                    asked.getFirst().access(),
                    "the access that came first");
            assertEquals(
                    List.of(FaultKind.READ, FaultKind.WRITE),
                    noting.begun.stream().map(fault -> fault.access().kind()).toList());
            assertEquals(List.of(), noting.ended);

            asked.getFirst().map(3);
            for (int step = 0; noting.ended.size() < 2; step++) {
                assertTrue(step < 100, noting.ended::toString);
                pass(STORE_NS);
            }
            pass(10 * STORE_NS);
            assertEquals(List.of(Verdict.GRANTED, Verdict.GRANTED), noting.outcomes);
            assertEquals(Status.SUCCESS, pair.a.drain().getFirst().status());
            assertEquals(Status.SUCCESS, writers.drain().getFirst().status());
            byte[] found = new byte[100];
            guests.read(200, MemorySegment.ofArray(found));
            assertArrayEquals(data, found);
            on.close();
            their.close();
        }
    }
}
