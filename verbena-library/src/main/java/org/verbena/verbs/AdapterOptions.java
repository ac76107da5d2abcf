package org.verbena.verbs;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.verbena.IdleStrategy;
import org.verbena.RemoteAccess;
import org.verbena.Wire;
import org.verbena.adapter.Limits;
import org.verbena.memory.RegistrationOptions;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.time.Seed;
import org.verbena.trace.MetricRegistry;
import org.verbena.wire.ib.Partitions;

/**
 * How an adapter is run. Immutable; the {@code with} methods give changed copies.
 *
 * @param name of the adapter, and of its thread if it has one
 * @param run which thread drives it
 * @param idle what its thread does while there is no work, if it runs {@link Run#THREAD}
 * @param regionsMax regions and windows that it can have
 * @param partitions partition keys of its port; on a link with keys of its own ({@link org.verbena.link.Link#partitions}) without effect
 * @param faultLimit time that a page fault may last before the queue pair that waits for it fails; 4 s by default. A peer whose {@link
 *     ConnectionOptions#ackTimeout} and retries last no longer may give up a read first: event {@code TIMEOUT_BELOW_FAULT_LIMIT}
 * @param seed number that keys and sequence numbers follow from; 0 draws unpredictable ones
 * @param metrics registry of its metrics
 * @param registrations budgets of its registration table
 * @param wire the protocol of an adapter that {@link Adapter#open(java.net.InetSocketAddress, AdapterOptions)} opens
 * @param iwarp how it opens streams, if it speaks iWARP
 * @param remoteAccess the keys that peers may use at most: of regions and windows, or of windows only
 */
