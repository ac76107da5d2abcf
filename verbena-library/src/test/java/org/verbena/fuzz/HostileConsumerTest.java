package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionSlot;
import org.verbena.queue.SendSlot;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;

/** What a consumer that writes its send ring itself can get wrong, and what it gets for it. */
final class HostileConsumerTest {
    private static final long OPERATION = 8;
    private static final long FLAGS = 9;
    private static final long LENGTH = 28;
    private static final long TAIL = 128;

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork();
    private final ProtectionTable table = new ProtectionTable(64, new Seed(1));
    private final Machine machine = new Machine(network.open(), table);
    private final ProtectionDomain domain = table.createDomain();
    private final Estate estate = new Estate(table::register, domain, table.createDomain());
    private final Tenant tenant = new Tenant(machine, 5, domain);
    private final Adapter peer = Adapter.open(
            network.open(),
            clock,
            AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(2));
    private final ProtectionDomain peerDomain = peer.createProtectionDomain();
    private final MemorySegment peerLand = Arena.ofAuto().allocate(Estate.BYTES, 4096);
    private final Region peerRegion = peer.register(peerDomain, peerLand, EnumSet.allOf(Right.class));
    private final QueuePair peerQueuePair =
            peer.createQueuePair(QueuePairOptions.of(peerDomain, peer.createCompletionQueue(64)));
    private final MemorySegment slots = tenant.sends.memory();

    HostileConsumerTest() {
        tenant.connect(peerQueuePair, Mtu.MTU_256);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void turns(int count) {
        for (int turn = 0; turn < count; turn++) {
            clock.advance(10_000);
            machine.engine.work(clock.nowNs());
            peer.work(clock.nowNs());
        }
    }

    /** Posts a write of this number of bytes; returns the offset of its slot. */
    private long postWrite(long length) {
        long slot = tenant.sends.slot(tenant.sends.tail());
        tenant.post(Operation.WRITE, 7, estate.local, length, RemoteMemory.of(peerRegion));
        return slot;
    }

    private void assertCompleted(Status status) {
        assertEquals(1, tenant.completions.tail());
        assertEquals(status, CompletionSlot.status(tenant.completions.memory(), tenant.completions.slot(0)));
        assertEquals(7, CompletionSlot.id(tenant.completions.memory(), tenant.completions.slot(0)));
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 13, 15, 127, 128, 255})
    void anOperationThatIsNoneOfTheSendQueueFailsTheQueuePair(int code) {
        long slot = postWrite(8);
        slots.set(ValueLayout.JAVA_BYTE, slot + OPERATION, (byte) code);
        turns(4);
        assertCompleted(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
        assertEquals(QueuePairState.ERROR, tenant.connection.state());
    }

    @Test
    void moreSegmentsThanASlotHoldsFailTheQueuePair() {
        for (int i = 0; i < Tenant.CAPACITY; i++) {
            SendSlot.segments(slots, postWrite(8), 0xffff);
        }
        slots.asSlice(tenant.sends.slot(0)).fill((byte) 0xff);
        turns(4);
        assertEquals(QueuePairState.ERROR, tenant.connection.state());
        assertEquals(Tenant.CAPACITY, tenant.completions.tail());
    }

    @Test
    void moreInlineDataThanASlotHoldsFailsTheQueuePair() {
        long slot = postWrite(1024);
        slots.set(ValueLayout.JAVA_BYTE, slot + FLAGS, (byte) (SendSlot.FLAG_INLINE | SendSlot.FLAG_SIGNALLED));
        turns(4);
        assertCompleted(Status.LOCAL_QUEUE_PAIR_OPERATION_ERROR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300, 8192, Integer.MAX_VALUE, -1})
    void aLengthChangedUnderWayChangesNothing(int length) {
        estate.land.asSlice(0, 8000).fill((byte) 9);
        long slot = postWrite(8000);
        machine.engine.work(clock.nowNs());
        slots.set(ValueLayout.JAVA_INT, slot + LENGTH, length);
        turns(20);
        assertCompleted(Status.SUCCESS);
        assertEquals(-1, estate.land.asSlice(0, 8000).mismatch(peerLand.asSlice(0, 8000)));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 8, 11, 255})
    void anOperationChangedUnderWayChangesNothing(int code) {
        long slot = postWrite(8000);
        machine.engine.work(clock.nowNs());
        slots.set(ValueLayout.JAVA_BYTE, slot + OPERATION, (byte) code);
        turns(20);
        assertCompleted(Status.SUCCESS);
    }

    @Test
    void aListThatShrinksUnderWayIsAProtectionError() {
        tenant.post(Operation.READ, 7, estate.local, 8000, RemoteMemory.of(peerRegion));
        machine.engine.work(clock.nowNs());
        SendSlot.segments(slots, tenant.sends.slot(0), 0);
        turns(20);
        assertCompleted(Status.LOCAL_PROTECTION_ERROR);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 5, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE})
    void aTailThatCannotBeTrueIsNotBelieved(long tail) {
        slots.set(ValueLayout.JAVA_LONG, TAIL, tail);
        tenant.ring();
        turns(4);
        assertEquals(QueuePairState.READY_TO_SEND, tenant.connection.state());
        tenant.connection.abort();
        tenant.ring();
        turns(4);
        assertEquals(0, tenant.completions.tail());
        slots.set(ValueLayout.JAVA_LONG, TAIL, 0);
        postWrite(8);
        turns(4);
        assertTrue(tenant.completions.tail() == 1);
        assertCompleted(Status.FLUSHED);
    }
}
