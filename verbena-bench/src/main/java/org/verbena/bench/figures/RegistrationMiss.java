package org.verbena.bench.figures;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Locale;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.registration.BufferTable;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * The cost of a miss: a program that prints one number, in microseconds.
 *
 * <p>Arguments: {@code BYTES PAGES WHAT}. The pages are {@code touched}, as those of an arena are, or {@code untouched}, as those of a file that was just
 * mapped: the system call that pins walks the former. {@code mlock} is that system call alone; {@code beyond} is the median of a miss with registration and pins
 * minus the system call alone on the same memory, both in turn.
 */
final class RegistrationMiss {
    private static final long PAGE = 4096;
    private static final int MLOCK_ONFAULT = 1;
    /** Misses of one page before anything counts, for this long: the compiler is done then. */
    private static final long WARM_UP_NS = 1_500_000_000L;

    private static final long MEASURED_NS = 1_000_000_000L;
    private static final int SAMPLES_MAX = 100_000;
    private static final MethodHandle MLOCK2 = call("mlock2", ValueLayout.JAVA_INT);
    private static final MethodHandle MUNLOCK = call("munlock");

    private final ProtectionTable memory = new ProtectionTable(1 << 20, new Seed(1));
    private final ProtectionDomain domain = memory.createDomain();
    private final BufferTable table;
    private final MemorySegment buffer;

    private RegistrationMiss(MemorySegment buffer) {
        this.buffer = buffer;
        this.table = new BufferTable(
                memory,
                "figures",
                RegistrationOptions.DEFAULT.withPinnedBytesMax(1L << 40).withBudget(1 << 18, 1L << 40),
                NanoClock.system(),
                RegistrationMiss::refuse);
    }

    /** Prints one number. */
    public static void main(String... arguments) throws IOException {
        long bytes = Long.parseLong(arguments[0]);
        boolean touched = arguments[1].equals("touched");
        String what = arguments[2];
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = touched ? arena.allocate(bytes + 2 * PAGE, PAGE) : mapped(bytes + 2 * PAGE, arena);
            MemorySegment buffer = all.asSlice(PAGE, bytes);
            RegistrationMiss miss = new RegistrationMiss(buffer);
            double value = switch (what) {
                case "mlock" -> -miss.median(false);
                case "beyond" -> miss.median(true);
                default -> throw new IllegalArgumentException("mlock or beyond expected; found " + what);
            };
            System.out.printf(Locale.ROOT, "%.3f%n", value);
        }
    }

    private static MemorySegment mapped(long bytes, Arena arena) throws IOException {
        Path file = Files.createTempFile("verbena-miss", null);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        } finally {
            Files.delete(file);
        }
    }

    private static void refuse(String message) {
        throw new MeasurementException(message);
    }

    /** The median of misses minus locks, in microseconds; misses that are not wanted count 0. */
    private double median(boolean misses) {
        MemorySegment page = buffer.asSlice(0, PAGE);
        long warmNs = System.nanoTime();
        while (System.nanoTime() - warmNs < WARM_UP_NS) {
            long _ = differenceNs(page, misses);
        }
        long[] ns = new long[SAMPLES_MAX];
        int count = 0;
        long startNs = System.nanoTime();
        while (count < SAMPLES_MAX && System.nanoTime() - startNs < MEASURED_NS) {
            ns[count++] = differenceNs(buffer, misses);
        }
        Arrays.sort(ns, 0, count);
        return ns[count / 2] / 1e3;
    }

    private long differenceNs(MemorySegment part, boolean misses) {
        return (misses ? missNs(part) : 0) - lockNs(part);
    }

    private long missNs(MemorySegment part) {
        long startNs = System.nanoTime();
        int key = table.begin(domain, part, true);
        long ns = System.nanoTime() - startNs;
        memory.endOperation(domain, key);
        table.clear();
        return ns;
    }

    private long lockNs(MemorySegment part) {
        try {
            long startNs = System.nanoTime();
            int failed = (int) MLOCK2.invokeExact(part.address(), part.byteSize(), MLOCK_ONFAULT);
            long ns = System.nanoTime() - startNs;
            int _ = (int) MUNLOCK.invokeExact(part.address(), part.byteSize());
            if (failed != 0) {
                throw new MeasurementException("the system refuses to lock " + part.byteSize() + " bytes");
            }
            return ns;
        } catch (Error | RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new MeasurementException("mlock2", e);
        }
    }

    /** A system call that takes an address, a length and {@code more}. */
    @SuppressWarnings("restricted") // system calls
    private static MethodHandle call(String name, ValueLayout... more) {
        ValueLayout[] arguments = new ValueLayout[2 + more.length];
        arguments[0] = ValueLayout.JAVA_LONG;
        arguments[1] = ValueLayout.JAVA_LONG;
        System.arraycopy(more, 0, arguments, 2, more.length);
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, arguments));
    }
}