public record AdapterOptions(
        String name,
        Run run,
        IdleStrategy idle,
        int regionsMax,
        List<Integer> partitions,
        Duration faultLimit,
        long seed,
        MetricRegistry metrics,
        RegistrationOptions registrations,
        Wire wire,
        IwarpOptions iwarp,
        RemoteAccess remoteAccess) {
    /** Which thread drives an adapter. */
    public enum Run {
        /**
         * The threads of consumers, while they poll or wait; a thread of its own, while they do not. The adapter's thread takes over about a millisecond after
         * the last poll, and sleeps while there is no work. Virtual threads may wait: the adapter's thread drives for them.
         */
        SHARED,
        /** A thread of its own, at all times. It idles as {@link AdapterOptions#idle} says. */
        THREAD,
        /**
         * The thread of the consumer, while it polls or waits. Nothing moves between polls, acknowledgements included. A virtual thread may poll; its waits
         * are refused with {@link IllegalStateException}, because a sleep in the system holds the carrier thread.
         */
        INLINE,
        /** The thread that calls {@link Adapter#work}. */
        MANUAL
    }

    /**
     * Name "verbena0", driven by its consumers and in their absence by a thread of its own, 2<sup>20</sup> regions and windows, the default
     * partition as full member, unpredictable keys, the registry of the process, RoCEv2.
     */
    public static final AdapterOptions DEFAULT = new AdapterOptions(
            "verbena0",
            Run.SHARED,
            IdleStrategy.BACK_OFF,
            1 << 20,
            List.of(Partitions.DEFAULT_KEY),
            Duration.ofNanos(Limits.FAULT_NS),
            0,
            MetricRegistry.process(),
            RegistrationOptions.DEFAULT,
            Wire.ROCE,
            IwarpOptions.DEFAULT,
            RemoteAccess.REGIONS_AND_WINDOWS);

    /**
     * Checks partitions and time limit.
     *
     * @throws IllegalArgumentException if one of them is out of range
     */
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

    /** A copy with this name. */
    public AdapterOptions withName(String other) {
        return with(draft -> draft.name = other);
    }

    /** A copy that is driven in this way. */
    public AdapterOptions withRun(Run other) {
        return with(draft -> draft.run = other);
    }

    /** A copy whose thread idles in this way; without effect unless it runs {@link Run#THREAD}. */
    public AdapterOptions withIdle(IdleStrategy other) {
        return with(draft -> draft.idle = other);
    }

    /** A copy with room for this many regions and windows. */
    public AdapterOptions withRegionsMax(int count) {
        return with(draft -> draft.regionsMax = count);
    }

    /**
     * A copy whose port is a member of these partitions.
     *
     * @throws IllegalArgumentException if there is none, or too many, or one is not a partition key
     */
    public AdapterOptions withPartitions(Integer... pkeys) {
        return with(draft -> draft.partitions = List.of(pkeys));
    }

    /**
     * A copy with this time limit of page faults.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public AdapterOptions withFaultLimit(Duration limit) {
        return with(draft -> draft.faultLimit = limit);
    }

    /** A copy whose keys and sequence numbers follow from this number; 0 draws unpredictable ones. */
    public AdapterOptions withSeed(long value) {
        return with(draft -> draft.seed = value);
    }

    /** A copy whose metrics are in this registry. */
    public AdapterOptions withMetrics(MetricRegistry registry) {
        return with(draft -> draft.metrics = registry);
    }

    /** A copy whose registration table has these budgets. */
    public AdapterOptions withRegistrations(RegistrationOptions budgets) {
        return with(draft -> draft.registrations = budgets);
    }

    /** A copy for an adapter that reaches its peers by this protocol. */
    public AdapterOptions withWire(Wire other) {
        return with(draft -> draft.wire = other);
    }

    /** A copy that opens streams in this way; without effect unless the adapter speaks iWARP. */
    public AdapterOptions withIwarp(IwarpOptions how) {
        return with(draft -> draft.iwarp = how);
    }

    /**
     * A copy whose peers may use these keys at most. With {@link RemoteAccess#WINDOWS_ONLY} no region grants a peer access, whatever its rights:
     * peers reach the memory by windows that are bound to it.
     */
    public AdapterOptions withRemoteAccess(RemoteAccess most) {
        return with(draft -> draft.remoteAccess = most);
    }

    /** A source of chance for one purpose, which does not follow from the others: unpredictable if no seed is set. */
    Seed chance(String purpose) {
        return seed == 0 ? Seed.unpredictable() : new Seed(seed).fork(purpose);
    }

    /** An empty protection table. Peers see sequence numbers; its keys do not follow from them. */
    ProtectionTable table() {
        return new ProtectionTable(regionsMax, chance("keys"), name);
    }

    /** Refuses remote access that these options do not allow. */
    void requireAllowed(RemoteAccess wanted) {
        if (remoteAccess == RemoteAccess.WINDOWS_ONLY && wanted != RemoteAccess.WINDOWS_ONLY) {
            throw new IllegalArgumentException(
                    wanted + " found, WINDOWS_ONLY expected: the options of the adapter allow no more");
        }
    }

    private AdapterOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** A copy being changed. */
    private static final class Draft {
        private String name;
        private Run run;
        private IdleStrategy idle;
        private int regionsMax;
        private List<Integer> partitions;
        private Duration faultLimit;
        private long seed;
        private MetricRegistry metrics;
        private RegistrationOptions registrations;
        private Wire wire;
        private IwarpOptions iwarp;
        private RemoteAccess remoteAccess;

        private Draft(AdapterOptions from) {
            name = from.name;
            run = from.run;
            idle = from.idle;
            regionsMax = from.regionsMax;
            partitions = from.partitions;
            faultLimit = from.faultLimit;
            seed = from.seed;
            metrics = from.metrics;
            registrations = from.registrations;
            wire = from.wire;
            iwarp = from.iwarp;
            remoteAccess = from.remoteAccess;
        }

        private AdapterOptions finish() {
            return new AdapterOptions(
                    name,
                    run,
                    idle,
                    regionsMax,
                    partitions,
                    faultLimit,
                    seed,
                    metrics,
                    registrations,
                    wire,
                    iwarp,
                    remoteAccess);
        }
    }
}
