package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.exchange.Wires;
import org.verbena.memory.CurrentIo.Mode;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.QuiescingException;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.hypervisor.SmallHypervisor;
import org.verbena.memory.protection.Quiescence;

/** Operations on a region that may be swapped out: counted from post to retirement, whatever becomes of a request. */
@OverEachWire
final class CurrentIoTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);

    private final Hypervisor hypervisor = SmallHypervisor.open();
    private final Wire wire;
    private final Pair pair;
    private final Node a;
    private final Node b;
    private final Region region;

    CurrentIoTest(Wire wire) {
        this.wire = wire;
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
        region = register(a, Mode.LIBRARY);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private Region register(Node node, Mode mode) {
        return node.adapter.register(
                node.domain, hypervisor.host().allocateWired(8192), 0, ALL, CurrentIoOptions.of(mode));
    }

    private static LocalSegment part(Region region) {
        return LocalSegment.of(region, 0, 8);
    }

    private static List<Status> statuses(Node node) {
        return node.drain().stream().map(Completion::status).toList();
    }

    private List<WorkRequest.Sending> everything(SendOptions options) {
        Payload data = Payload.of(part(region));
        return List.of(
                new WorkRequest.Send(1, data, options),
                wire == Wire.IWARP // which has no send with immediate data
                        ? new WorkRequest.Send(2, data, options)
                        : new WorkRequest.SendWithImmediate(2, data, 7, options),
                new WorkRequest.Write(3, data, b.remote(0), options),
                new WorkRequest.WriteWithImmediate(4, data, b.remote(0), 7, options),
                new WorkRequest.Read(5, List.of(part(region)), b.remote(0), options),
                new WorkRequest.FetchAdd(6, part(region), b.remote(0), 1, options),
                new WorkRequest.CompareSwap(7, part(region), b.remote(0), 1, 2, options));
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfRequestIsCountedUntilItIsDone(Signal signal) {
        List<WorkRequest.Sending> requests = everything(signal.options());
        requests.forEach(request -> {
            assertTrue(a.queuePair.post(request));
            assertTrue(b.queuePair.post(new WorkRequest.Receive(0, b.segment(0, 64))));
        });
        assertEquals(requests.size(), region.currentIo().operations());
        pair.run();
        assertEquals(0, region.currentIo().operations());
        assertEquals(signal == Signal.YES ? requests.size() : 0, a.drain().size());
    }

    enum Signal {
        YES,
        NO;

        SendOptions options() {
            return this == YES ? SendOptions.SIGNALLED : SendOptions.UNSIGNALLED;
        }
    }

    @Test
    void everySegmentIsCountedAndOtherMemoryIsNot() {
        Region other = register(a, Mode.LIBRARY);
        a.queuePair.post(new WorkRequest.Write(
                1,
                Payload.of(part(region), a.segment(0, 8), part(other), part(region)),
                b.remote(0),
                SendOptions.SIGNALLED));
        a.queuePair.post(new WorkRequest.Write(2, Payload.inline(new byte[8]), b.remote(0), SendOptions.SIGNALLED));
        assertEquals(2, region.currentIo().operations());
        assertEquals(1, other.currentIo().operations());
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS), statuses(a));
        assertEquals(0, region.currentIo().operations());
        assertEquals(0, other.currentIo().operations());
    }

    @Test
    void anOperationHasEndedWhenItsConsumerIsTold() {
        a.queuePair.post(new WorkRequest.Write(1, part(region), b.remote(0)));
        while (a.completions.poll() == null) {
            assertEquals(1, region.currentIo().operations());
            a.adapter.work(pair.clock.nowNs());
            if (region.currentIo().operations() == 0) {
                assertEquals(1, a.drain().size());
                return;
            }
            b.adapter.work(pair.clock.nowNs());
        }
        throw new AssertionError("told of an operation under way");
    }

    @Test
    void aFailureAndTheFlushBehindItEndOperations() {
        a.queuePair.post(new WorkRequest.Receive(9, part(region)));
        a.queuePair.post(new WorkRequest.Read(1, part(region), b.remote(-8)));
        a.queuePair.post(new WorkRequest.Write(2, part(region), b.remote(0)));
        assertEquals(3, region.currentIo().operations());
        pair.run();
        assertEquals(List.of(Status.REMOTE_ACCESS_ERROR, Status.FLUSHED, Status.FLUSHED), statuses(a));
        assertEquals(0, region.currentIo().operations());
        a.queuePair.post(new WorkRequest.Write(3, part(region), b.remote(0)));
        a.queuePair.post(new WorkRequest.Receive(4, part(region)));
        assertEquals(2, region.currentIo().operations());
        pair.run();
        assertEquals(0, region.currentIo().operations());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsForgottenHasEnded(Farewell farewell) {
        a.queuePair.post(new WorkRequest.Receive(9, part(region), part(region)));
        a.queuePair.post(new WorkRequest.Write(1, part(region), b.remote(0)));
        a.queuePair.post(new WorkRequest.Read(2, part(region), b.remote(0)));
        a.adapter.work(pair.clock.nowNs());
        a.queuePair.post(new WorkRequest.Write(3, part(region), b.remote(0)));
        // Over iWARP the first write is done: its bytes are in the stream.
        assertEquals(wire == Wire.IWARP ? 4 : 5, region.currentIo().operations());
        switch (farewell) {
            case RESET -> a.queuePair.reset();
            case CLOSE -> a.queuePair.close();
        }
        assertEquals(0, region.currentIo().operations());
    }

    enum Farewell {
        RESET,
        CLOSE
    }

    @Test
    void aCompletionQueueThatIsFullEndsOperationsAllTheSame() {
        CompletionQueue small = a.adapter.createCompletionQueue(1);
        QueuePair sender = a.adapter.createQueuePair(QueuePairOptions.of(a.domain, small));
        QueuePair receiver = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        Wires.connect(sender, receiver, ConnectionOptions.DEFAULT);
        for (int i = 0; i < 5; i++) {
            sender.post(new WorkRequest.Write(i, part(region), b.remote(0)));
            sender.post(new WorkRequest.Receive(i, part(region)));
        }
        pair.run();
        assertEquals(0, region.currentIo().operations());
    }

    @Test
    void aReceiveIsCountedUntilItsMessageIsThere() {
        a.queuePair.post(new WorkRequest.Receive(1, part(region)));
        a.queuePair.post(new WorkRequest.Receive(2, part(region)));
        pair.run();
        assertEquals(2, region.currentIo().operations());
        b.queuePair.post(new WorkRequest.Send(3, b.segment(0, 8)));
        pair.run();
        assertEquals(1, region.currentIo().operations());
    }

    @Test
    void aSharedReceiveIsCountedUntilItIsUsedOrTheQueueIsClosed() {
        SharedReceiveQueue shared = a.adapter.createSharedReceiveQueue(8, 2);
        QueuePair receiver = a.adapter.createQueuePair(
                QueuePairOptions.of(a.domain, a.completions).withSharedReceives(shared));
        QueuePair sender = b.adapter.createQueuePair(QueuePairOptions.of(b.domain, b.completions));
        Wires.connect(sender, receiver, ConnectionOptions.DEFAULT);
        for (int i = 0; i < 3; i++) {
            shared.post(new WorkRequest.Receive(i, part(region)));
        }
        sender.post(new WorkRequest.Send(3, b.segment(0, 8)));
        pair.run();
        assertEquals(2, region.currentIo().operations());
        receiver.close();
        assertEquals(2, region.currentIo().operations());
        shared.close();
        assertEquals(0, region.currentIo().operations());
        assertThrows(IllegalStateException.class, () -> shared.post(new WorkRequest.Receive(4, part(region))));
    }

    @ParameterizedTest
    @EnumSource(names = {"UC", "UD"})
    void unreliableServicesCountToo(Service service) {
        if (pair.a.lacks(service)) {
            return;
        }
        try (Pair other = new Pair(4096, 8, service)) {
            Region mine = other.a.adapter.register(
                    other.a.domain, hypervisor.host().allocateWired(4096), 0, ALL, CurrentIoOptions.of(Mode.LIBRARY));
            WorkRequest.Sending request;
            if (service == Service.UC) {
                Node.connect(other.a, other.b, ConnectionOptions.DEFAULT);
                request = new WorkRequest.Send(1, part(mine));
            } else {
                other.a.queuePair.activate(DatagramOptions.of(7));
                AddressHandle to = other.a.adapter.createAddressHandle(other.a.domain, other.b.adapter.endpoint());
                request = new WorkRequest.SendDatagram(
                        1, Payload.of(part(mine)), to, other.b.queuePair.number(), 7, SendOptions.SIGNALLED);
            }
            other.a.queuePair.post(new WorkRequest.Receive(2, part(mine)));
            other.a.queuePair.post(request);
            assertEquals(2, mine.currentIo().operations());
            other.run();
            assertEquals(1, mine.currentIo().operations());
            other.a.queuePair.post(request);
            other.a.queuePair.reset();
            assertEquals(0, mine.currentIo().operations());
        }
    }

    @Test
    void noOperationBeginsWhileQuiescingAndThePostSaysWhereToWait() {
        Region other = register(a, Mode.LIBRARY);
        a.queuePair.post(new WorkRequest.Write(1, part(region), b.remote(0)));
        assertTrue(Quiescence.request(region));
        var mixed = new WorkRequest.Write(2, Payload.of(part(other), part(region)), b.remote(0), SendOptions.SIGNALLED);
        var refused = assertThrows(QuiescingException.class, () -> a.queuePair.post(mixed));
        assertSame(region.currentIo(), refused.currentIo());
        assertThrows(QuiescingException.class, () -> a.queuePair.post(new WorkRequest.Receive(3, part(region))));
        assertEquals(0, other.currentIo().operations());
        assertFalse(Quiescence.complete(region));
        pair.run(); // what was begun finishes
        assertEquals(List.of(Status.SUCCESS), statuses(a));
        assertTrue(Quiescence.complete(region));
        assertThrows(QuiescingException.class, () -> a.queuePair.post(mixed));
        assertTrue(a.queuePair.post(new WorkRequest.Write(4, part(other), b.remote(0))));
        assertTrue(Quiescence.resume(region));
        assertTrue(a.queuePair.post(mixed));
        assertTrue(a.queuePair.post(new WorkRequest.Receive(3, part(region))));
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS), statuses(a));
    }

    @Test
    void whileSwappedOutPeersAreRefusedByKeyAndByWindowAndAfterwardsBothServeAgain() {
        Window window = a.adapter.createWindow(a.domain, Window.Type.TYPE_1);
        int windowKey = MemoryKey.next(window.key());
        a.queuePair.post(new WorkRequest.BindWindow(
                1, window, windowKey, region, 0, 64, EnumSet.of(Right.REMOTE_WRITE), SendOptions.SIGNALLED));
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses(a));
        List<RemoteMemory> targets = List.of(RemoteMemory.of(region), new RemoteMemory(0, windowKey));

        assertTrue(Quiescence.request(region));
        targets.forEach(target -> assertEquals(Status.SUCCESS, write(target), "what was begun elsewhere may finish"));
        assertTrue(Quiescence.complete(region));
        for (RemoteMemory target : targets) {
            assertEquals(pair.refused(Status.REMOTE_ACCESS_ERROR), write(target));
            assertEquals(QueuePairState.ERROR, b.queuePair.state());
            reconnect();
        }
        assertTrue(Quiescence.resume(region));
        assertEquals(targets.getFirst().key(), region.key());
        targets.forEach(target -> assertEquals(Status.SUCCESS, write(target)));
    }

    private Status write(RemoteMemory target) {
        b.queuePair.post(new WorkRequest.Write(2, b.segment(0, 8), target));
        pair.run();
        return statuses(b).getFirst();
    }

    private void reconnect() {
        a.drain();
        b.drain();
        pair.reconnect();
    }

    @Test
    void aConsumerThatCountsItselfAndPostsAnywayFailsInTheQueue() {
        Region own = register(a, Mode.CONSUMER);
        assertTrue(own.currentIo().begin());
        a.queuePair.post(new WorkRequest.Write(1, part(own), b.remote(0)));
        pair.run();
        assertEquals(1, own.currentIo().operations());
        Quiescence.request(own);
        assertFalse(own.currentIo().begin());
        assertFalse(Quiescence.complete(own));
        own.currentIo().end();
        assertTrue(Quiescence.complete(own));
        a.drain();
        assertTrue(a.queuePair.post(new WorkRequest.Write(2, part(own), b.remote(0))));
        pair.run();
        assertEquals(List.of(Status.LOCAL_PROTECTION_ERROR), statuses(a));
    }

    @Test
    void aRegionThatWasClosedUnderItsOperationsIsForgotten() {
        a.queuePair.post(new WorkRequest.Receive(1, part(region)));
        a.queuePair.post(new WorkRequest.Read(2, part(region), b.remote(0)));
        region.close();
        pair.run();
        assertEquals(List.of(Status.LOCAL_PROTECTION_ERROR, Status.FLUSHED), statuses(a));
    }

    @Test
    void aQueuePairOfAnotherDomainDoesNotCount() {
        Region foreign = a.adapter.register(
                a.adapter.createProtectionDomain(),
                hypervisor.host().allocateWired(4096),
                0,
                ALL,
                CurrentIoOptions.of(Mode.LIBRARY));
        a.queuePair.post(new WorkRequest.Receive(1, part(foreign)));
        assertEquals(0, foreign.currentIo().operations());
    }

    // --- count and indicator in memory of the consumer

    private Region register(Mode mode, MemorySegment word) {
        CurrentIoOptions options = CurrentIoOptions.of(mode).withWord(word);
        return a.adapter.register(a.domain, hypervisor.host().allocateWired(8192), 0, ALL, options);
    }

    @Test
    void postsAreCountedInAWordOfTheConsumer() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(8, 8);
            Region own = register(Mode.LIBRARY, word);
            a.queuePair.post(new WorkRequest.Write(1, part(own), b.remote(0)));
            a.queuePair.post(new WorkRequest.Receive(2, part(own)));
            assertEquals(2, word.get(ValueLayout.JAVA_LONG, 0));
            pair.run();
            assertEquals(1, word.get(ValueLayout.JAVA_LONG, 0));
            assertEquals(List.of(Status.SUCCESS), statuses(a));
            assertTrue(Quiescence.request(own));
            var refused = assertThrows(
                    QuiescingException.class, () -> a.queuePair.post(new WorkRequest.Write(3, part(own), b.remote(0))));
            assertSame(own.currentIo(), refused.currentIo());
            assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
            assertFalse(Quiescence.complete(own));
            b.queuePair.post(new WorkRequest.Send(4, b.segment(0, 8)));
            pair.run();
            assertEquals(Long.MIN_VALUE, word.get(ValueLayout.JAVA_LONG, 0));
            assertTrue(Quiescence.complete(own));
            own.close();
        }
    }

    @Test
    void whateverTheConsumerWritesInItsWordARegionThatIsOutStaysClosedToPeersAndToItself() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(8, 8);
            Region own = register(Mode.CONSUMER, word);
            assertTrue(Quiescence.request(own));
            assertTrue(Quiescence.complete(own));
            for (long lie : new long[] {0, 1, -1}) {
                word.set(ValueLayout.JAVA_LONG, 0, lie);
                assertEquals(pair.refused(Status.REMOTE_ACCESS_ERROR), write(RemoteMemory.of(own)));
                assertEquals(QueuePairState.ERROR, b.queuePair.state());
                reconnect();
                a.queuePair.post(new WorkRequest.Write(2, part(own), b.remote(0)));
                pair.run();
                assertEquals(List.of(Status.LOCAL_PROTECTION_ERROR), statuses(a));
                assertEquals(QueuePairState.ERROR, a.queuePair.state());
                reconnect();
            }
            own.close();
        }
    }

    @Test
    void aWordWhoseArenaIsClosedStopsTheCountingAndNoRequest() {
        Arena arena = Arena.ofShared();
        Region own = register(Mode.LIBRARY, arena.allocate(8, 8));
        a.queuePair.post(new WorkRequest.Write(1, part(own), b.remote(0)));
        arena.close();
        a.queuePair.post(new WorkRequest.Write(2, part(own), b.remote(0)));
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS), statuses(a));
        assertEquals(QueuePairState.READY_TO_SEND, a.queuePair.state());
        assertEquals(0, own.currentIo().operations());
        assertFalse(Quiescence.request(own));
        assertEquals(Status.SUCCESS, write(RemoteMemory.of(own)));
        own.close();
    }

    // --- shared regions, and memory that stays

    @Test
    void aSharedRegionCountsForItself() {
        Region shared = a.adapter.share(region, a.domain, ALL, CurrentIoOptions.of(Mode.LIBRARY));
        a.queuePair.post(new WorkRequest.Write(1, part(shared), b.remote(0)));
        assertEquals(1, shared.currentIo().operations());
        assertEquals(0, region.currentIo().operations());
        assertTrue(Quiescence.request(shared));
        assertThrows(QuiescingException.class, () -> a.queuePair.post(new WorkRequest.Receive(2, part(shared))));
        assertTrue(a.queuePair.post(new WorkRequest.Receive(2, part(region))));
        pair.run();
        assertTrue(Quiescence.complete(shared));
        assertEquals(pair.refused(Status.REMOTE_ACCESS_ERROR), write(RemoteMemory.of(shared)));
        reconnect();
        assertEquals(Status.SUCCESS, write(RemoteMemory.of(region)));
    }

    @Test
    void machineMemoryIsRefusedACurrentIoAndServesWithoutOne() {
        try (MachineMemory machine = new MachineMemory(1 << 20)) {
            ManagedMemory stays = machine.allocate(4096);
            String found = String.valueOf(assertThrows(
                            IllegalArgumentException.class,
                            () -> a.adapter.register(a.domain, stays, 0, ALL, CurrentIoOptions.of(Mode.LIBRARY)))
                    .getMessage());
            assertTrue(found.startsWith("machine memory found, memory of a hypervisor expected"), found);
            try (Region plain = a.adapter.register(a.domain, stays, 0, ALL)) {
                assertEquals(Status.SUCCESS, write(RemoteMemory.of(plain)));
            }
            stays.close();
        }
    }
}
