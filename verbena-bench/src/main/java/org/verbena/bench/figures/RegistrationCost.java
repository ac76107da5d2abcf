package org.verbena.bench.figures;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Random;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.registration.BufferTable;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;

/**
 * Costs of the registration table: a program that prints one number.
 *
 * <p>Arguments: {@code hit uniform|skewed new|old} prints nanoseconds of a look-up that counts an operation, with 10,000 entries: new ones lie among the garbage of
 * their registration, old ones have been through a collection, which leaves less memory to look at. {@code allocation} prints the bytes that a look-up allocates; {@code managed BYTES} prints microseconds of a registration of managed memory.
 */
final class RegistrationCost {
    private static final int ENTRIES = 10_000;
    private static final long PAGE = 4096;
    private static final int LOOKUPS = 1 << 16;
    private static final int ROUNDS = 60;
    private static final int MANAGED_PER_ROUND = 64;
    private static final long MANAGED_NS = 2_000_000_000L;

    private final ProtectionTable memory = new ProtectionTable(1 << 20, new Seed(1));
    private final ProtectionDomain domain = memory.createDomain();
    private final BufferTable table = new BufferTable(
            memory,
            "figures",
            RegistrationOptions.DEFAULT.withPinnedBytesMax(0).withBudget(1 << 18, 1L << 40),
            NanoClock.system(),
            _ -> {});

    private RegistrationCost() {}

    /** Prints one number. */
    public static void main(String... arguments) {
        RegistrationCost cost = new RegistrationCost();
        double value = switch (arguments[0]) {
            case "hit" -> cost.hit(arguments[1].equals("uniform"), arguments[2].equals("old"));
            case "allocation" -> cost.allocation();
            case "managed" -> cost.managed(Long.parseLong(arguments[1]));
            default -> throw new IllegalArgumentException("hit, allocation or managed expected; found " + arguments[0]);
        };
        System.out.printf(Locale.ROOT, "%.3f%n", value);
    }

    /** The best of many rounds: a look-up is shorter than any disturbance. */
    private double hit(boolean uniform, boolean old) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] order = order(registered(arena), uniform);
            if (old) {
                System.gc();
            }
            int[] keys = new int[LOOKUPS];
            long bestNs = Long.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                bestNs = Math.min(bestNs, roundNs(order, keys));
            }
            return (double) bestNs / LOOKUPS;
        }
    }

    /** Bytes that this thread allocates for a look-up, when the compiler has seen it often. */
    private double allocation() {
        if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)) {
            throw new MeasurementException("this virtual machine does not count what a thread allocates");
        }
        try (Arena arena = Arena.ofShared()) {
            MemorySegment[] order = order(registered(arena), true);
            int[] keys = new int[LOOKUPS];
            for (int round = 0; round < ROUNDS; round++) {
                long _ = roundNs(order, keys);
            }
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int round = 0; round < ROUNDS; round++) {
                long _ = roundNs(order, keys);
            }
            return (double) (threads.getCurrentThreadAllocatedBytes() - before) / ROUNDS / LOOKUPS;
        }
    }

    private MemorySegment[] registered(Arena arena) {
        MemorySegment all = arena.allocate(2 * PAGE * ENTRIES, PAGE);
        MemorySegment[] buffers = new MemorySegment[ENTRIES];
        for (int i = 0; i < ENTRIES; i++) {
            buffers[i] = all.asSlice(2 * PAGE * i, PAGE);
            memory.endOperation(domain, table.begin(domain, buffers[i], true));
        }
        return buffers;
    }

    private long roundNs(MemorySegment[] order, int[] keys) {
        long startNs = System.nanoTime();
        for (int i = 0; i < LOOKUPS; i++) {
            keys[i] = table.begin(domain, order[i], true);
        }
        long ns = System.nanoTime() - startNs;
        for (int key : keys) {
            memory.endOperation(domain, key);
        }
        return ns;
    }

    private static MemorySegment[] order(MemorySegment[] buffers, boolean uniform) {
        Random random = new Random(5);
        MemorySegment[] order = new MemorySegment[LOOKUPS];
        for (int i = 0; i < LOOKUPS; i++) {
            double at = random.nextDouble();
            order[i] = buffers[(int) (ENTRIES * (uniform ? at : Math.pow(at, 6)))];
        }
        return order;
    }

    /** The best of many rounds. */
    private double managed(long bytes) {
        double best = Double.MAX_VALUE;
        try (ManagedMemory managed = new MachineMemory(Math.max(16L << 20, 2 * bytes)).allocate(bytes)) {
            long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < MANAGED_NS) {
                long ns = 0;
                for (int i = 0; i < MANAGED_PER_ROUND; i++) {
                    long beganNs = System.nanoTime();
                    Region region = memory.register(domain, managed, 0, EnumSet.allOf(Right.class));
                    ns += System.nanoTime() - beganNs;
                    region.close();
                }
                best = Math.min(best, ns / 1e3 / MANAGED_PER_ROUND);
            }
        }
        return best;
    }
}
