package org.verbena.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.junit.jupiter.api.Timeout;
import org.verbena.Mtu;
import org.verbena.Operation;
import org.verbena.QueuePairState;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.process.InProcessNetwork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.queue.CompletionRing;
import org.verbena.queue.CompletionSlot;
import org.verbena.queue.Doorbell;
import org.verbena.queue.LocalSegments;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;
import org.verbena.queue.RingKind;
import org.verbena.queue.SendSlot;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * An engine whose rings and doorbell a hostile consumer writes, as another process could: anything in the slots, in the
 * words around them and in the headers, before and while the engine works on it. Nothing is thrown, every turn ends, memory
 * that is not the consumer's is neither changed nor sent, and the engine still serves another consumer.
 */
final class RingFuzzTest {
    private static final int COMMANDS_MAX = 200;
    private static final int TRANSFER = 4000;
    private static final int TURNS_MAX = 3000;
    /** Where a ring's tail stands, behind the header. */
    private static final long TAIL = 128;

    private static final long HEADER_MAX = 4096;

    private final VirtualClock clock = new VirtualClock(0);
    private final InProcessNetwork network = new InProcessNetwork(64 << 10);
    private final Witness witness = new Witness(network.open(), Estate.SECRET);
    private final ProtectionTable table = new ProtectionTable(64, new Seed(1));
    private final Machine machine = new Machine(witness, table);
    private final ProtectionDomain domain = table.createDomain();
    private final ProtectionDomain otherDomain = table.createDomain();
    private final Estate estate = new Estate(table::register, domain, otherDomain);
    private final Tenant hostile = new Tenant(machine, 5, domain);
    private final Tenant honest = new Tenant(machine, 6, otherDomain);
    private final Adapter peer = Adapter.open(
            network.open(),
            clock,
            AdapterOptions.DEFAULT.withRun(AdapterOptions.Run.MANUAL).withSeed(2));
    private final ProtectionDomain peerDomain = peer.createProtectionDomain();
    private final MemorySegment peerLand = Arena.ofAuto().allocate(64 << 10, 4096);
    private final Region peerRegion = peer.register(peerDomain, peerLand, EnumSet.allOf(Right.class));
    private final CompletionQueue peerCompletions = peer.createCompletionQueue(64);
    private final QueuePair hostilePeer = queuePair();
    private final QueuePair honestPeer = queuePair();

    private QueuePair queuePair() {
        return peer.createQueuePair(QueuePairOptions.of(peerDomain, peerCompletions));
    }

    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @FuzzTest
    void nothingInARingHarmsAnEngine(byte[] input) {
        new RingFuzzTest().play(new Script(input));
    }

    /** A header that another process has written is refused in words, or describes a ring within the memory. */
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @FuzzTest
    void nothingInAHeaderHarmsTheSideThatAttaches(byte[] input) {
        MemorySegment memory = Arena.ofAuto().allocate(HEADER_MAX, TAIL);
        MemorySegment.copy(input, 0, memory, ValueLayout.JAVA_BYTE, 0, (int) Math.min(input.length, memory.byteSize()));
        for (RingKind kind : RingKind.values()) {
            try {
                attach(memory, kind);
            } catch (IllegalArgumentException refused) {
                assertFalse(String.valueOf(refused.getMessage()).isBlank());
            }
        }
    }

    private static void attach(MemorySegment memory, RingKind kind) {
        if (kind == RingKind.DOORBELL) {
            Doorbell doorbell = Doorbell.attach(memory, () -> {});
            doorbell.ring(0);
            doorbell.cover(0);
            doorbell.drain(_ -> {});
            return;
        }
        if (kind == RingKind.COMPLETION) {
            CompletionRing completions = CompletionRing.attach(memory);
            completions.isEmpty();
        }
        Ring ring = Ring.attach(memory, kind);
        for (long position : new long[] {0, -1, Long.MAX_VALUE, Long.MIN_VALUE, ring.capacity() - 1L}) {
            assertTrue(ring.slot(position) + ring.slotLength() <= memory.byteSize());
        }
        assertTrue(ring.filled() <= ring.capacity());
        assertTrue(ring.published(ring.head()) <= ring.capacity());
    }

    private void play(Script script) {
        hostile.connect(hostilePeer, Mtu.MTU_256);
        honest.connect(honestPeer, Mtu.MTU_256);
        for (int i = 0; i < 8; i++) {
            hostilePeer.post(new WorkRequest.Receive(i, LocalSegment.of(peerRegion, 0, 8192)));
        }
        for (int i = 0; i < COMMANDS_MAX && script.hasMore(); i++) {
            command(script);
        }
        turn(1000);
        estate.assertWallsStand();
        assertFalse(witness.leaked(), "secret memory left in a packet");
        transferHonestly();
        peer.close();
        witness.close();
    }

