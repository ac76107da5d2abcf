package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** Post, both engines' turns and poll allocate nothing in steady state. */
@OverEachWire
final class AllocationTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int WARM_UP = 60_000;
    private static final int MESSAGES = 40_000;
    /** What a compilation or a class loaded late may cost in all, far below one byte a message. */
    private static final long SLACK = 16_000;

    private static final SendOptions SOLICITED = SendOptions.SIGNALLED.withSolicited();

    private final Completions batch = new Completions(64);
    private Pair pair;

    AllocationTest(Wire wire) {
        pair = new Pair(wire, 1 << 20, 64, ConnectionOptions.DEFAULT);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void allocatesNothing(WorkRequest.Sending request, boolean takesReceive) {
        var receive = new WorkRequest.Receive(1, pair.b.segment(0, 1 << 16));
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 12 && best >= SLACK; attempt++) {
            for (int i = 0; i < WARM_UP; i++) {
                exchange(request, receive, takesReceive);
            }
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < MESSAGES; i++) {
                exchange(request, receive, takesReceive);
            }
            best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        long allocated = best;
        assertTrue(allocated < SLACK, () -> allocated + " bytes in " + MESSAGES + " messages");
    }

    private void exchange(WorkRequest.Sending request, WorkRequest.Receive receive, boolean takesReceive) {
        if (takesReceive) {
            pair.b.queuePair.post(receive);
        }
        pair.a.queuePair.post(request);
        pair.run();
        taken(pair.a);
        if (takesReceive) {
            taken(pair.b);
        }
    }

    /** Posts parts of a transfer whose offsets, length and immediate data differ from post to post. */
    private void allocatesNothing(PreparedTransfer transfer, boolean takesReceive, int lengthMax) {
        var receive = new WorkRequest.Receive(1, pair.b.segment(0, 1 << 16));
        long best = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 12 && best >= SLACK; attempt++) {
            exchange(WARM_UP, transfer, receive, takesReceive, lengthMax);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            exchange(MESSAGES, transfer, receive, takesReceive, lengthMax);
            best = Math.min(best, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        long allocated = best;
        assertTrue(allocated < SLACK, () -> allocated + " bytes in " + MESSAGES + " messages");
    }

    private void exchange(
            int messages, PreparedTransfer transfer, WorkRequest.Receive receive, boolean takesReceive, int lengthMax) {
        for (int i = 0; i < messages; i++) {
            if (takesReceive) {
                assertTrue(pair.b.queuePair.post(receive));
            }
            int length = i * 31 % (lengthMax + 1);
            assertTrue(pair.a.queuePair.post(
                    transfer,
                    i,
                    i % 4096,
                    length,
                    transfer.remote() == null ? 0 : i % 1000,
                    transfer.hasImmediate() ? i : 0,
                    (i & 1) == 0 ? SendOptions.SIGNALLED : SOLICITED));
            pair.run();
            taken(pair.a);
            if (takesReceive) {
                taken(pair.b);
            }
        }
    }

    private void taken(Node node) {
        assertEquals(1, node.completions.poll(batch));
        assertEquals(Status.SUCCESS, batch.status(0));
    }

    @Test
    void send() {
        allocatesNothing(new WorkRequest.Send(1, pair.a.segment(0, 64)), true);
    }

    @Test
    void writeOfABufferThatNeedsNoRegistration() {
        MemorySegment buffer = pair.a.adapter.arena().allocate(5000);
        allocatesNothing(new WorkRequest.Write(1, buffer, pair.b.remote(0)), false);
    }

    @Test
    void memoryOnTheHeapThatIsCopied() {
        LocalSegment array = LocalSegment.copied(new byte[5000]);
        allocatesNothing(new WorkRequest.Write(1, array, pair.b.remote(0)), false);
        allocatesNothing(new WorkRequest.Read(1, array, pair.b.remote(0)), false);
    }

    @Test
    void sendOfSeveralPackets() {
        allocatesNothing(new WorkRequest.Send(1, pair.a.segment(0, 5000), pair.a.segment(9000, 5000)), true);
    }

    /** Whether the wire has the service; the pair uses it then. */
    private boolean use(Service service) {
        if (pair.a.lacks(service)) {
            return false;
        }
        pair.close();
        pair = new Pair(1 << 20, 64, service);
        return true;
    }

    @Test
    void unreliableSend() {
        if (use(Service.UC)) {
            Node.connect(pair.a, pair.b, ConnectionOptions.DEFAULT);
            allocatesNothing(new WorkRequest.Send(1, pair.a.segment(0, 10_000)), true);
        }
    }

    @Test
    void unreliableWrite() {
        if (use(Service.UC)) {
            Node.connect(pair.a, pair.b, ConnectionOptions.DEFAULT);
            allocatesNothing(new WorkRequest.Write(1, pair.a.segment(0, 10_000), pair.b.remote(0)), false);
        }
    }

    @Test
    void datagram() {
        if (!use(Service.UD)) {
            return;
        }
        pair.a.queuePair.activate(DatagramOptions.of(7));
        pair.b.queuePair.activate(DatagramOptions.of(7));
        AddressHandle to = pair.a.adapter.createAddressHandle(pair.a.domain, pair.b.adapter.endpoint());
        allocatesNothing(
                new WorkRequest.SendDatagram(
                        1,
                        Payload.of(pair.a.segment(0, 1000)),
                        to,
                        pair.b.queuePair.number(),
                        7,
                        SendOptions.SIGNALLED),
                true);
    }

    @Test
    void write() {
        allocatesNothing(new WorkRequest.Write(1, pair.a.segment(0, 10_000), pair.b.remote(0)), false);
    }

    @Test
    void read() {
        allocatesNothing(new WorkRequest.Read(1, pair.a.segment(0, 10_000), pair.b.remote(0)), false);
    }

    @Test
    void messagesThatAreCountedOnTheirRegion() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(3));
        try (Hypervisor hypervisor =
                Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(store))) {
            ManagedMemory memory = hypervisor.host().allocateWired(1 << 16);
            CurrentIoOptions options = CurrentIoOptions.of(CurrentIo.Mode.LIBRARY_AND_PEERS)
                    .withWord(Arena.ofAuto().allocate(8, 8));
            try (Region region =
                    pair.b.adapter.register(pair.b.domain, memory, 0, EnumSet.allOf(Right.class), options)) {
                LocalSegment local = pair.a.segment(0, 10_000);
                allocatesNothing(new WorkRequest.Write(1, local, RemoteMemory.of(region)), false);
                allocatesNothing(new WorkRequest.Read(1, local, RemoteMemory.of(region)), false);
            }
            memory.close();
        }
    }

    @Test
    void fetchAdd() {
        allocatesNothing(
                new WorkRequest.FetchAdd(1, pair.a.segment(0, 8), pair.b.remote(0), 1, SendOptions.SIGNALLED), false);
    }

    @Test
    void preparedSends() {
        allocatesNothing(PreparedTransfer.send(pair.a.region), true, 3000);
    }

    @Test
    void preparedWritesAndReads() {
        allocatesNothing(PreparedTransfer.write(pair.a.region, pair.b.remote(0)), false, 3000);
        allocatesNothing(PreparedTransfer.writeWithImmediate(pair.a.region, pair.b.remote(0)), true, 3000);
        allocatesNothing(PreparedTransfer.read(pair.a.region, pair.b.remote(0)), false, 3000);
    }

    @Test
    void preparedDatagrams() {
        if (!use(Service.UD)) {
            return;
        }
        pair.a.queuePair.activate(DatagramOptions.of(7));
        pair.b.queuePair.activate(DatagramOptions.of(7));
        AddressHandle to = pair.a.adapter.createAddressHandle(pair.a.domain, pair.b.adapter.endpoint());
        allocatesNothing(
                PreparedTransfer.datagramWithImmediate(pair.a.region, to, pair.b.queuePair.number(), 7), true, 1000);
    }

    /** Pages that are there cost nothing, landings of reads included. */
    @Test
    void pageableMemory() {
        var clock = new VirtualClock(0);
        var store = new SimulatedPageStore(clock, ServiceTime.NONE, new Seed(1));
        try (Hypervisor hypervisor = Hypervisor.open(
                        HypervisorOptions.of(HypervisorOptions.MEMORY_MIN).withStore(store));
                ManagedMemory memory = hypervisor.host().allocate(1 << 17)) {
            memory.write(0, MemorySegment.ofArray(new byte[1 << 17]));
            try (Region a = pair.a.adapter.register(pair.a.domain, memory, 0, EnumSet.allOf(Right.class));
                    Region b = pair.b.adapter.register(pair.b.domain, memory, 0, EnumSet.allOf(Right.class))) {
                LocalSegment here = LocalSegment.of(a, 100, 10_000);
                RemoteMemory there = RemoteMemory.of(b).plus(1 << 16);
                allocatesNothing(new WorkRequest.Write(1, here, there), false);
                allocatesNothing(new WorkRequest.Read(1, here, there), false);
                allocatesNothing(
                        new WorkRequest.FetchAdd(1, LocalSegment.of(a, 0, 8), there, 1, SendOptions.SIGNALLED), false);
            }
        }
    }
}
