package org.verbena.memory.protection;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.verbena.Right;
import org.verbena.Verdict;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.translation.AtomicOperands;
import org.verbena.memory.translation.AtomicResult;

/** Accesses a registered file that was cut, in every way, and prints what happened. {@link CutFileAccessTest} runs it. */
final class CutFileProgram {
    private static final int BYTES = 4096;
    /** Enough for the JVM to compile the way of an access. */
    private static final int ACCESSES = 20_000;

    private final ProtectionTable table = Tables.table();
    private final ProtectionDomain domain = table.createDomain();

    private CutFileProgram() {}

    public static void main(String[] arguments) throws IOException {
        new CutFileProgram().run(Path.of(arguments[0]));
    }

    private void run(Path path) throws IOException {
        try (Arena arena = Arena.ofShared();
                FileChannel file = FileChannel.open(
                        path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment packet = arena.allocate(BYTES);
            MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
            TableRegion plain = table.register(domain, mapped, Tables.ALL);
            List<MemorySegment> segments = List.of(arena.allocate(BYTES, BYTES), mapped);
            TableRegion scattered = table.register(domain, segments, 0, Tables.ALL);
            file.truncate(0);
            access(plain, plain.address(), packet);
            access(scattered, BYTES, packet);
        }
    }

    private void access(TableRegion region, long address, MemorySegment packet) {
        int key = region.key();
        Accessor writer = Accessor.remote(domain, 3, Right.REMOTE_WRITE);
        Accessor reader = Accessor.local(domain, 3, Right.LOCAL_READ);
        Accessor adder = Accessor.remote(domain, 3, Right.REMOTE_ATOMIC);
        AtomicResult result = new AtomicResult();
        report("place", region, () -> table.place(writer, key, address, packet, 0, BYTES));
        report("gather", region, () -> table.gather(reader, key, address, packet, 0, BYTES));
        report("fetchAdd", region, () -> table.fetchAdd(adder, key, address, 1, result));
        report(
                "compareSwap",
                region,
                () -> table.compareSwap(adder, key, address, new AtomicOperands().swap(1), result));
        report("atomicWrite", region, () -> table.atomicWrite(writer, key, address, 1));
    }

    private static void report(String access, TableRegion region, Supplier<Verdict> action) {
        Set<String> outcomes = new LinkedHashSet<>();
        for (int i = 0; i < ACCESSES; i++) {
            String outcome;
            try {
                outcome = action.get().toString();
            } catch (InternalError e) {
                outcome = "InternalError";
            }
            outcomes.add(outcome + ", inside " + region.state().inside());
        }
        System.out.println(access + ": " + String.join("; ", outcomes));
    }
}
