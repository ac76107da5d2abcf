package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.exchange.OverSwitches;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.PagingProbe;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.memory.store.StoreFaults;
import org.verbena.time.Seed;
import org.verbena.trace.Counter;

/** Datagrams and raw packets whose pages are gone: what arrives is dropped and counted, what leaves waits. */
@OverSwitches
final class UnansweredFaultTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 8;
    private static final int LENGTH = 600;
    private static final int QKEY = 9;
    private static final long STORE_NS = 100_000;

    /** The two services. */
    enum Kind {
        DATAGRAM(Service.UD, DatagramHeader.LENGTH),
        RAW(Service.RAW, 0);

        private final Service service;
        private final int header;

        Kind(Service service, int header) {
            this.service = service;
            this.header = header;
        }
    }

    private Pair pair = new Pair(1, 1, Service.UD);
    private SimulatedPageStore store = new SimulatedPageStore(pair.clock, ServiceTime.NONE, new Seed(1));
    private Hypervisor hypervisor =
            Hypervisor.open(HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
    private ManagedMemory memory = hypervisor.host().allocate(PAGE);

    private Region open(Kind kind, boolean atSender) {
        close();
        pair = new Pair(1 << 16, 16, kind.service);
        store = new SimulatedPageStore(pair.clock, new ServiceTime(STORE_NS, 0, 0), new Seed(5));
        hypervisor = Hypervisor.open(
                HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
        memory = hypervisor.host().allocate(PAGES * PAGE);
        for (Node node : List.of(pair.a, pair.b)) {
            if (kind == Kind.DATAGRAM) {
                node.queuePair.activate(DatagramOptions.of(QKEY));
            } else {
                node.queuePair.activateRaw(0x88b5);
            }
        }
        Node node = atSender ? pair.a : pair.b;
        return node.adapter.register(node.domain, memory, 0x7_0000_0000L, EnumSet.of(Right.LOCAL_WRITE));
    }

    @AfterEach
    void close() {
        pair.close();
        memory.close();
        hypervisor.close();
    }

    private void fill(int page) {
        byte[] bytes = new byte[PAGE];
        Arrays.fill(bytes, (byte) (0x50 + page));
        memory.write((long) page * PAGE, MemorySegment.ofArray(bytes));
    }

    private void evict(long page) {
        assertEquals(0, Eviction.evict(hypervisor, store, memory, page, 1));
    }

    private void bring(PagingProbe.Where state, int page) {
        if (state != PagingProbe.Where.ZERO) {
            fill(page);
        }
        switch (state) {
            case ABSENT -> evict(page);
            case LOADING -> {
                evict(page);
                memory.advise((long) page * PAGE, PAGE, Advice.WILL_NEED);
            }
            case CLEANING -> memory.advise((long) page * PAGE, PAGE, Advice.PAGE_OUT);
            default -> {}
        }
        assertEquals(state, PagingProbe.state(memory, page));
    }

    /** Turns of both adapters and the store at this time, then so much later. */
    private void run(long laterNs) {
        pair.run();
        pair.clock.advance(laterNs);
        store.work(pair.clock.nowNs());
        pair.run();
    }

    private static byte[] message(int number) {
        byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            bytes[i] = (byte) (number * 31 + i);
        }
        return bytes;
    }

    private void send(Kind kind, int number, Payload data) {
        AddressHandle to = pair.a.adapter.createAddressHandle(pair.a.domain, pair.b.adapter.endpoint());
        assertTrue(pair.a.queuePair.post(
                kind == Kind.DATAGRAM
                        ? new WorkRequest.SendDatagram(
                                number, data, to, pair.b.queuePair.number(), QKEY, SendOptions.SIGNALLED)
                        : new WorkRequest.SendRaw(number, data, to, SendOptions.SIGNALLED)));
    }

    private Payload warm(int number) {
        MemorySegment.copy(message(number), 0, pair.a.memory, ValueLayout.JAVA_BYTE, 0, LENGTH);
        return Payload.of(pair.a.segment(0, LENGTH));
    }

    private byte[] received(Kind kind, long offset) {
        byte[] bytes = new byte[LENGTH];
        memory.read(offset + kind.header, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private long counted(Counter counter) {
        return pair.b.adapter.counters().value(counter);
    }

    /**
     * @param offset of the receive: the missing page 1 is met by the first byte, by the data behind the header, or in the
     *     middle
     */
    @ParameterizedTest
    @CsvSource({
        "DATAGRAM, ABSENT, 4096",
        "DATAGRAM, ABSENT, 4056",
        "DATAGRAM, ABSENT, 3800",
        "DATAGRAM, LOADING, 4000",
        "RAW, ABSENT, 4096",
        "RAW, ABSENT, 3800",
        "RAW, LOADING, 4000"
    })
    void whatArrivesIsDroppedAndTheNextFindsThePage(Kind kind, PagingProbe.Where state, long offset) {
        Region region = open(kind, false);
        fill(0);
        bring(state, 1);
        assertTrue(pair.b.queuePair.post(
                new WorkRequest.Receive(1, LocalSegment.of(region, offset, LENGTH + kind.header))));
        send(kind, 1, warm(1));
        run(0);
        send(kind, 2, warm(2));
        run(0);
        assertEquals(List.of(), pair.b.drain());
        assertEquals(2, counted(Counter.DROPPED_PAGE_FAULT));
        assertEquals(1, pair.b.adapter.faultsOpen());
        run(STORE_NS);
        send(kind, 3, warm(3));
        run(0);
        assertEquals(3, pair.a.drain().size());
        Completion received = pair.b.drain().getFirst();
        assertEquals(Status.SUCCESS, received.status());
        assertEquals(1, received.id());
        assertArrayEquals(message(3), received(kind, offset));
        assertEquals(2, counted(Counter.DROPPED_PAGE_FAULT));
        requireNothingKept();
        region.close();
    }

    @ParameterizedTest
    @CsvSource({
        "DATAGRAM, ZERO",
        "DATAGRAM, PRESENT",
        "DATAGRAM, CLEANING",
        "RAW, ZERO",
        "RAW, PRESENT",
        "RAW, CLEANING"
    })
    void whatNeedsNothingFromTheStoreIsTaken(Kind kind, PagingProbe.Where state) {
        Region region = open(kind, false);
        fill(0);
        bring(state, 1);
        assertTrue(pair.b.queuePair.post(
                new WorkRequest.Receive(1, LocalSegment.of(region, PAGE - 100, LENGTH + kind.header))));
        send(kind, 1, warm(1));
        run(0);
        assertEquals(1, pair.b.drain().size());
        run(STORE_NS);
        assertArrayEquals(message(1), received(kind, PAGE - 100));
        assertEquals(0, counted(Counter.DROPPED_PAGE_FAULT));
        requireNothingKept();
        region.close();
    }

    /** The page comes, nobody uses it, and it may go again. */
    @ParameterizedTest
    @EnumSource
    void aPageThatNobodyUsesIsKeptForAWhileOnly(Kind kind) {
        Region region = open(kind, false);
        bring(PagingProbe.Where.ABSENT, 1);
        assertTrue(
                pair.b.queuePair.post(new WorkRequest.Receive(1, LocalSegment.of(region, PAGE, LENGTH + kind.header))));
        send(kind, 1, warm(1));
        run(STORE_NS);
        assertEquals(PagingProbe.Where.PRESENT, PagingProbe.state(memory, 1));
        assertEquals(1, pair.b.adapter.faultsOpen());
        run(1_000_000_000);
        requireNothingKept();
        assertEquals(1, counted(Counter.PAGE_LEASES_EXPIRED));
        region.close();
    }

    /** A page that cannot be read costs the message; the queue pair lives. */
    @ParameterizedTest
    @EnumSource
    void anErrorOfTheStoreCostsTheMessage(Kind kind) {
        Region region = open(kind, false);
        bring(PagingProbe.Where.ABSENT, 1);
        store.inject(StoreFaults.NONE.readErrorAt(1));
        assertTrue(
                pair.b.queuePair.post(new WorkRequest.Receive(1, LocalSegment.of(region, PAGE, LENGTH + kind.header))));
        send(kind, 1, warm(1));
        run(STORE_NS);
        requireNothingKept();
        send(kind, 2, warm(2));
        run(STORE_NS);
        send(kind, 3, warm(3));
        run(0);
        assertEquals(QueuePairState.READY_TO_SEND, pair.b.queuePair.state());
        assertEquals(1, pair.b.drain().size());
        assertArrayEquals(message(3), received(kind, PAGE));
        region.close();
    }

    @ParameterizedTest
    @CsvSource({
        "DATAGRAM, ABSENT", "DATAGRAM, LOADING", "DATAGRAM, CLEANING", "DATAGRAM, ZERO",
        "RAW, ABSENT", "RAW, LOADING", "RAW, CLEANING", "RAW, ZERO"
    })
    void whatLeavesWaits(Kind kind, PagingProbe.Where state) {
        Region region = open(kind, true);
        fill(0);
        bring(state, 1);
        byte[] sent = new byte[LENGTH];
        Arrays.fill(sent, 0, 200, (byte) 0x50);
        Arrays.fill(sent, 200, LENGTH, state == PagingProbe.Where.ZERO ? 0 : (byte) 0x51);
        for (int i = 1; i <= 2; i++) {
            assertTrue(
                    pair.b.queuePair.post(new WorkRequest.Receive(i, pair.b.segment(4096L * i, LENGTH + kind.header))));
        }
        send(kind, 1, Payload.of(LocalSegment.of(region, PAGE - 200, LENGTH)));
        send(kind, 2, warm(2));
        run(0);
        boolean waits = state == PagingProbe.Where.ABSENT || state == PagingProbe.Where.LOADING;
        assertEquals(waits ? 0 : 2, pair.b.drain().size());
        run(STORE_NS);
        assertEquals(2, pair.a.drain().size());
        assertEquals(waits ? 2 : 0, pair.b.drain().size());
        assertArrayEquals(
                sent, pair.b.memory.asSlice(4096L + kind.header, LENGTH).toArray(ValueLayout.JAVA_BYTE));
        assertArrayEquals(
                message(2), pair.b.memory.asSlice(8192L + kind.header, LENGTH).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(waits ? 1 : 0, pair.a.adapter.counters().value(Counter.GATHER_PAGE_FAULTS));
        requireNothingKept();
        region.close();
    }

    private void requireNothingKept() {
        assertEquals(0, pair.a.adapter.faultsOpen() + pair.b.adapter.faultsOpen());
        assertEquals(List.of(), PagingProbe.kept(memory));
    }
}
