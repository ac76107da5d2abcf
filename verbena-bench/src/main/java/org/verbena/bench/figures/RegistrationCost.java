package org.verbena.bench.figures;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Random;
import org.verbena.Right;
import org.verbena.link.Endpoint;
import org.verbena.link.udp.UdpNetwork;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.hypervisor.MachineMemory;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.registration.BufferTable;
import org.verbena.time.NanoClock;
import org.verbena.time.Seed;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * Costs of the registration table: a program that prints one number.
 *
 * <p>Arguments: {@code hit uniform|skewed} prints nanoseconds of a look-up that counts an operation, with 10,000 entries; {@code miss BYTES} prints microseconds
 * of a miss with registration, without the system call that pins; {@code managed BYTES} prints microseconds of a registration of managed memory; {@code writes
 * BYTES table|region SECONDS} prints megabytes a second of writes over UDP loopback, from 1,000 buffers that the table registers or from one region.
 */
final class RegistrationCost {
    private static final int ENTRIES = 10_000;
    private static final long PAGE = 4096;
    private static final int LOOKUPS = 1 << 16;
    private static final int ROUNDS = 60;
    private static final int BUFFERS = 1000;
    private static final int DEPTH = 32;

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
    public static void main(String... arguments) throws InterruptedException {
        RegistrationCost cost = new RegistrationCost();
        double value = switch (arguments[0]) {
            case "hit" -> cost.hit(arguments[1].equals("uniform"));
            case "miss" -> cost.miss(Long.parseLong(arguments[1]));
            case "managed" -> cost.managed(Long.parseLong(arguments[1]));
            default ->
                writes(Integer.parseInt(arguments[1]), arguments[2].equals("table"), Long.parseLong(arguments[3]));
        };
        System.out.printf(Locale.ROOT, "%.3f%n", value);
    }

    /** The best of many rounds: a look-up is shorter than any disturbance. */
    private double hit(boolean uniform) {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(2 * PAGE * ENTRIES, PAGE);
            MemorySegment[] buffers = new MemorySegment[ENTRIES];
            for (int i = 0; i < ENTRIES; i++) {
                buffers[i] = all.asSlice(2 * PAGE * i, PAGE);
                memory.endOperation(domain, table.begin(domain, buffers[i], true));
            }
            MemorySegment[] order = order(buffers, uniform);
            int[] keys = new int[LOOKUPS];
            double best = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS; round++) {
                long startNs = System.nanoTime();
                for (int i = 0; i < LOOKUPS; i++) {
                    keys[i] = table.begin(domain, order[i], true);
                }
                best = Math.min(best, (double) (System.nanoTime() - startNs) / LOOKUPS);
                for (int key : keys) {
                    memory.endOperation(domain, key);
                }
            }
            return best;
        }
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

    private double miss(long bytes) {
        int count = 64;
        double best = Double.MAX_VALUE;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment all = arena.allocate(bytes + 2 * PAGE, PAGE);
            for (int round = 0; round < 40 * ROUNDS; round++) {
                long ns = 0;
                for (int i = 0; i < count; i++) {
                    long startNs = System.nanoTime();
                    int key = table.begin(domain, all.asSlice(0, bytes), true);
                    ns += System.nanoTime() - startNs;
                    memory.endOperation(domain, key);
                    table.clear();
                }
                best = Math.min(best, ns / 1e3 / count);
            }
        }
        return best;
    }

    private double managed(long bytes) {
        int count = 64;
        double best = Double.MAX_VALUE;
        try (ManagedMemory managed = new MachineMemory(Math.max(16L << 20, 2 * bytes)).allocate(bytes)) {
            for (int round = 0; round < 40 * ROUNDS; round++) {
                long ns = 0;
                for (int i = 0; i < count; i++) {
                    long startNs = System.nanoTime();
                    Region region = memory.register(domain, managed, 0, EnumSet.allOf(Right.class));
                    ns += System.nanoTime() - startNs;
                    region.close();
                }
                best = Math.min(best, ns / 1e3 / count);
            }
        }
        return best;
    }

    private static double writes(int bytes, boolean byTable, long seconds) throws InterruptedException {
        try (Adapter here = open();
                Adapter there = open();
                Arena arena = Arena.ofShared()) {
            CompletionQueue completions = here.createCompletionQueue(2 * DEPTH);
            QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
            QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
            queuePair.connect(other.address(), ConnectionOptions.DEFAULT);
            other.connect(queuePair.address(), ConnectionOptions.DEFAULT);
            MemorySegment target = arena.allocate(bytes, PAGE);
            RemoteMemory remote = RemoteMemory.of(there.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE));
            WorkRequest.Write[] requests = new WorkRequest.Write[BUFFERS];
            long stride = bytes + 2 * PAGE & -PAGE; // a page between two buffers, so that they are entries of their own
            MemorySegment sources = arena.allocate(byTable ? stride * BUFFERS : bytes, PAGE);
            Region region = here.register(sources);
            for (int i = 0; i < BUFFERS; i++) {
                LocalSegment source = byTable
                        ? LocalSegment.of(sources.asSlice(stride * i, bytes))
                        : LocalSegment.of(region, 0, bytes);
                requests[i] = new WorkRequest.Write(i, source, remote);
            }
            rate(queuePair, completions, requests, bytes, 2);
            return rate(queuePair, completions, requests, bytes, seconds);
        }
    }

    private static Adapter open() {
        return Adapter.open(
                UdpNetwork.open(Endpoint.of("127.0.0.1", 0)),
                AdapterOptions.DEFAULT.withRegistrations(RegistrationOptions.DEFAULT.withBudget(1 << 16, 1L << 40)));
    }

    private static double rate(
            QueuePair queuePair, CompletionQueue completions, WorkRequest.Write[] requests, int bytes, long seconds)
            throws InterruptedException {
        Completions batch = new Completions(DEPTH);
        long startNs = System.nanoTime();
        long posted = 0;
        long done = 0;
        while (System.nanoTime() - startNs < seconds * 1_000_000_000L) {
            while (posted - done < DEPTH && queuePair.post(requests[(int) (posted % BUFFERS)])) {
                posted++;
            }
            done += completions.poll(batch);
        }
        double megabytes = done * (double) bytes / 1e6 / ((System.nanoTime() - startNs) / 1e9);
        while (done < posted) {
            Completion completion = completions.poll(Duration.ofSeconds(10));
            if (completion == null || !completion.status().success()) {
                throw new IllegalStateException("a write has failed: " + completion);
            }
            done++;
        }
        return megabytes;
    }
}
