package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
import org.verbena.memory.CurrentIo.Mode;
import org.verbena.memory.CurrentIoOptions;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.Eviction;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.protection.Quiescence;
import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;

/** Messages of a peer on a region that may be swapped out: counted from the first part to the last, if the owner wishes it. */
@OverEachWire
final class PeerMessagesTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final int BYTES = 1 << 20;
    private static final int TURNS_MAX = 10_000;

    private final Pair pair;
    private final Node a;
    private final Node b;
    private final SimulatedPageStore store;
    private final Hypervisor hypervisor;

    PeerMessagesTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
        store = new SimulatedPageStore(pair.clock, ServiceTime.DISK, new Seed(3));
        hypervisor = Hypervisor.open(HypervisorOptions.of(8L << 20).withStore(store));
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private Region register(Mode mode) {
        return a.adapter.register(a.domain, hypervisor.host().allocateWired(BYTES), 0, ALL, CurrentIoOptions.of(mode));
    }

    private static int operations(Region region) {
        return region.currentIo().operations();
    }

    private void turn() {
        turn(pair);
    }

    private static void turn(Pair both) {
        both.b.adapter.work(both.clock.nowNs());
        both.a.adapter.work(both.clock.nowNs());
    }

    /** Turns until part of the message is there, and not all. */
    private void runUntilUnderWay(Region region) {
        runUntil(pair, region, 1);
    }

    private static void runUntil(Pair both, Region region, int least) {
        for (int turns = 0; operations(region) < least; turns++) {
            assertTrue(turns < TURNS_MAX, "counted: " + operations(region));
            turn(both);
        }
    }

    private List<Status> statuses() {
        return b.drain().stream().map(Completion::status).toList();
    }

    enum Message {
        WRITE,
        READ;

        /** The requester asks for the bytes of a long read by several requests. Each is a message for the responder. */
        boolean isMany() {
            return this == READ;
        }

        WorkRequest.Sending request(Node peer, RemoteMemory target, int bytes) {
            LocalSegment local = peer.segment(0, bytes);
            return this == WRITE ? new WorkRequest.Write(1, local, target) : new WorkRequest.Read(1, local, target);
        }
    }

    // --- counted

    @ParameterizedTest
    @EnumSource
    void quiesceWaitsForAMessageUnderWay(Message message) {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        b.queuePair.post(message.request(b, RemoteMemory.of(region), BYTES));
        runUntilUnderWay(region);
        assertTrue(message.isMany() || operations(region) == 1);
        assertTrue(Quiescence.request(region));
        assertFalse(Quiescence.complete(region));
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses());
        assertEquals(0, operations(region));
        assertTrue(Quiescence.complete(region));
    }

    @ParameterizedTest
    @EnumSource
    void theHypervisorIsToldOfTheEndOfTheLastMessage(Message message) {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        b.queuePair.post(message.request(b, RemoteMemory.of(region), BYTES));
        runUntilUnderWay(region);
        var told = new int[1];
        assertTrue(Quiescence.request(region, () -> told[0]++));
        assertEquals(0, told[0]);
        pair.run();
        assertTrue(message.isMany() ? told[0] > 0 : told[0] == 1, "told " + told[0] + " times");
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatBeginsWhileQuiescingIsLetInAndCounted(Message message) {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        assertTrue(Quiescence.request(region));
        b.queuePair.post(message.request(b, RemoteMemory.of(region), BYTES));
        runUntilUnderWay(region);
        assertFalse(Quiescence.complete(region));
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses());
        assertTrue(Quiescence.complete(region));
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThatBeginsWhenTheRegionIsOutIsRefused(Message message) {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        assertTrue(Quiescence.request(region));
        assertTrue(Quiescence.complete(region));
        b.queuePair.post(message.request(b, RemoteMemory.of(region), BYTES));
        pair.run();
        // Over iWARP a write is done when it is in the stream; this one is longer than the stream holds.
        assertEquals(List.of(message == Message.READ ? Status.REMOTE_ACCESS_ERROR : refusedWrite()), statuses());
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
        assertEquals(0, operations(region));
    }

    private Status refusedWrite() {
        return pair.wire == Wire.IWARP ? Status.FLUSHED : Status.REMOTE_ACCESS_ERROR;
    }

    @ParameterizedTest
    @EnumSource
    void aMessageThroughAWindowIsCountedOnItsRegion(Message message) {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        Window window = a.adapter.createWindow(a.domain, Window.Type.TYPE_1);
        int key = MemoryKey.next(window.key());
        Set<Right> both = EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE);
        a.queuePair.post(new WorkRequest.BindWindow(1, window, key, region, 0, BYTES, both, SendOptions.UNSIGNALLED));
        pair.run();
        b.queuePair.post(message.request(b, new RemoteMemory(0, key), BYTES));
        runUntilUnderWay(region);
        assertTrue(message.isMany() || operations(region) == 1);
        pair.run();
        assertEquals(List.of(Status.SUCCESS), statuses());
        assertEquals(0, operations(region));
    }

    @Test
    void messagesAndPostsAreCountedTogetherAndAWordHasOnlyThePosts() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(8, 8);
            CurrentIoOptions options =
                    CurrentIoOptions.of(Mode.LIBRARY_AND_PEERS).withWord(word);
            Region region = a.adapter.register(a.domain, hypervisor.host().allocateWired(BYTES), 0, ALL, options);
            a.queuePair.post(new WorkRequest.Receive(7, LocalSegment.of(region, 0, 8)));
            b.queuePair.post(Message.WRITE.request(b, RemoteMemory.of(region), BYTES));
            runUntil(pair, region, 2);
            assertEquals(1, word.get(ValueLayout.JAVA_LONG, 0));
            assertTrue(Quiescence.request(region));
            word.set(ValueLayout.JAVA_LONG, 0, 0); // a consumer that miscounts
            assertFalse(Quiescence.complete(region), "messages of peers are counted by the library");
            pair.run();
            assertTrue(Quiescence.complete(region));
            region.close();
        }
    }

    @Test
    void whatTheOwnerSaysInItsWordEndsTheWaitForMessagesToo() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment word = arena.allocate(8, 8);
            CurrentIoOptions options =
                    CurrentIoOptions.of(Mode.LIBRARY_AND_PEERS).withWord(word);
            Region region = a.adapter.register(a.domain, hypervisor.host().allocateWired(BYTES), 0, ALL, options);
            b.queuePair.post(Message.WRITE.request(b, RemoteMemory.of(region), BYTES));
            runUntilUnderWay(region);
            assertTrue(Quiescence.request(region));
            assertFalse(Quiescence.complete(region));
            word.set(ValueLayout.JAVA_LONG, 0, word.get(ValueLayout.JAVA_LONG, 0) | 1L << 61);
            assertTrue(Quiescence.complete(region));
            region.close();
        }
    }

    @Test
    void severalReadsAreCountedEach() {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        for (int i = 0; i < 3; i++) {
            b.queuePair.post(Message.READ.request(b, RemoteMemory.of(region), BYTES / 4));
        }
        runUntil(pair, region, 2);
        pair.run();
        assertEquals(List.of(Status.SUCCESS, Status.SUCCESS, Status.SUCCESS), statuses());
        assertEquals(0, operations(region));
    }

    @Test
    void whatTheOwnerPromisesEndsTheWaitForMessages() {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        b.queuePair.post(Message.WRITE.request(b, RemoteMemory.of(region), BYTES));
        runUntilUnderWay(region);
        assertTrue(Quiescence.request(region));
        assertFalse(Quiescence.complete(region));
        region.currentIo().quiesced();
        assertTrue(Quiescence.complete(region));
        pair.run();
        assertEquals(List.of(refusedWrite()), statuses());
        assertEquals(0, operations(region));
    }

    // --- pages that are missing

    @ParameterizedTest
    @EnumSource
    void aRequestThatWaitsForAPageIsCountedUntilItIsDone(Request request) {
        assumeTrue(pair.wire == Wire.ROCE || request != Request.ATOMIC_WRITE, "no atomic write over " + pair.wire);
        ManagedMemory paged = hypervisor.host().allocate(1 << 16);
        paged.write(0, b.memory.asSlice(0, 1 << 16));
        Region region = a.adapter.register(a.domain, paged, 0, ALL, CurrentIoOptions.of(Mode.LIBRARY_AND_PEERS));
        assertEquals(0, Eviction.evict(hypervisor, store, paged, 0, 1));
        b.queuePair.post(request.of(b, RemoteMemory.of(region)));
        pair.run();
        assertEquals(1, operations(region));
        assertTrue(Quiescence.request(region));
        assertFalse(Quiescence.complete(region));
        for (int i = 0; i < 1000 && operations(region) > 0; i++) {
            pair.pass(1_000_000);
            store.work(pair.clock.nowNs());
        }
        assertEquals(0, operations(region));
        pair.pass(1_000_000);
        assertEquals(List.of(Status.SUCCESS), statuses());
        assertTrue(Quiescence.complete(region));
    }

    enum Request {
        WRITE,
        READ,
        FETCH_ADD,
        ATOMIC_WRITE;

        WorkRequest.Sending of(Node peer, RemoteMemory target) {
            LocalSegment local = peer.segment(0, 8);
            return switch (this) {
                case WRITE -> new WorkRequest.Write(1, local, target);
                case READ -> new WorkRequest.Read(1, local, target);
                case FETCH_ADD -> new WorkRequest.FetchAdd(1, local, target, 1, SendOptions.SIGNALLED);
                case ATOMIC_WRITE -> new WorkRequest.AtomicWrite(1, 5, target, SendOptions.SIGNALLED);
            };
        }
    }

    // --- the end of a connection

    @ParameterizedTest
    @EnumSource
    void aConnectionThatEndsEndsItsMessages(Ending ending) {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        Message message = ending.ordinal() % 2 == 0 ? Message.WRITE : Message.READ;
        b.queuePair.post(message.request(b, RemoteMemory.of(region), BYTES));
        runUntilUnderWay(region);
        switch (ending) {
            case WRITE_RESET, READ_RESET -> a.queuePair.reset();
            case WRITE_ABORTED, READ_ABORTED -> a.queuePair.abort();
            case WRITE_CLOSED, READ_CLOSED -> a.queuePair.close();
        }
        assertEquals(0, operations(region));
    }

    enum Ending {
        WRITE_RESET,
        READ_RESET,
        WRITE_ABORTED,
        READ_ABORTED,
        WRITE_CLOSED,
        READ_CLOSED
    }

    @Test
    void aRegionThatIsClosedUnderAMessageCutsIt() {
        Region region = register(Mode.LIBRARY_AND_PEERS);
        b.queuePair.post(Message.WRITE.request(b, RemoteMemory.of(region), BYTES));
        runUntilUnderWay(region);
        region.close();
        pair.run();
        assertEquals(List.of(refusedWrite()), statuses());
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
    }

    // --- not counted

    @ParameterizedTest
    @EnumSource
    void withoutTheWishAMessageUnderWayIsCutAndTheConnectionFails(Message message) {
        Region region = register(Mode.LIBRARY);
        register(Mode.LIBRARY_AND_PEERS); // another region
        b.queuePair.post(message.request(b, RemoteMemory.of(region), BYTES));
        turn();
        turn();
        assertEquals(0, operations(region));
        assertTrue(Quiescence.request(region));
        assertTrue(Quiescence.complete(region));
        pair.run();
        assertEquals(List.of(message == Message.READ ? Status.REMOTE_ACCESS_ERROR : refusedWrite()), statuses());
        assertEquals(QueuePairState.ERROR, a.queuePair.state());
        assertEquals(QueuePairState.ERROR, b.queuePair.state());
    }

    // --- unreliable connections

    @Test
    void aWriteOverAnUnreliableConnectionIsCountedToo() {
        assumeTrue(!a.lacks(Service.UC), "no unreliable connections over " + pair.wire);
        try (Pair other = new Pair(BYTES, 8, Service.UC)) {
            Node.connect(other.a, other.b, ConnectionOptions.DEFAULT);
            Region region = other.a.adapter.register(
                    other.a.domain,
                    hypervisor.host().allocateWired(BYTES),
                    0,
                    ALL,
                    CurrentIoOptions.of(Mode.LIBRARY_AND_PEERS));
            var write = new WorkRequest.Write(1, other.b.segment(0, BYTES), RemoteMemory.of(region));
            other.b.queuePair.post(write);
            runUntil(other, region, 1);
            assertEquals(1, operations(region));
            other.run();
            assertEquals(0, operations(region));
            other.b.queuePair.post(write);
            runUntil(other, region, 1);
            other.a.queuePair.reset();
            assertEquals(0, operations(region));
        }
    }
}