    private void command(Script script) {
        int command = script.unsignedByte();
        switch (command & 7) {
            case 0 ->
                scribble(command >>> 3 == 1 ? machine.engine.doorbell().memory() : hostile.sends.memory(), script);
            case 1 -> scribble(hostile.receives.memory(), script);
            case 2 -> scribble(hostile.completions.memory(), script);
            case 3, 4 -> postSend(script, command >>> 3);
            case 5 -> postReceive(script);
            case 6 -> turns(script, command >>> 3);
            default -> peerActs(script, command >>> 3);
        }
        hostile.ring();
    }

    /** Bytes anywhere in a ring; the first line, which says what it is, comes last in the count. */
    private static void scribble(MemorySegment ring, Script script) {
        long at = (script.unsignedShort() + TAIL) % ring.byteSize();
        byte[] bytes = script.bytes(32);
        MemorySegment.copy(
                bytes, 0, ring, ValueLayout.JAVA_BYTE, at, (int) Math.min(bytes.length, ring.byteSize() - at));
    }

    /** A request that makes some sense, in the next slot whether that is free or not. */
    private void postSend(Script script, int fields) {
        MemorySegment slots = hostile.sends.memory();
        long tail = hostile.sends.tail();
        long slot = hostile.sends.slot(tail);
        slots.set(ValueLayout.JAVA_BYTE, slot + 8, (byte) script.unsignedByte());
        slots.set(ValueLayout.JAVA_BYTE, slot + 9, (byte) fields);
        SendSlot.segments(slots, slot, (fields & 16) == 0 ? 1 : script.unsignedShort());
        SendSlot.argument(slots, slot, estate.key(script));
        SendSlot.remote(slots, slot, peerRegion.address() + script.unsignedByte() * 8L, peerRegion.key());
        int length = length(script);
        SendSlot.messageLength(slots, slot, length);
        SendSlot.operands(slots, slot, script.unsignedByte(), script.unsignedByte());
        segment(slots, slot + SendSlot.HEADER_LENGTH, script, length);
        publish(hostile.sends, tail);
    }

    private void postReceive(Script script) {
        MemorySegment slots = hostile.receives.memory();
        long tail = hostile.receives.tail();
        long slot = hostile.receives.slot(tail);
        ReceiveSlot.begin(slots, slot, 1, script.unsignedByte() < 200 ? 1 : script.anyInt());
        segment(slots, slot + ReceiveSlot.HEADER_LENGTH, script, length(script));
        publish(hostile.receives, tail);
    }

    private void segment(MemorySegment slots, long at, Script script, int length) {
        int choice = script.unsignedByte();
        long address = (choice & 1) == 0 ? estate.local.address() + choice : estate.address(script);
        int key = (choice & 2) == 0 ? estate.local.key() : estate.key(script);
        LocalSegments.write(slots, at, address, length, key);
    }

    private static int length(Script script) {
        int choice = script.unsignedByte();
        return choice < 200 ? choice * 16 : script.anyInt();
    }

    private static void publish(Ring ring, long tail) {
        ring.memory().set(ValueLayout.JAVA_LONG, TAIL, tail + 1);
    }

    private void turns(Script script, int count) {
        for (int i = 0; i < count; i++) {
            turn(1L << script.below(24));
        }
    }

    private void turn(long ns) {
        clock.advance(ns);
        machine.engine.work(clock.nowNs());
        peer.work(clock.nowNs());
    }

    private void peerActs(Script script, int which) {
        if (which == 0) {
            hostile.connection.abort();
        } else if (hostilePeer.state() == QueuePairState.READY_TO_SEND) {
            LocalSegment data = LocalSegment.of(peerRegion, 0, script.unsignedByte() * 8L);
            hostilePeer.post(
                    which % 2 == 0
                            ? new WorkRequest.Send(1, data)
                            : new WorkRequest.Read(2, data, RemoteMemory.of(estate.granted)));
        }
    }

    private void transferHonestly() {
        MemorySegment source = estate.land.asSlice(Estate.FOREIGN, TRANSFER);
        for (int i = 0; i < TRANSFER; i++) {
            source.set(ValueLayout.JAVA_BYTE, i, (byte) ((i * 13) >> 2));
        }
        RemoteMemory remote = RemoteMemory.of(peerRegion).plus(32 << 10);
        honest.post(Operation.WRITE, 7, estate.foreign, TRANSFER, remote);
        honest.post(Operation.READ, 8, estate.foreign, TRANSFER, remote);
        assertEquals(7, awaitHonest(0));
        assertEquals(8, awaitHonest(1));
        assertEquals(-1, source.mismatch(peerLand.asSlice(32 << 10, TRANSFER)));
    }

    private long awaitHonest(long position) {
        for (int turn = 0; turn < TURNS_MAX; turn++) {
            if (honest.completions.tail() > position) {
                MemorySegment ring = honest.completions.memory();
                long slot = honest.completions.slot(position);
                assertEquals(Status.SUCCESS, CompletionSlot.status(ring, slot));
                return CompletionSlot.id(ring, slot);
            }
            turn(20_000);
        }
        throw new AssertionError("the engine does not serve the honest consumer any more");
    }
}
