package org.verbena.memory.protection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;
import org.verbena.time.Seed;

final class AccessTest {
    private final Arena arena = Arena.ofShared();
    private final MachineMemory machine = new MachineMemory(1 << 20);
    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();
    private final Accessor writer = Accessor.remote(domain, 3, Right.REMOTE_WRITE);
    private final Accessor reader = Accessor.local(domain, 3, Right.LOCAL_READ);
    private final Accessor adder = Accessor.remote(domain, 3, Right.REMOTE_ATOMIC);
    private final AtomicResult result = new AtomicResult();

    @AfterEach
    void close() {
        arena.close();
    }

    private static MemorySegment packet(int bytes) {
        return MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes));
    }

    /** Managed memory in single frames that are not neighbours. */
    private ManagedMemory scattered(long bytes) {
        ManagedMemory[] fillers = new ManagedMemory[machine.frames()];
        for (int i = 0; i < fillers.length; i++) {
            fillers[i] = machine.allocate(MachineMemory.FRAME);
        }
        for (int i = 0; i < fillers.length; i += 2) {
            fillers[i].close();
        }
        ManagedMemory memory = machine.allocate(bytes);
        assertEquals(MachineMemory.FRAME, memory.contiguousFrom(0));
        return memory;
    }

    private void agreesWithAShadow(TableRegion region, Seed seed) {
        MemorySegment shadow = arena.allocate(region.length());
        MemorySegment packet = packet(20_000);
        MemorySegment back = packet(20_000);
        for (int step = 0; step < 2000; step++) {
            int length = 1 + seed.nextInt(20_000 - 100);
            long offset = seed.nextInt((int) region.length() - length + 1);
            int at = seed.nextInt(100);
            packet.set(ValueLayout.JAVA_LONG_UNALIGNED, seed.nextInt(20_000 - 8), seed.nextLong());
            MemorySegment.copy(packet, at, shadow, offset, length);
            assertEquals(
                    Verdict.GRANTED, table.place(writer, region.key(), region.address() + offset, packet, at, length));
            assertEquals(
                    Verdict.GRANTED, table.gather(reader, region.key(), region.address() + offset, back, at, length));
            assertEquals(-1, MemorySegment.mismatch(packet, at, at + length, back, at, at + length));
        }
        MemorySegment all = arena.allocate(region.length());
        assertEquals(
                Verdict.GRANTED, table.gather(reader, region.key(), region.address(), all, 0, (int) region.length()));
        assertEquals(-1, all.mismatch(shadow));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 4093})
    void foreignMemoryHoldsWhatWasPlaced(long offset) {
        MemorySegment memory = arena.allocate(70_000 + offset).asSlice(offset);
        agreesWithAShadow(table.register(domain, memory, Tables.ALL), new Seed(offset));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4096, 0x7fff_ffff_ffff_fff1L, -70_000})
    void managedMemoryHoldsWhatWasPlacedAcrossExtents(long address) {
        agreesWithAShadow(table.register(domain, machine.allocate(70_000), address, Tables.ALL), new Seed(address));
    }

    @Test
    void managedMemoryHoldsWhatWasPlacedAcrossScatteredFrames() {
        agreesWithAShadow(table.register(domain, scattered(70_000), 0, Tables.ALL), new Seed(5));
    }

    @Test
    void nothingOutsideTheRangeIsTouched() {
        MemorySegment around = arena.allocate(3000);
        around.fill((byte) 7);
        TableRegion region = table.register(domain, around.asSlice(1000, 1000), Tables.ALL);
        assertEquals(Verdict.GRANTED, table.place(writer, region.key(), region.address(), packet(1000), 0, 1000));
        for (int i = 0; i < 3000; i++) {
            assertEquals(i < 1000 || i >= 2000 ? 7 : 0, around.get(ValueLayout.JAVA_BYTE, i));
        }
    }

    @Test
    void boundsAreExactAtBothEnds() {
        TableRegion region = table.register(domain, arena.allocate(100), Tables.ALL);
        MemorySegment packet = packet(200);
        long start = region.address();
        assertEquals(Verdict.GRANTED, table.place(writer, region.key(), start, packet, 0, 100));
        assertEquals(Verdict.GRANTED, table.place(writer, region.key(), start + 99, packet, 0, 1));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, region.key(), start, packet, 0, 101));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, region.key(), start - 1, packet, 0, 1));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, region.key(), start - 1, packet, 0, 102));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, region.key(), start + 100, packet, 0, 1));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, region.key(), start + 99, packet, 0, 2));
    }

    @Test
    void aRegionMayEndWithTheAddressSpaceAndNotBeyond() {
        ManagedMemory memory = machine.allocate(4096);
        TableRegion region = table.register(domain, memory, -4096, Tables.ALL);
        MemorySegment packet = packet(200);
        assertEquals(Verdict.GRANTED, table.place(writer, region.key(), -1, packet, 0, 1));
        assertEquals(Verdict.GRANTED, table.judge(writer, region.key(), -4096, 4096));
        assertEquals(Verdict.WRAPS_AROUND, table.place(writer, region.key(), -1, packet, 0, 2));
        assertEquals(Verdict.OUT_OF_BOUNDS, table.place(writer, region.key(), 0, packet, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> table.register(domain, memory, -4095, Tables.ALL));
    }

    @Test
    void atomicsChangeMemoryAndReturnWhatWasThere() {
        MemorySegment memory = arena.allocate(64, 8);
        TableRegion region = table.register(domain, memory, Tables.ALL);
        long at = region.address() + 8;
        memory.set(ValueLayout.JAVA_LONG, 8, 40);
        assertEquals(Verdict.GRANTED, table.fetchAdd(adder, region.key(), at, 2, result));
        assertEquals(40, result.original());
        assertEquals(42, memory.get(ValueLayout.JAVA_LONG, 8));
        AtomicOperands operands = new AtomicOperands().compare(41).swap(7);
        assertEquals(Verdict.GRANTED, table.compareSwap(adder, region.key(), at, operands, result));
        assertEquals(42, result.original());
        assertEquals(42, memory.get(ValueLayout.JAVA_LONG, 8));
        assertEquals(Verdict.GRANTED, table.compareSwap(adder, region.key(), at, operands.compare(42), result));
        assertEquals(42, result.original());
        assertEquals(7, memory.get(ValueLayout.JAVA_LONG, 8));
    }

    @Test
    void atomicsWorkInManagedMemoryAndNeedBothAddressesAligned() {
        ManagedMemory memory = scattered(3 * 4096);
        TableRegion region = table.register(domain, memory, 0x1000, Tables.ALL);
        assertEquals(Verdict.GRANTED, table.fetchAdd(adder, region.key(), 0x1000 + 4096, 5, result));
        assertEquals(Verdict.GRANTED, table.fetchAdd(adder, region.key(), 0x1000 + 4096, 5, result));
        assertEquals(5, result.original());
        Region shifted = table.register(domain, memory, 0x1004, Tables.ALL);
        assertEquals(Verdict.MISALIGNED, table.fetchAdd(adder, shifted.key(), 0x1008, 5, result));
        assertEquals(Verdict.MISALIGNED, table.fetchAdd(adder, shifted.key(), 0x1004, 5, result));
    }

    @Test
    void aPacketTooShortForTheLengthIsTheCallersErrorAndLeavesTheRegionUsable() {
        TableRegion region = table.register(domain, arena.allocate(100), Tables.ALL);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> table.place(writer, region.key(), region.address(), packet(10), 0, 11));
        assertEquals(0, region.state().inside());
        region.close();
    }

    @Test
    void eachRightAdmitsItsOwnAccessOnly() {
        for (Right granted : Right.values()) {
            Set<Right> rights = granted.isRemote() ? Set.of(granted, Right.LOCAL_WRITE) : Set.of(granted);
            TableRegion region = table.register(domain, arena.allocate(8), rights);
            for (Right wanted : Right.values()) {
                Accessor who =
                        wanted.isRemote() ? Accessor.remote(domain, 1, wanted) : Accessor.local(domain, 1, wanted);
                boolean may = wanted == Right.LOCAL_READ || rights.contains(wanted);
                assertEquals(
                        may ? Verdict.GRANTED : Verdict.NO_RIGHT,
                        table.judge(who, region.key(), region.address(), 8),
                        granted + " for " + wanted);
            }
        }
    }
}
