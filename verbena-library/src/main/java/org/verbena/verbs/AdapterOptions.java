package org.verbena.verbs;

import java.time.Duration;
import java.util.List;
import org.verbena.adapter.Limits;
import org.verbena.adapter.ib.Partitions;
import org.verbena.queue.IdleStrategy;
import org.verbena.trace.MetricRegistry;
import org.verbena.wire.ib.Bth;

/**
 * How an adapter is run. Immutable; the {@code with} methods give changed copies.
 *
 * @param name of the adapter, and of its thread
 * @param run whose thread drives it
 * @param idle what a thread of its own does when there is nothing to do
 * @param regionsMax regions and windows it can have
 * @param partitions partition keys of its port; the default partition, as full member, unless said otherwise
 * @param faultLimit how long a page fault may last before the queue pair that waits for it fails
 * @param seed of keys and sequence numbers; 0: a fresh one
 * @param metrics the registry of its metrics
 */
public record AdapterOptions(
        String name,
        Run run,
        IdleStrategy idle,
        int regionsMax,
        List<Integer> partitions,
        Duration faultLimit,
        long seed,
        MetricRegistry metrics) {
    /** Whose thread drives an adapter. */
    public enum Run {
        /** One of its own. */
        THREAD,
        /** The consumer's, while it polls. */
        INLINE,
        /** Whoever calls {@link Adapter#work}. */
        MANUAL
    }

    /** A thread of its own that backs off when idle. */
    public static final AdapterOptions DEFAULT = new AdapterOptions(
            "verbena0",
            Run.THREAD,
            IdleStrategy.BACK_OFF,
            1 << 20,
            List.of(Bth.DEFAULT_PKEY),
            Duration.ofNanos(Limits.FAULT_NS),
            0,
            MetricRegistry.process());

    public AdapterOptions {
        partitions = List.copyOf(partitions);
        QueuePairOptions.require("number of partitions", partitions.size(), 1, Limits.PARTITIONS_MAX);
        if (!faultLimit.isPositive()) {
            throw new IllegalArgumentException("the time limit of a page fault must be positive; found " + faultLimit);
        }
        for (int pkey : partitions) {
            if (!Partitions.isValid(pkey)) {
                throw new IllegalArgumentException(
                        "a partition key has 16 bits, the lower 15 not all zero; found 0x" + Integer.toHexString(pkey));
            }
        }
    }

    public AdapterOptions withName(String other) {
        return new AdapterOptions(other, run, idle, regionsMax, partitions, faultLimit, seed, metrics);
    }

    public AdapterOptions withRun(Run other) {
        return new AdapterOptions(name, other, idle, regionsMax, partitions, faultLimit, seed, metrics);
    }

    public AdapterOptions withIdle(IdleStrategy other) {
        return new AdapterOptions(name, run, other, regionsMax, partitions, faultLimit, seed, metrics);
    }

    public AdapterOptions withRegionsMax(int count) {
        return new AdapterOptions(name, run, idle, count, partitions, faultLimit, seed, metrics);
    }

    public AdapterOptions withPartitions(Integer... pkeys) {
        return new AdapterOptions(name, run, idle, regionsMax, List.of(pkeys), faultLimit, seed, metrics);
    }

    public AdapterOptions withFaultLimit(Duration limit) {
        return new AdapterOptions(name, run, idle, regionsMax, partitions, limit, seed, metrics);
    }

    public AdapterOptions withSeed(long value) {
        return new AdapterOptions(name, run, idle, regionsMax, partitions, faultLimit, value, metrics);
    }

    public AdapterOptions withMetrics(MetricRegistry registry) {
        return new AdapterOptions(name, run, idle, regionsMax, partitions, faultLimit, seed, registry);
    }
}
