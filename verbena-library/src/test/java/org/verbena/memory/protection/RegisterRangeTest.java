package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.verbena.Right;
import org.verbena.Touches;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.TableEntry;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.HypervisorOptions;
import org.verbena.memory.hypervisor.MachineMemory;

/** Memory that is put behind a reserved key, and given back once however it ends. */
final class RegisterRangeTest {
    private static final int ROUNDS = 20_000;

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor local = Accessor.local(domain, 3, Right.LOCAL_WRITE);
    private final Accessor peer = Accessor.remote(domain, 3, Right.REMOTE_WRITE);
    private final MemorySegment packet = Arena.ofShared().allocate(64);

    private Verdict register(int key, MemoryRange range) {
        range.take();
        Verdict verdict = table.register(key, local, range, Touches.MANY);
        if (!verdict.granted()) {
            range.giveBack();
        }
        return verdict;
    }

    @Test
    void theTableListsTheMemoryWhileItIsRegistered() {
        TableRegion region = table.reserve(domain, 1);
        MemorySegment memory = Arena.ofAuto().allocate(100, 128);
        assertEquals(0, table.entries().getFirst().length());
        assertEquals(Verdict.GRANTED, register(region.key(), MemoryRange.of(memory, 0x50, Tables.ALL)));
        TableEntry listed = table.entries().getFirst();
        assertEquals(0x50, listed.address());
        assertEquals(100, listed.length());
        assertTrue(listed.valid());
        assertEquals(Verdict.GRANTED, table.invalidate(region.key(), local));
        listed = table.entries().getFirst();
        assertEquals(0, listed.length());
        assertFalse(listed.valid());
    }

    @Test
    void theTableKnowsThatPagedMemoryWasRegistered() {
        HypervisorOptions options = HypervisorOptions.of(HypervisorOptions.MEMORY_MIN);
        try (Hypervisor hypervisor = Hypervisor.open(options);
                ManagedMemory wired = hypervisor.host().allocateWired(4096);
                ManagedMemory paged = hypervisor.host().allocate(4096);
                TableRegion region = table.reserve(domain, 1)) {
            assertEquals(Verdict.GRANTED, register(region.key(), MemoryRange.of(wired, 0, 64, 0, Tables.ALL)));
            assertFalse(table.hasPaged());
            table.invalidate(region.key(), local);
            assertEquals(Verdict.GRANTED, register(region.key(), MemoryRange.of(paged, 0, 64, 0, Tables.ALL)));
            assertTrue(table.hasPaged());
        }
    }

    @Test
    void aKeyWhoseMemoryWasClosedIsRegisteredAnew() {
        TableRegion region = table.reserve(domain, 1);
        Arena arena = Arena.ofShared();
        register(region.key(), MemoryRange.of(arena.allocate(64, 64), 0, Tables.ALL));
        arena.close();
        assertEquals(Verdict.BACKING_CLOSED, table.place(peer, region.key(), 0, packet, 0, 8));
        assertEquals(Verdict.INVALID, table.place(peer, region.key(), 0, packet, 0, 8));
        assertEquals(
                Verdict.GRANTED,
                register(region.key(), MemoryRange.of(Arena.ofAuto().allocate(64, 64), 0, Tables.ALL)),
                "the first access has found out");
        assertEquals(Verdict.GRANTED, table.place(peer, region.key(), 0, packet, 0, 8));
    }

    /** Registrations, invalidations of both sides, accesses and the end of the region, at once: every hold is given back once. */
    @Test
    void allMemoryIsGivenBackWhateverRaces() throws InterruptedException {
        try (MachineMemory machine = new MachineMemory(1 << 20)) {
            ManagedMemory memory = machine.allocate(8192);
            TableRegion region = table.reserve(domain, 2);
            int key = region.key();
            packet.set(ValueLayout.JAVA_LONG, 0, 1);
            MemoryRange range = MemoryRange.of(memory, 100, 5000, 0, Tables.ALL);
            AtomicInteger granted = new AtomicInteger();
            List<Runnable> actors = List.of(
                    () -> granted.addAndGet(register(key, range).granted() ? 1 : 0),
                    () -> granted.addAndGet(register(key, range).granted() ? 1 : 0),
                    () -> table.invalidate(key, local),
                    () -> table.invalidate(key, peer),
                    () -> table.place(peer, key, 10, packet, 0, 8));
            List<Thread> threads = new ArrayList<>();
            for (Runnable actor : actors) {
                threads.add(Thread.ofPlatform().start(() -> {
                    for (int round = 0; round < ROUNDS; round++) {
                        actor.run();
                    }
                }));
            }
            for (int i = 0; i < threads.size(); i++) {
                threads.get(i).join();
            }
            assertTrue(granted.get() > 0);
            assertEquals(region.isValid() ? 1 : 0, memory.uses());
            region.close();
            assertEquals(0, memory.uses());
            memory.close();
        }
    }
}
