package org.verbena.memory.hypervisor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.store.StoreOptions;

final class HypervisorOptionsTest {
    private static final long MIB = 1 << 20;

    @Test
    void tooLittleMachineMemoryIsRefused() {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> HypervisorOptions.of(MIB - 1))
                        .getMessage());
        assertTrue(message.contains("1048576") && message.contains("1048575"), message);
    }

    /** Frame numbers have 28 bits; the one above would be taken for another. */
    @Test
    void moreThanATebibyteIsRefused() {
        long most = 1L << 40;
        HypervisorOptions options = HypervisorOptions.of(most);
        assertEquals(most, options.withMemoryMax(most).memoryMax());
        assertEquals(most, GuestOptions.ofPhysical(most).physicalBytes());
        assertNamesTheLimit(() -> HypervisorOptions.of(most + 4096));
        assertNamesTheLimit(() -> HypervisorOptions.of(MIB).withMemoryMax(most + 1));
        assertNamesTheLimit(() -> GuestOptions.ofPhysical(most + 4096));
    }

    private static void assertNamesTheLimit(Executable tooMuch) {
        String message = String.valueOf(
                assertThrows(IllegalArgumentException.class, tooMuch).getMessage());
        assertTrue(message.contains("1 TiB") && message.contains("109951162777"), message);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void pagesGoToTheFileNamedAndNothingIsLeftOfIt(@TempDir Path directory) throws IOException {
        HypervisorOptions options = HypervisorOptions.of(MIB).withStore(StoreOptions.at(directory));
        try (Hypervisor hypervisor = Hypervisor.open(options);
                ManagedMemory memory = hypervisor.host().allocate(4 * MIB);
                Arena arena = Arena.ofConfined()) {
            assertTrue(hypervisor.storeName().contains(directory.toString()), hypervisor::storeName);
            MemorySegment piece = arena.allocate(MIB);
            for (int i = 0; i < 4; i++) {
                memory.write(i * MIB, piece.fill((byte) (i + 1)));
            }
            MemorySegment read = arena.allocate(MIB);
            memory.read(0, read);
            assertEquals(-1, read.mismatch(piece.fill((byte) 1)));
            assertTrue(hypervisor.storeStatistics().writes().values().count() > 0, "something was written");
        }
        try (var left = Files.list(directory)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void aStoreThatCannotBeMadeIsTold(@TempDir Path directory) {
        HypervisorOptions options =
                HypervisorOptions.of(MIB).withStore(StoreOptions.at(directory.resolve("no such/place")));
        assertThrows(UncheckedIOException.class, () -> Hypervisor.open(options));
    }
}
