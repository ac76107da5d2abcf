package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Window;
import org.verbena.memory.translation.AtomicResult;

/** Accesses with every fault at once, mended one by one: the verdicts come in the order of the constants. */
final class VerdictOrderTest {
    private static final int QUEUE_PAIR = 17;
    private static final long SIZE = 4096;

    private final Arena arena = Arena.ofShared();
    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final ProtectionDomain other = table.createDomain();
    private final ProtectionDomain windowsOnly = table.createDomain(RemoteAccess.WINDOWS_ONLY);
    private final MemorySegment memory = arena.allocate(SIZE, 64);
    private final MemorySegment packet = MemorySegment.ofBuffer(java.nio.ByteBuffer.allocateDirect(64));

    private final long start = memory.address();
    private final AtomicResult result = new AtomicResult();

    @AfterEach
    void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    /** All accesses agree, and a refused one touches nothing. */
    private void check(Verdict expected, Accessor who, int key, long address, int length) {
        memory.fill((byte) 1);
        packet.fill((byte) 2);
        assertEquals(expected, table.judge(who, key, address, length));
        assertEquals(expected, table.place(who, key, address, packet, 0, length));
        assertEquals(expected, table.gather(who, key, address, packet, 0, length));
        assertEquals(1, memory.get(ValueLayout.JAVA_BYTE, 0));
        assertEquals(2, packet.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void regionVerdictsComeInOrder() {
        TableRegion region = table.register(domain, memory, Set.of());
        Accessor stranger = Accessor.remote(windowsOnly, QUEUE_PAIR, Right.REMOTE_WRITE);
        Accessor neighbour = Accessor.remote(other, QUEUE_PAIR, Right.REMOTE_WRITE);
        Accessor peer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_WRITE);
        int key = region.key();
        int empty = MemoryKey.of(MemoryKey.index(key) == 1 ? 2 : 1, 0);

        assertTrue(region.state().requestQuiesce());
        assertTrue(region.state().completeQuiesce(StateWord.NO_GENERATION));
        check(Verdict.INDEX_OUT_OF_RANGE, stranger, -1, -1, 2);
        check(Verdict.NO_ENTRY, stranger, empty, -1, 2);
        check(Verdict.WRONG_INSTANCE, stranger, key ^ 1, -1, 2);
        check(Verdict.QUIESCED, stranger, key, -1, 2);
        assertTrue(region.state().resume());
        check(Verdict.WINDOWS_ONLY, stranger, key, -1, 2);
        check(Verdict.WRONG_DOMAIN, neighbour, key, -1, 2);
        check(Verdict.WRAPS_AROUND, peer, key, -1, 2);
        check(Verdict.OUT_OF_BOUNDS, peer, key, start + SIZE - 1, 2);
        check(Verdict.NO_RIGHT, peer, key, start + SIZE - 2, 2);
        assertTrue(region.state().invalidate());
        check(Verdict.INVALID, stranger, key, -1, 2);
    }

    @Test
    void windowVerdictsComeInOrder() {
        TableRegion region = table.register(domain, memory, Tables.ALL);
        Window window = table.createWindow(domain, Window.Type.TYPE_2);
        Accessor binder = Accessor.local(domain, QUEUE_PAIR, Right.BIND_WINDOW);
        Accessor reader = Accessor.local(other, QUEUE_PAIR + 1, Right.LOCAL_READ);
        Accessor stranger = Accessor.remote(other, QUEUE_PAIR + 1, Right.REMOTE_WRITE);
        Accessor sibling = Accessor.remote(domain, QUEUE_PAIR + 1, Right.REMOTE_WRITE);
        Accessor peer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_WRITE);
        Accessor readingPeer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_READ);
        int key = MemoryKey.next(window.key());
        check(Verdict.WRONG_INSTANCE, reader, key, -1, 2);
        check(Verdict.INVALID, reader, window.key(), -1, 2);
        Binding binding = new Binding(key, region.key(), start + 8, 16, Set.of(Right.REMOTE_READ));
        assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), binding));
        region.close();

        check(Verdict.WRONG_TYPE, reader, key, -1, 2);
        check(Verdict.WRONG_DOMAIN, stranger, key, -1, 2);
        check(Verdict.WRONG_QUEUE_PAIR, sibling, key, -1, 2);
        check(Verdict.WRAPS_AROUND, peer, key, -1, 2);
        check(Verdict.OUT_OF_BOUNDS, peer, key, start + 7, 2);
        check(Verdict.NO_RIGHT, peer, key, start + 8, 2);
        check(Verdict.REGION_INVALID, readingPeer, key, start + 8, 2);
    }

    @Test
    void misalignedIsSaidAfterAllThatCouldForbidTheAccessAndBeforeTheMemoryIsTouched() {
        TableRegion region = table.register(domain, memory, Set.of(Right.LOCAL_WRITE, Right.REMOTE_ATOMIC));
        Accessor peer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_ATOMIC);
        Accessor reader = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_READ);
        arena.close();
        assertEquals(Verdict.OUT_OF_BOUNDS, table.fetchAdd(peer, region.key(), start + SIZE - 7, 1, result));
        assertEquals(Verdict.NO_RIGHT, table.fetchAdd(reader, region.key(), start + 1, 1, result));
        assertEquals(Verdict.MISALIGNED, table.fetchAdd(peer, region.key(), start + 1, 1, result));
        assertEquals(Verdict.BACKING_CLOSED, table.fetchAdd(peer, region.key(), start, 1, result));
        assertEquals(Verdict.INVALID, table.fetchAdd(peer, region.key(), start, 1, result));
    }

    @Test
    void anAccessOfLengthZeroIsGrantedWithAnyKey() {
        Accessor peer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_WRITE);
        for (int key : new int[] {0, -1, 1 << 8, 0x12345678}) {
            check(Verdict.GRANTED, peer, key, -1, 0);
        }
    }

    @Test
    void aNegativeLengthIsRefusedLikeTheHugeOneItStandsFor() {
        TableRegion region = table.register(domain, memory, Tables.ALL);
        Accessor peer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_WRITE);
        check(Verdict.WRAPS_AROUND, peer, region.key(), start, -1);
        check(Verdict.WRAPS_AROUND, peer, region.key(), start, Integer.MIN_VALUE);
        assertEquals(Verdict.OUT_OF_BOUNDS, table.judge(peer, region.key(), start, Long.MAX_VALUE));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.judge(peer, region.key(), 0, -1));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.judge(peer, region.key(), start, 1L << 32));
    }

    @Test
    void everyVerdictHasAReasonAndOnlyOneIsGranted() {
        for (Verdict verdict : Verdict.values()) {
            assertFalse(verdict.reason().isBlank());
            assertEquals(verdict == Verdict.GRANTED, verdict.granted());
        }
    }
}
