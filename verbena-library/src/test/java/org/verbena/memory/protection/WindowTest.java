package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.verbena.RemoteAccess;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;

final class WindowTest {
    private static final int QUEUE_PAIR = 9;
    private static final Set<Right> WRITE = Set.of(Right.REMOTE_WRITE);

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final ProtectionDomain other = table.createDomain();
    private final MemorySegment memory = Arena.ofAuto().allocate(4096, 8);
    private final long start = memory.address();
    private final TableRegion region = table.register(domain, memory, Tables.ALL);
    private final Accessor binder = Accessor.local(domain, QUEUE_PAIR, Right.BIND_WINDOW);
    private final Accessor writer = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_WRITE);
    private final Accessor sibling = Accessor.remote(domain, QUEUE_PAIR + 1, Right.REMOTE_WRITE);
    private final MemorySegment packet = Arena.ofAuto().allocate(64);

    private Binding part(Window window, long offset, long length) {
        return new Binding(MemoryKey.next(window.key()), region.key(), start + offset, length, WRITE);
    }

    private Window bound(Window.Type type) {
        Window window = table.createWindow(domain, type);
        assertFalse(window.isBound());
        assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), part(window, 100, 8)));
        assertTrue(window.isBound());
        return window;
    }

    @ParameterizedTest
    @EnumSource(Window.Type.class)
    void aBoundWindowShowsItsPartAndNoMore(Window.Type type) {
        Window window = bound(type);
        packet.set(ValueLayout.JAVA_LONG, 0, 4711);
        assertEquals(Verdict.GRANTED, table.place(writer, window.key(), start + 100, packet, 0, 8));
        assertEquals(4711, memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 100));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, window.key(), start + 99, packet, 0, 1));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, window.key(), start + 108, packet, 0, 1));
        Accessor reader = Accessor.remote(domain, QUEUE_PAIR, Right.REMOTE_READ);
        assertEquals(Verdict.NO_RIGHT, table.gather(reader, window.key(), start + 100, packet, 0, 1));
    }

    @Test
    void typeOneIsForAllQueuePairsAndTypeTwoForItsOwn() {
        assertEquals(
                Verdict.GRANTED, table.judge(sibling, bound(Window.Type.TYPE_1).key(), start + 100, 1));
        assertEquals(
                Verdict.WRONG_QUEUE_PAIR,
                table.judge(sibling, bound(Window.Type.TYPE_2).key(), start + 100, 1));
    }

    @Test
    void aWindowOfADomainForWindowsOnlyIsTheOnlyWayIn() {
        ProtectionDomain strict = table.createDomain(RemoteAccess.WINDOWS_ONLY);
        Region hidden = table.register(strict, memory, Tables.ALL);
        Window window = table.createWindow(strict, Window.Type.TYPE_1);
        Accessor peer = Accessor.remote(strict, QUEUE_PAIR, Right.REMOTE_WRITE);
        Binding binding = new Binding(MemoryKey.next(window.key()), hidden.key(), start, 8, WRITE);
        Accessor own = Accessor.local(strict, QUEUE_PAIR, Right.BIND_WINDOW);
        assertEquals(Verdict.GRANTED, table.bind(own, window.key(), binding));
        assertEquals(Verdict.GRANTED, table.judge(peer, window.key(), start, 8));
        assertEquals(Verdict.WINDOWS_ONLY, table.judge(peer, hidden.key(), start, 8));
        Accessor local = Accessor.local(strict, QUEUE_PAIR, Right.LOCAL_WRITE);
        assertEquals(Verdict.GRANTED, table.judge(local, hidden.key(), start, 8));
    }

    @Test
    void typeOneIsBoundAgainAndUnboundAndItsOldKeysDie() {
        Window window = bound(Window.Type.TYPE_1);
        int first = window.key();
        assertEquals(Verdict.GRANTED, table.bind(binder, first, part(window, 200, 8)));
        int second = window.key();
        assertEquals(MemoryKey.next(first), second);
        assertEquals(Verdict.WRONG_INSTANCE, table.judge(writer, first, start + 100, 1));
        assertEquals(Verdict.GRANTED, table.judge(writer, second, start + 200, 1));
        assertEquals(Verdict.GRANTED, table.bind(binder, second, Binding.nothing(MemoryKey.next(second))));
        assertFalse(window.isBound());
        assertEquals(Verdict.WRONG_INSTANCE, table.judge(writer, second, start + 200, 1));
        assertEquals(Verdict.INVALID, table.judge(writer, window.key(), start + 200, 1));
        assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), part(window, 0, 1)));
        assertTrue(window.isBound());
    }

    @Test
    void typeOneCannotKeepItsKeyNorBeInvalidated() {
        Window window = bound(Window.Type.TYPE_1);
        int key = window.key();
        Binding same = new Binding(key, region.key(), start, 8, WRITE);
        assertEquals(Verdict.KEY_MISMATCH, table.bind(binder, key, same));
        assertEquals(Verdict.WRONG_TYPE, table.invalidate(key, binder));
        assertEquals(Verdict.WRONG_TYPE, table.invalidate(key, writer));
        assertTrue(window.isBound());
    }

    @Test
    void typeTwoIsInvalidatedByItsConsumerOrByItsPeerAndByNobodyElse() {
        Window window = bound(Window.Type.TYPE_2);
        int key = window.key();
        Accessor stranger = Accessor.remote(other, QUEUE_PAIR, Right.REMOTE_WRITE);
        assertEquals(Verdict.ALREADY_VALID, table.bind(binder, key, part(window, 0, 8)));
        assertEquals(Verdict.WRONG_INSTANCE, table.invalidate(MemoryKey.next(key), writer));
        assertEquals(Verdict.WRONG_DOMAIN, table.invalidate(key, stranger));
        assertEquals(Verdict.WRONG_QUEUE_PAIR, table.invalidate(key, sibling));
        assertTrue(window.isBound());
        assertEquals(Verdict.GRANTED, table.invalidate(key, writer));
        assertEquals(Verdict.GRANTED, table.invalidate(key, writer));
        assertEquals(Verdict.INVALID, table.judge(writer, key, start + 100, 1));
        assertEquals(Verdict.GRANTED, table.bind(binder, key, part(window, 8, 8)));
        assertEquals(Verdict.GRANTED, table.judge(writer, window.key(), start + 8, 8));
        Accessor consumer = Accessor.local(domain, QUEUE_PAIR + 1, Right.LOCAL_READ);
        assertEquals(Verdict.GRANTED, table.invalidate(window.key(), consumer));
        assertFalse(window.isBound());
    }

    @Test
    void typeTwoIsNotBoundToNothing() {
        Window window = table.createWindow(domain, Window.Type.TYPE_2);
        int key = window.key();
        assertEquals(Verdict.EMPTY_WINDOW, table.bind(binder, key, Binding.nothing(MemoryKey.next(key))));
    }

    @ParameterizedTest
    @EnumSource(Window.Type.class)
    void aBindIsRefusedForEveryFaultAndChangesNothing(Window.Type type) {
        Window window = table.createWindow(domain, type);
        int key = window.key();
        int next = MemoryKey.next(key);
        Accessor stranger = Accessor.local(other, QUEUE_PAIR, Right.BIND_WINDOW);
        Accessor reader = Accessor.local(domain, QUEUE_PAIR, Right.LOCAL_READ);
        Region foreign = table.register(other, memory, Tables.ALL);
        Region unbindable = table.register(domain, memory, Set.of(Right.LOCAL_WRITE, Right.REMOTE_WRITE));
        Region readable = table.register(domain, memory, Set.of(Right.BIND_WINDOW, Right.REMOTE_READ));
        TableRegion reserved = table.reserve(domain, memory, Tables.ALL);
        Binding good = new Binding(next, region.key(), start, 8, WRITE);

        assertEquals(Verdict.INDEX_OUT_OF_RANGE, table.bind(binder, -1, good));
        assertEquals(Verdict.NO_ENTRY, table.bind(binder, 0, good));
        assertEquals(Verdict.WRONG_INSTANCE, table.bind(binder, next, good));
        assertEquals(Verdict.WRONG_TYPE, table.bind(binder, region.key(), good));
        assertEquals(Verdict.WRONG_TYPE, table.bind(reader, key, good));
        assertEquals(Verdict.WRONG_DOMAIN, table.bind(stranger, key, good));
        assertEquals(Verdict.KEY_MISMATCH, table.bind(binder, key, new Binding(0, region.key(), start, 8, WRITE)));
        assertEquals(Verdict.INDEX_OUT_OF_RANGE, table.bind(binder, key, new Binding(next, -1, start, 8, WRITE)));
        assertEquals(Verdict.NO_ENTRY, table.bind(binder, key, new Binding(next, 0, start, 8, WRITE)));
        assertEquals(
                Verdict.WRONG_INSTANCE, table.bind(binder, key, new Binding(next, region.key() ^ 1, start, 8, WRITE)));
        assertEquals(Verdict.INVALID, table.bind(binder, key, new Binding(next, reserved.key(), start, 8, WRITE)));
        assertEquals(Verdict.WRONG_DOMAIN, table.bind(binder, key, new Binding(next, foreign.key(), start, 8, WRITE)));
        assertEquals(Verdict.WRAPS_AROUND, table.bind(binder, key, new Binding(next, region.key(), start, -1, WRITE)));
        assertEquals(
                Verdict.OUT_OF_BOUNDS, table.bind(binder, key, new Binding(next, region.key(), start, 4097, WRITE)));
        assertEquals(Verdict.NO_RIGHT, table.bind(binder, key, new Binding(next, unbindable.key(), start, 8, WRITE)));
        assertEquals(Verdict.NO_RIGHT, table.bind(binder, key, new Binding(next, readable.key(), start, 8, WRITE)));
        assertEquals(
                Verdict.NO_RIGHT,
                table.bind(binder, key, new Binding(next, region.key(), start, 8, Set.of(Right.LOCAL_WRITE))));
        assertEquals(key, window.key());
        assertFalse(window.isBound());
        assertEquals(Verdict.GRANTED, table.bind(binder, key, good));
    }

    @Test
    void aWindowIsNotBoundToAWindow() {
        Window outer = bound(Window.Type.TYPE_1);
        Window inner = table.createWindow(domain, Window.Type.TYPE_1);
        Binding binding = new Binding(MemoryKey.next(inner.key()), outer.key(), start + 100, 8, WRITE);
        assertEquals(Verdict.WRONG_TYPE, table.bind(binder, inner.key(), binding));
    }

    @ParameterizedTest
    @EnumSource(Window.Type.class)
    void aWindowOfADeregisteredRegionIsRefusedAlsoWhenTheIndexHasANewOwner(Window.Type type) {
        Window window = bound(type);
        region.close();
        assertEquals(Verdict.REGION_INVALID, table.place(writer, window.key(), start + 100, packet, 0, 8));
        for (int i = 0; i < 3000; i++) {
            table.register(domain, memory, Tables.ALL);
        }
        assertEquals(Verdict.REGION_INVALID, table.place(writer, window.key(), start + 100, packet, 0, 8));
    }

    @Test
    void aWindowOnAQuiescedRegionComesBackWithIt() {
        Window window = bound(Window.Type.TYPE_1);
        assertTrue(region.state().requestQuiesce());
        assertTrue(region.state().completeQuiesce(StateWord.NO_GENERATION));
        assertEquals(Verdict.REGION_INVALID, table.judge(writer, window.key(), start + 100, 8));
        assertTrue(region.state().resume());
        assertEquals(Verdict.GRANTED, table.judge(writer, window.key(), start + 100, 8));
    }

    @Test
    void closingAWindowFreesItsKeyAndLeavesTheRegion() {
        Window window = bound(Window.Type.TYPE_2);
        int key = window.key();
        window.close();
        window.close();
        assertEquals(Verdict.NO_ENTRY, table.judge(writer, key, start + 100, 8));
        assertEquals(Verdict.GRANTED, table.judge(writer, region.key(), start + 100, 8));
        assertThrows(IllegalStateException.class, window::key);
        assertFalse(window.isBound());
        assertEquals(1, domain.entries());
    }

    @Test
    void aQueuePairThatGoesTakesItsTypeTwoWindowsAlong() {
        Window two = bound(Window.Type.TYPE_2);
        Window one = bound(Window.Type.TYPE_1);
        table.releaseQueuePair(sibling);
        assertTrue(two.isBound());
        table.releaseQueuePair(writer);
        assertFalse(two.isBound());
        assertTrue(one.isBound());
        assertTrue(region.isValid());
    }

    @Test
    void aWindowOfClosedMemoryEndsWithItsRegion() {
        Arena arena = Arena.ofShared();
        Region own = table.register(domain, arena.allocate(64, 8), Tables.ALL);
        Window window = table.createWindow(domain, Window.Type.TYPE_1);
        Binding binding = new Binding(MemoryKey.next(window.key()), own.key(), own.address(), 8, WRITE);
        assertEquals(Verdict.GRANTED, table.bind(binder, window.key(), binding));
        arena.close();
        assertEquals(Verdict.BACKING_CLOSED, table.place(writer, window.key(), own.address(), packet, 0, 8));
        assertFalse(window.isBound());
        assertFalse(own.isValid());
    }
}
