package org.verbena.manage.manager;

/**
 * How a subnet manager works. Immutable; the {@code with} methods give changed copies.
 *
 * @param routing computes the routes
 * @param subnetPrefix first 64 bits of the GIDs of the subnet
 * @param lmc end ports get 2^LMC local identifiers, 0 … 7; switches one
 * @param partitions keys of the end ports
 * @param managementKey written to all ports, and in all requests; 0: none
 * @param lanesMax lanes that are used at most: 1, 2, 4, 8 or 15
 * @param outstandingMax requests without an answer at a time, 1 … 256
 * @param responseTimeoutNs until a request is sent again
 * @param attemptsMax how often a request is sent at most
 * @param lightSweepNs between two looks at the switches
 */
public record ManagerOptions(
        RoutingEngine routing,
        long subnetPrefix,
        int lmc,
        PartitionPolicy partitions,
        long managementKey,
        int lanesMax,
        int outstandingMax,
        long responseTimeoutNs,
        int attemptsMax,
        long lightSweepNs) {
    /** Shortest paths, prefix fe80::, LMC 0, one partition, no key, 8 lanes, 32 requests, 200 ms, 4 attempts, a look every 10 s. */
    public static final ManagerOptions DEFAULT = new ManagerOptions(
            RoutingEngine.minHop(),
            0xfe80_0000_0000_0000L,
            0,
            PartitionPolicy.EVERYONE,
            0,
            8,
            32,
            200_000_000L,
            4,
            10_000_000_000L);

    private static final int LMC_MAX = 7;
    /** The number of a slot has 8 bits of the transaction identifier. */
    private static final int OUTSTANDING_MAX = 256;

    private static final int ATTEMPTS_MAX = 100;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public ManagerOptions {
        require("lmc", lmc, 0, LMC_MAX);
        require("lanesMax", lanesMax, 1, LayeredRouting.LANES_MAX);
        require("outstandingMax", outstandingMax, 1, OUTSTANDING_MAX);
        require("attemptsMax", attemptsMax, 1, ATTEMPTS_MAX);
        require("responseTimeoutNs", responseTimeoutNs, 1, Long.MAX_VALUE);
        require("lightSweepNs", lightSweepNs, 1, Long.MAX_VALUE);
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " " + value + " found, " + least + " … " + most + " expected");
        }
    }

    public ManagerOptions withRouting(RoutingEngine engine) {
        return new ManagerOptions(
                engine,
                subnetPrefix,
                lmc,
                partitions,
                managementKey,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withSubnetPrefix(long prefix) {
        return new ManagerOptions(
                routing,
                prefix,
                lmc,
                partitions,
                managementKey,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withLmc(int exponent) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                exponent,
                partitions,
                managementKey,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withPartitions(PartitionPolicy policy) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                policy,
                managementKey,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withManagementKey(long key) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                partitions,
                key,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withLanesMax(int lanes) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                partitions,
                managementKey,
                lanes,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withOutstandingMax(int requests) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                partitions,
                managementKey,
                lanesMax,
                requests,
                responseTimeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withResponseTimeoutNs(long timeoutNs) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                partitions,
                managementKey,
                lanesMax,
                outstandingMax,
                timeoutNs,
                attemptsMax,
                lightSweepNs);
    }

    public ManagerOptions withAttemptsMax(int attempts) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                partitions,
                managementKey,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attempts,
                lightSweepNs);
    }

    public ManagerOptions withLightSweepNs(long intervalNs) {
        return new ManagerOptions(
                routing,
                subnetPrefix,
                lmc,
                partitions,
                managementKey,
                lanesMax,
                outstandingMax,
                responseTimeoutNs,
                attemptsMax,
                intervalNs);
    }
}
