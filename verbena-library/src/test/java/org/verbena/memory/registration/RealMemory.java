package org.verbena.memory.registration;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * A process of its own for {@link RealMemoryTest}: a registration table with the page locks of the system, and the numbers that the system has of it. Prints a line
 * for each number.
 */
final class RealMemory {
    private static final long PAGE = 4096;
    private static final int BUFFERS = 64;

    private final List<String> messages = new ArrayList<>();
    private final ProtectionTable memory = new ProtectionTable(4096, new Seed(1));
    private final ProtectionDomain domain = memory.createDomain();
    private final BufferTable table =
            new BufferTable(memory, "child", RegistrationOptions.DEFAULT, NanoClock.system(), messages::add);

    private RealMemory() {}

    static void main(String[] arguments) throws IOException {
        RealMemory child = new RealMemory();
        switch (arguments[0]) {
            case "pins" -> child.pins();
            case "cycles" -> child.cycles(Integer.parseInt(arguments[1]));
            default -> throw new IllegalArgumentException("pins or cycles expected; found " + arguments[0]);
        }
    }

    private void use(MemorySegment buffer) {
        memory.endOperation(domain, table.begin(domain, buffer, true));
    }

    /** Buffers of a page each, with a page between them. */
    private void pins() throws IOException {
        print("locked before", status("VmLck"));
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(2L * BUFFERS * PAGE, PAGE).fill((byte) 1);
            for (int i = 0; i < BUFFERS; i++) {
                use(all.asSlice(2L * i * PAGE, PAGE));
            }
            print("pinned", table.counts().pinnedBytes());
            print("limit", table.counts().pinnedLimit());
            print("refusals", table.counts().pinRefusals());
            print("locked", status("VmLck"));
            print("messages", messages.size());
            messages.forEach(System.out::println);
            int _ = table.clear();
            print("locked after", status("VmLck"));
        }
    }

    /** Allocates, registers and frees, without a look-up that hits. */
    private void cycles(int count) throws IOException {
        int most = 0;
        for (int i = 0; i < count; i++) {
            try (Arena arena = Arena.ofShared()) {
                use(arena.allocate(PAGE + i % 7 * 1000L).fill((byte) i));
            }
            most = Math.max(most, table.size());
            if (i == count / 4 || i == count - 1) {
                print("resident", status("VmRSS"));
                print("mappings", Files.readAllLines(Path.of("/proc/self/maps")).size());
            }
        }
        int _ = table.sweep();
        print("entries most", most);
        print("entries", table.size());
        print("locked", status("VmLck"));
        print("stale", table.counts().stale());
    }

    private static void print(String name, long value) {
        System.out.println(name + ": " + value);
    }

    /** A number of bytes that the system has of this process. */
    private static long status(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow();
    }
}
