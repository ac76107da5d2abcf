package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryKey;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.Window;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.time.Seed;

final class RegionTest {
    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 3, Right.REMOTE_WRITE);
    private final MemorySegment packet = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(4096));

    private void refuses(MemorySegment segment, String because) {
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> table.register(domain, segment, Set.of()));
        assertTrue(refusal.toString().contains(because), refusal.toString());
        assertEquals(0, domain.entries());
    }

    @Test
    void onlyNativeMemoryThatIsAliveAndOpenToAllThreadsCanBeRegistered() {
        refuses(MemorySegment.ofArray(new byte[10]), "heap");
        try (Arena confined = Arena.ofConfined()) {
            refuses(confined.allocate(10), "confined");
        }
        Arena shared = Arena.ofShared();
        MemorySegment dead = shared.allocate(10);
        shared.close();
        refuses(dead, "closed");
        refuses(Arena.global().allocate(10).asSlice(5, 0), "empty");
        assertEquals(
                10,
                table.register(domain, Arena.ofAuto().allocate(10), Set.of()).length());
        assertEquals(10, table.register(domain, packet.asSlice(7, 10), Set.of()).length());
    }

    @Test
    void readOnlyMemoryCanBeReadOnly() {
        MemorySegment memory = Arena.ofAuto().allocate(10).asReadOnly();
        TableRegion region = table.register(domain, memory, Set.of(Right.REMOTE_READ));
        assertThrows(IllegalArgumentException.class, () -> table.register(domain, memory, Set.of(Right.LOCAL_WRITE)));
        assertThrows(IllegalArgumentException.class, () -> table.share(region, domain, Set.of(Right.LOCAL_WRITE)));
        assertEquals(1, domain.entries());
    }

    @Test
    void remoteChangesNeedTheLocalRightToo() {
        MemorySegment memory = Arena.ofAuto().allocate(10);
        assertThrows(IllegalArgumentException.class, () -> table.register(domain, memory, Set.of(Right.REMOTE_WRITE)));
        assertThrows(IllegalArgumentException.class, () -> table.register(domain, memory, Set.of(Right.REMOTE_ATOMIC)));
        TableRegion region = table.register(domain, memory, Set.of());
        assertEquals(Set.of(Right.LOCAL_READ), region.rights());
    }

    @Test
    void aClosedRegionsKeyIsRefusedForEver() {
        ProtectionTable small = new ProtectionTable(1, new Seed(3));
        ProtectionDomain own = small.createDomain();
        Accessor reader = Accessor.local(own, 1, Right.LOCAL_READ);
        TableRegion region = small.register(own, packet, Tables.ALL);
        int key = region.key();
        region.close();
        region.close();
        assertEquals(Verdict.NO_ENTRY, small.judge(reader, key, packet.address(), 1));
        assertThrows(IllegalStateException.class, region::key);
        assertFalse(region.isValid());
        try (Region next = small.register(own, packet, Tables.ALL)) {
            assertEquals(MemoryKey.index(key), MemoryKey.index(next.key()));
            assertNotEquals(key, next.key());
            assertEquals(Verdict.WRONG_INSTANCE, small.judge(reader, key, packet.address(), 1));
        }
    }

    @Test
    void aFullTableSaysSoAndLosesNothing() {
        ProtectionTable small = new ProtectionTable(2, new Seed(3));
        ProtectionDomain own = small.createDomain();
        try (MachineMemory machine = new MachineMemory(65536);
                ManagedMemory memory = machine.allocate(10)) {
            TableRegion one = small.register(own, packet, Tables.ALL);
            Window two = small.createWindow(own, Window.Type.TYPE_1);
            assertThrows(IllegalStateException.class, () -> small.register(own, packet, Tables.ALL));
            assertThrows(IllegalStateException.class, () -> small.register(own, memory, 0, Tables.ALL));
            assertThrows(IllegalStateException.class, () -> small.createWindow(own, Window.Type.TYPE_2));
            assertEquals(2, own.entries());
            assertEquals(0, memory.uses());
            one.close();
            two.close();
            own.close();
        }
    }

    @Test
    void aDomainIsClosedWhenItIsEmptyAndThenTakesNothing() {
        TableRegion region = table.register(domain, packet, Set.of());
        assertThrows(IllegalStateException.class, domain::close);
        region.close();
        domain.close();
        domain.close();
        assertThrows(IllegalStateException.class, () -> table.register(domain, packet, Set.of()));
        assertThrows(IllegalStateException.class, () -> table.createWindow(domain, Window.Type.TYPE_1));
    }

    @Test
    void domainsAndRegionsOfAnotherTableAreRefused() {
        ProtectionDomain foreign = Tables.table().createDomain();
        TableRegion region = table.register(domain, packet, Set.of());
        assertThrows(IllegalArgumentException.class, () -> table.register(foreign, packet, Set.of()));
        assertThrows(IllegalArgumentException.class, () -> table.createWindow(foreign, Window.Type.TYPE_1));
        assertThrows(IllegalArgumentException.class, () -> Tables.table().share(region, foreign, Set.of()));
    }

    @Test
    void sharedRegionsHaveOwnEntriesAndOneTranslationTable() {
        ProtectionDomain second = table.createDomain();
        Accessor secondWriter = Accessor.remote(second, 4, Right.REMOTE_WRITE);
        Accessor secondReader = Accessor.local(second, 4, Right.LOCAL_READ);
        try (MachineMemory machine = new MachineMemory(1 << 20)) {
            ManagedMemory memory = machine.allocate(3 * 4096);
            TableRegion one = table.register(domain, memory, 0, Tables.ALL);
            TableRegion two = table.share(one, second, Set.of());
            assertSame(one.translation(), two.translation());
            assertNotEquals(one.key(), two.key());
            packet.set(ValueLayout.JAVA_LONG, 0, 4711);
            assertEquals(Verdict.GRANTED, table.place(writer, one.key(), 4096, packet, 0, 8));
            assertEquals(Verdict.WRONG_DOMAIN, table.place(writer, two.key(), 4096, packet, 0, 8));
            assertEquals(Verdict.NO_RIGHT, table.place(secondWriter, two.key(), 4096, packet, 0, 8));
            one.close();
            assertThrows(IllegalStateException.class, () -> table.share(one, second, Set.of()));
            assertEquals(Verdict.GRANTED, table.gather(secondReader, two.key(), 4096, packet, 8, 8));
            assertEquals(4711, packet.get(ValueLayout.JAVA_LONG, 8));
            assertThrows(IllegalStateException.class, memory::close);
            two.close();
            memory.close();
        }
    }

    @Test
    void aPageThatMovedIsFoundThroughEveryEntryThatSharesTheTable() {
        try (MachineMemory machine = new MachineMemory(1 << 20)) {
            ManagedMemory memory = machine.allocate(2 * 4096);
            ManagedMemory spare = machine.allocate(4096);
            TableRegion one = table.register(domain, memory, 0, Tables.ALL);
            TableRegion two = table.share(one, domain, Tables.ALL);
            packet.set(ValueLayout.JAVA_LONG, 0, 4711);
            FrameMemory.of(memory)
                    .table()
                    .rewrite(1, FrameMemory.of(spare).table().pointer(0));
            assertEquals(Verdict.GRANTED, table.place(writer, two.key(), 4096, packet, 0, 8));
            spare.read(0, packet.asSlice(8, 8));
            assertEquals(4711, packet.get(ValueLayout.JAVA_LONG, 8));
            one.close();
            two.close();
            memory.close();
            spare.close();
        }
    }

    @Test
    void aReservedRegionIsUsableFromEnableToInvalidateAndAgain() {
        Accessor consumer = Accessor.local(domain, 3, Right.LOCAL_READ);
        Accessor stranger = Accessor.local(table.createDomain(), 3, Right.LOCAL_READ);
        TableRegion region = table.reserve(domain, packet, Tables.ALL);
        int key = region.key();
        long at = packet.address();
        assertFalse(region.isValid());
        assertEquals(Verdict.INVALID, table.judge(writer, key, at, 1));
        assertEquals(Verdict.WRONG_DOMAIN, table.enable(key, stranger));
        assertEquals(Verdict.WRONG_TYPE, table.enable(key, writer));
        assertEquals(Verdict.GRANTED, table.enable(key, consumer));
        assertEquals(Verdict.ALREADY_VALID, table.enable(key, consumer));
        assertEquals(Verdict.GRANTED, table.judge(writer, key, at, 1));
        assertEquals(Verdict.WRONG_INSTANCE, table.invalidate(MemoryKey.next(key), consumer));
        assertEquals(Verdict.WRONG_DOMAIN, table.invalidate(key, stranger));
        assertEquals(Verdict.GRANTED, table.invalidate(key, writer));
        assertEquals(Verdict.GRANTED, table.invalidate(key, writer));
        assertEquals(Verdict.INVALID, table.judge(writer, key, at, 1));
        assertEquals(Verdict.GRANTED, table.enable(MemoryKey.next(key), consumer));
        assertEquals(MemoryKey.next(key), region.key());
        assertEquals(Verdict.WRONG_INSTANCE, table.judge(writer, key, at, 1));
        assertEquals(Verdict.GRANTED, table.judge(writer, MemoryKey.next(key), at, 1));
        region.close();
        assertEquals(Verdict.NO_ENTRY, table.enable(key, consumer));
        assertEquals(Verdict.NO_ENTRY, table.invalidate(key, consumer));
        assertEquals(Verdict.INDEX_OUT_OF_RANGE, table.enable(-1, consumer));
        assertEquals(Verdict.INDEX_OUT_OF_RANGE, table.invalidate(-1, consumer));
    }

    @Test
    void aReservedRegionIsNotEnabledWhileQuiescedOrWhenItsMemoryIsGone() {
        Accessor consumer = Accessor.local(domain, 3, Right.LOCAL_READ);
        Arena arena = Arena.ofShared();
        TableRegion region = table.reserve(domain, arena.allocate(10), Tables.ALL);
        assertEquals(Verdict.GRANTED, table.enable(region.key(), consumer));
        assertTrue(region.state().requestQuiesce());
        assertTrue(region.state().completeQuiesce(StateWord.NO_GENERATION));
        assertEquals(Verdict.QUIESCED, table.enable(region.key(), consumer));
        assertEquals(Verdict.GRANTED, table.invalidate(region.key(), consumer));
        arena.close();
        assertEquals(Verdict.BACKING_CLOSED, table.enable(region.key(), consumer));
    }

    @Test
    void anOrdinaryRegionIsNeitherEnabledNorInvalidated() {
        Accessor consumer = Accessor.local(domain, 3, Right.LOCAL_READ);
        TableRegion region = table.register(domain, packet, Tables.ALL);
        assertEquals(Verdict.WRONG_TYPE, table.enable(region.key(), consumer));
        assertEquals(Verdict.WRONG_TYPE, table.invalidate(region.key(), consumer));
        assertEquals(Verdict.WRONG_TYPE, table.invalidate(region.key(), writer));
    }

    @Test
    void managedMemoryCanBeReservedToo() {
        Accessor consumer = Accessor.local(domain, 3, Right.LOCAL_READ);
        try (MachineMemory machine = new MachineMemory(65536);
                ManagedMemory memory = machine.allocate(10);
                TableRegion region = table.reserve(domain, memory, 100, Tables.ALL)) {
            assertEquals(Verdict.GRANTED, table.enable(region.key(), consumer));
            assertEquals(Verdict.GRANTED, table.judge(writer, region.key(), 100, 10));
        }
    }
}
