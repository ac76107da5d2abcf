package org.verbena.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.Touches;
import org.verbena.Wire;
import org.verbena.exchange.OverEachWire;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;

/** Memory that the send queue puts behind a key: from the post to the invalidation, foreign and managed. */
@OverEachWire
final class RegisterMemoryTest {
    private static final Set<Right> ALL = EnumSet.allOf(Right.class);
    private static final int ADDRESS = 0x7000;

    private final Pair pair;
    private final Node a;
    private final Node b;
    private final Region region;

    RegisterMemoryTest(Wire wire) {
        pair = new Pair(wire);
        a = pair.a;
        b = pair.b;
        region = b.adapter.reserve(b.domain, 4);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private static MemorySegment filled(int length, int value) {
        return Arena.ofAuto().allocate(length, 4096).fill((byte) value);
    }

    private void register(long id, int key, PreparedMemory memory) {
        assertTrue(b.queuePair.post(new WorkRequest.Register(id, key, memory, SendOptions.SIGNALLED)));
    }

    private void invalidate(long id, int key) {
        assertTrue(b.queuePair.post(new WorkRequest.LocalInvalidate(id, key, SendOptions.SIGNALLED)));
    }

    private void expect(Operation operation) {
        pair.run();
        Completion completion = b.drain().getFirst();
        assertEquals(Status.SUCCESS, completion.status(), completion::toString);
        assertEquals(operation, completion.operation());
    }

    /** A byte that the peer writes under a key, and whether it was let in. A refusal ends the connection; it is made again. */
    private boolean peerWrites(long address, int key, int value) {
        RemoteMemory target = new RemoteMemory(address, key);
        a.queuePair.post(
                new WorkRequest.Write(1, Payload.inline(new byte[] {(byte) value}), target, SendOptions.SIGNALLED));
        pair.run();
        Status status = a.drain().getFirst().status();
        if (a.queuePair.state() == QueuePairState.READY_TO_SEND) {
            assertEquals(Status.SUCCESS, status);
            return true;
        }
        assertEquals(pair.refused(Status.REMOTE_ACCESS_ERROR), status);
        b.drain();
        pair.reconnect();
        return false;
    }

    @Test
    void peersReachTheMemoryUnderItsNewAddressUntilTheKeyIsInvalidated() {
        assertEquals(4, region.room());
        assertEquals(0, region.length());
        assertEquals(Set.of(), region.rights());
        int key = MemoryKey.next(region.key());
        MemorySegment memory = filled(8192, 0);
        register(2, key, PreparedMemory.of(memory.asSlice(100, 5000), ADDRESS, ALL));
        expect(Operation.REGISTER);
        assertEquals(key, region.key());
        assertEquals(ADDRESS, region.address());
        assertEquals(5000, region.length());
        assertEquals(ALL, region.rights());
        assertTrue(region.isValid());

        assertTrue(peerWrites(ADDRESS + 4999, key, 7));
        assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, 5099));
        assertFalse(peerWrites(ADDRESS + 5000, key, 8), "beyond the range");
        assertFalse(peerWrites(ADDRESS, MemoryKey.next(key), 8), "another instance");

