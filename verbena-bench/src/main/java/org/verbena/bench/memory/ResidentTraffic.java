package org.verbena.bench.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.verbena.bench.memory.Rig.Action;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.verbs.WorkRequest;

/**
 * Reads and writes of pageable memory that is resident, compared with wired memory, in blocks that take turns.
 * Arguments: wire, seconds.
 */
final class ResidentTraffic {
    static final int[] SIZES = {64, 4 << 10, 64 << 10, 1 << 20};

    private static final int REGION_BYTES = 4 << 20;
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int BLOCK_MOST = 400;
    private static final int BLOCK_LEAST = 2;
    private static final int IN_FLIGHT_BYTES = 1 << 20;
    private static final int DEPTH_MOST = 16;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Rig rig;
    private final String wire;
    private final Region wired;
    private final Region paged;

    private ResidentTraffic(Rig rig, String wire, Region wired, Region paged) {
        this.rig = rig;
        this.wire = wire;
        this.wired = wired;
        this.paged = paged;
    }

    static String key(String wire, Action action, int size, String what) {
        return "resident " + wire + " " + action.label() + " " + size + " " + what;
    }

    public static void main(String... arguments) {
        Rig.Wire wire = Rig.Wire.valueOf(arguments[0]);
        long ns = Long.parseLong(arguments[1]) * 1_000_000_000L;
        try (Hypervisor hypervisor = Stores.hypervisor(64 << 20, Stores.cached());
                ManagedMemory stays = hypervisor.machine().allocate(REGION_BYTES);
                ManagedMemory pages = hypervisor.host().allocate(REGION_BYTES);
                Rig rig = new Rig(wire, 1, hypervisor);
                Region wired = rig.register(stays);
                Region paged = rig.register(pages)) {
            Stores.touch(pages);
            Stores.touch(stays);
            ResidentTraffic traffic = new ResidentTraffic(rig, wire.label(), wired, paged);
            traffic.warmUp(ns);
            for (Action action : Action.values()) {
                for (int size : SIZES) {
                    traffic.compare(action, size, ns);
                }
            }
        }
    }

    private WorkRequest.Sending[] requests(Action action, Region target, int size) {
        WorkRequest.Sending[] requests = new WorkRequest.Sending[Math.min(1024, REGION_BYTES / size)];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = rig.request(action, i, target, (long) i * size, size);
        }
        return requests;
    }

    /** Lets the compiler see both kinds of memory before the first measurement. */
    private void warmUp(long ns) {
        long end = System.nanoTime() + 2 * ns;
        while (System.nanoTime() < end) {
            for (Action action : Action.values()) {
                for (int size : SIZES) {
                    block(requests(action, wired, size), size);
                    block(requests(action, paged, size), size);
                }
            }
        }
    }

    private void block(WorkRequest.Sending[] requests, int size) {
        rig.stream(0, requests, count(size), Math.clamp(IN_FLIGHT_BYTES / size, 1, DEPTH_MOST));
    }

    private static int count(int size) {
        return Math.clamp(BLOCK_BYTES / size, BLOCK_LEAST, BLOCK_MOST);
    }

    private void compare(Action action, int size, long ns) {
        WorkRequest.Sending[] toWired = requests(action, wired, size);
        WorkRequest.Sending[] toPaged = requests(action, paged, size);
        throughput(action, size, toWired, toPaged, ns);
        latency(action, size, toWired, toPaged, ns);
    }

    /** Each pair of blocks gives one ratio; the order within a pair alternates. */
    private void throughput(
            Action action, int size, WorkRequest.Sending[] toWired, WorkRequest.Sending[] toPaged, long ns) {
        Sample ratios = new Sample();
        Sample cpuRatios = new Sample();
        Sample wiredTimes = new Sample();
        long end = System.nanoTime() + ns;
        for (int pair = 0; System.nanoTime() < end || ratios.size() < 20; pair++) {
            boolean wiredFirst = pair % 2 == 0;
            long cpu0 = THREADS.getCurrentThreadCpuTime();
            long t0 = System.nanoTime();
            block(wiredFirst ? toWired : toPaged, size);
            long t1 = System.nanoTime();
            long cpu1 = THREADS.getCurrentThreadCpuTime();
            long t2 = System.nanoTime();
            block(wiredFirst ? toPaged : toWired, size);
            long t3 = System.nanoTime();
            long cpu2 = THREADS.getCurrentThreadCpuTime();
            ratios.add(perMillion(wiredFirst, t1 - t0, t3 - t2));
            cpuRatios.add(perMillion(wiredFirst, cpu1 - cpu0, cpu2 - cpu1));
            wiredTimes.add(wiredFirst ? t1 - t0 : t3 - t2);
        }
        Numbers.print(key(wire, action, size, "loss %"), 100 * (1 - 1e6 / ratios.median()));
        Numbers.print(key(wire, action, size, "more CPU %"), 100 * (cpuRatios.median() / 1e6 - 1));
        Numbers.print(key(wire, action, size, "wired MB/s"), (double) size * count(size) * 1e3 / wiredTimes.median());
    }

    /** Time of paged over time of wired. */
    private static long perMillion(boolean wiredFirst, long first, long second) {
        return Math.round(1e6 * (wiredFirst ? (double) second / first : (double) first / second));
    }

    private void latency(
            Action action, int size, WorkRequest.Sending[] toWired, WorkRequest.Sending[] toPaged, long ns) {
        Sample ofWired = new Sample();
        Sample ofPaged = new Sample();
        long end = System.nanoTime() + ns;
        for (int i = 0; System.nanoTime() < end || ofPaged.size() < 50; i++) {
            ofWired.add(rig.once(0, toWired[i % toWired.length]));
            ofPaged.add(rig.once(0, toPaged[i % toPaged.length]));
        }
        Numbers.print(key(wire, action, size, "added µs"), (ofPaged.median() - ofWired.median()) / 1e3);
        Numbers.print(key(wire, action, size, "wired µs"), ofWired.median() / 1e3);
    }
}