        invalidate(3, key);
        expect(Operation.LOCAL_INVALIDATE);
        assertFalse(region.isValid());
        assertEquals(0, region.length());
        assertFalse(peerWrites(ADDRESS, key, 9));
        assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, 100));
    }

    @Test
    void rightsAreThoseOfTheRegistration() {
        register(2, region.key(), PreparedMemory.of(filled(64, 0), ADDRESS, Set.of(Right.REMOTE_READ)));
        expect(Operation.REGISTER);
        assertEquals(Set.of(Right.LOCAL_READ, Right.REMOTE_READ), region.rights());
        assertFalse(peerWrites(ADDRESS, region.key(), 1));
    }

    /** Everything is posted before the engine has a turn: each request finds the memory of the registration before it. */
    @Test
    void registrationsOfOneKeyAreDoneInTheirOrder() {
        int key = region.key();
        for (int round = 0; round < 5; round++) {
            key = MemoryKey.next(key);
            PreparedMemory memory = PreparedMemory.of(filled(4096 * (1 + round % 2), 10 + round), ALL);
            assertTrue(b.queuePair.post(new WorkRequest.Register(round, key, memory, SendOptions.UNSIGNALLED)));
            assertTrue(b.queuePair.post(new WorkRequest.Write(
                    10 + round, new LocalSegment(memory.address() + round, 100, key), a.remote(round * 100L))));
            assertTrue(b.queuePair.post(new WorkRequest.LocalInvalidate(20 + round, key, SendOptions.UNSIGNALLED)));
        }
        assertEquals(0, region.length(), "nothing is done before a turn");
        pair.run();
        assertEquals(
                List.of(10L, 11L, 12L, 13L, 14L),
                b.drain().stream()
                        .peek(done -> assertEquals(Status.SUCCESS, done.status(), done::toString))
                        .map(Completion::id)
                        .toList());
        for (int round = 0; round < 5; round++) {
            assertEquals(10 + round, a.memory.get(ValueLayout.JAVA_BYTE, round * 100L));
            assertEquals(10 + round, a.memory.get(ValueLayout.JAVA_BYTE, round * 100L + 99));
        }
        assertEquals(key, region.key());
    }

    @Test
    void aWindowIsBoundToTheKeyThatTheRequestBeforeItRegisters() {
        MemorySegment memory = filled(4096, 0);
        int key = MemoryKey.next(region.key());
        Window window = b.adapter.createWindow(b.domain, Window.Type.TYPE_2);
        int windowKey = MemoryKey.next(window.key());
        assertTrue(b.queuePair.post(
                new WorkRequest.Register(2, key, PreparedMemory.of(memory, ADDRESS, ALL), SendOptions.UNSIGNALLED)));
        assertTrue(b.queuePair.post(new WorkRequest.BindWindow(
                3,
                window,
                windowKey,
                key,
                ADDRESS + 8,
                16,
                Set.of(Right.REMOTE_WRITE),
                Touches.MANY,
                SendOptions.SIGNALLED)));
        expect(Operation.BIND_WINDOW);
        assertTrue(peerWrites(ADDRESS + 8, windowKey, 5));
        assertEquals(5, memory.get(ValueLayout.JAVA_BYTE, 8));
        invalidate(4, key);
        expect(Operation.LOCAL_INVALIDATE);
        assertFalse(peerWrites(ADDRESS + 8, windowKey, 6), "the region behind the window has no memory any more");
    }

    @Test
    void managedMemoryIsHeldFromThePostToTheInvalidation() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(40_000)) {
            int key = MemoryKey.next(region.key());
            register(2, key, PreparedMemory.of(memory, 5000, 3000, ADDRESS, ALL));
            assertEquals(1, memory.uses());
            assertThrows(IllegalStateException.class, memory::close);
            expect(Operation.REGISTER);
            assertEquals(1, memory.uses());
            assertTrue(peerWrites(ADDRESS + 2999, key, 44));
            byte[] landed = new byte[2];
            memory.read(7998, MemorySegment.ofArray(landed));
            assertEquals(44, landed[1]);
            assertEquals(0, landed[0]);

            register(3, MemoryKey.next(key), PreparedMemory.of(memory, 0, 1, 0, ALL));
            b.queuePair.abort();
            pair.run();
            assertEquals(1, memory.uses(), "the registration that is done; the flushed one has given the memory back");
            assertEquals(Status.FLUSHED, b.drain().getFirst().status());
            pair.reconnect();
            invalidate(4, key);
            expect(Operation.LOCAL_INVALIDATE);
            assertEquals(0, memory.uses());
        }
    }

    @Test
    void aPeerThatInvalidatesTheKeyGivesManagedMemoryBack() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096)) {
            register(2, region.key(), PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL));
            expect(Operation.REGISTER);
            b.queuePair.post(new WorkRequest.Receive(9, b.segment(0, 16)));
            a.queuePair.post(new WorkRequest.SendWithInvalidate(
                    1, Payload.inline(new byte[] {1}), region.key(), SendOptions.SIGNALLED));
            pair.run();
            assertEquals(Status.SUCCESS, a.drain().getFirst().status());
            assertEquals(Integer.valueOf(region.key()), b.drain().getFirst().invalidatedKey());
            assertEquals(0, memory.uses());
        }
    }

    @Test
    void theMessageOfAOneTouchRegistrationGivesManagedMemoryBack() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096)) {
            assertTrue(b.queuePair.post(new WorkRequest.Register(
                    2,
                    region.key(),
                    PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL),
                    Touches.ONE,
                    SendOptions.SIGNALLED)));
            expect(Operation.REGISTER);
            assertTrue(peerWrites(ADDRESS, region.key(), 1));
            assertFalse(region.isValid());
            assertEquals(0, memory.uses());
        }
    }

    @Test
    void aRegionThatIsClosedGivesManagedMemoryBackAndShutsPeersOut() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096)) {
            int key = region.key();
            register(2, key, PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL));
            expect(Operation.REGISTER);
            region.close();
            assertEquals(0, memory.uses());
            assertFalse(peerWrites(ADDRESS, key, 1));
        }
    }

    @Test
    void aResetForgetsARegistrationAndGivesItsMemoryBack() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096)) {
            register(2, region.key(), PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL));
            b.queuePair.reset();
            assertEquals(0, memory.uses());
            assertEquals(List.of(), b.drain());
            assertFalse(region.isValid());
        }
    }

    @Test
    void managedMemoryThatIsClosedIsRefusedAtThePost() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20))) {
            ManagedMemory memory = hypervisor.host().allocate(4096);
            var request = new WorkRequest.Register(
                    2, region.key(), PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL), SendOptions.SIGNALLED);
            memory.close();
            assertThrows(IllegalStateException.class, () -> b.queuePair.post(request));
            pair.run();
            assertEquals(List.of(), b.drain(), "nothing was posted");
            register(3, region.key(), PreparedMemory.of(filled(64, 0), ALL));
            expect(Operation.REGISTER);
        }
    }

    @Test
    void aFullQueueTakesNoMemory() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096)) {
            var request = new WorkRequest.Register(
                    2, region.key(), PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL), SendOptions.UNSIGNALLED);
            int posted = 0;
            while (b.queuePair.post(request)) {
                posted++;
            }
            assertEquals(64, posted);
            assertEquals(64, memory.uses());
            b.queuePair.reset();
            assertEquals(0, memory.uses());
        }
    }

    /** The memory of a guest ends with the guest, whatever is registered: accesses are refused, and the region can still be closed. */
    @Test
    void theEndOfAGuestShutsPeersOut() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(8L << 20))) {
            Domain guest = hypervisor.createGuest(GuestOptions.ofPhysical(1 << 20));
            ManagedMemory memory = guest.allocate(4096);
            int key = region.key();
            register(2, key, PreparedMemory.of(memory, 0, 4096, ADDRESS, ALL));
            expect(Operation.REGISTER);
            assertTrue(peerWrites(ADDRESS, key, 1));
            guest.close();
            a.queuePair.post(new WorkRequest.Write(
                    1, Payload.inline(new byte[] {2}), new RemoteMemory(ADDRESS, key), SendOptions.SIGNALLED));
            for (int turn = 0; turn < 1000 && a.queuePair.state() == QueuePairState.READY_TO_SEND; turn++) {
                pair.pass(1_000_000);
            }
            assertEquals(QueuePairState.ERROR, a.queuePair.state());
            assertEquals(QueuePairState.ERROR, b.queuePair.state());
            region.close();
        }
    }

    @Test
    void regionsReservedOnManagedMemoryOpenAndShut() {
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory memory = hypervisor.host().allocate(4096);
                Region fixed = b.adapter.reserve(b.domain, memory, ADDRESS, ALL)) {
            assertEquals(0, fixed.room());
            int key = MemoryKey.next(fixed.key());
            b.queuePair.post(new WorkRequest.Register(2, key, SendOptions.SIGNALLED));
            expect(Operation.REGISTER);
            assertTrue(peerWrites(ADDRESS, key, 3));
            invalidate(3, key);
            expect(Operation.LOCAL_INVALIDATE);
            assertFalse(peerWrites(ADDRESS, key, 4));
            assertEquals(1, memory.uses(), "held by the region, valid or not");
        }
    }

    @Test
    void aRegionWithRoomIsNeitherSharedNorPinned() {
        assertThrows(IllegalArgumentException.class, () -> b.adapter.share(region, b.domain, ALL));
        assertThrows(UnsupportedOperationException.class, () -> region.pin(0, 1, org.verbena.memory.Pinned.Mode.READ));
        assertThrows(IllegalArgumentException.class, () -> b.adapter.reserve(b.domain, 0));
        assertEquals("region with room for 4 pages in " + b.domain, region.toString());
    }

    @Test
    void memoryIsCheckedWhenItIsPrepared() {
        MemorySegment memory = filled(4096, 0);
        assertThrows(IllegalArgumentException.class, () -> PreparedMemory.of(MemorySegment.ofArray(new byte[8]), ALL));
        assertThrows(IllegalArgumentException.class, () -> PreparedMemory.of(memory.asReadOnly(), ALL));
        assertThrows(IllegalArgumentException.class, () -> PreparedMemory.of(memory, Set.of(Right.REMOTE_WRITE)));
        assertThrows(IllegalArgumentException.class, () -> PreparedMemory.of(memory, -4095, ALL));
        assertEquals(4096, PreparedMemory.of(memory, -4096, ALL).length());
        try (Hypervisor hypervisor = Hypervisor.open(HypervisorOptions.of(1 << 20));
                ManagedMemory managed = hypervisor.host().allocate(4096)) {
            assertThrows(IndexOutOfBoundsException.class, () -> PreparedMemory.of(managed, 1, 4096, 0, ALL));
            assertThrows(IndexOutOfBoundsException.class, () -> PreparedMemory.of(managed, -1, 5, 0, ALL));
            assertThrows(IndexOutOfBoundsException.class, () -> PreparedMemory.of(managed, 0, 0, 0, ALL));
            assertEquals(0, managed.uses());
        }
    }

    @Test
    void pagesAreCountedFromTheFirstToTheLastByte() {
        MemorySegment memory = filled(12_288, 0);
        assertEquals(1, PreparedMemory.of(memory.asSlice(0, 4096), ALL).pages());
        assertEquals(2, PreparedMemory.of(memory.asSlice(1, 4096), ALL).pages());
        assertEquals(2, PreparedMemory.of(memory.asSlice(4095, 2), ALL).pages());
        assertEquals(3, PreparedMemory.of(memory.asSlice(4095, 4098), 0, ALL).pages());
    }
}
