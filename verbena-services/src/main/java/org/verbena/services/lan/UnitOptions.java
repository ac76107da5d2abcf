package org.verbena.services.lan;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.trace.MetricRegistry;

/**
 * How an I/O unit works. Immutable; the {@code with} methods give changed copies.
 *
 * @param name of the unit, for people; 64 bytes at most are told to hosts
 * @param listen where hosts connect: one of the adapter's addresses, or a wildcard, and the port; port 0: a free one
 * @param mtu the largest MTU of a host, 68 … 9,216; that of the LAN port counts if it is lower
 * @param offloads whether hosts may send frames with offload headers; the unit does what the LAN port cannot
 * @param hostsMax hosts at once
 * @param addressesChosen whether hosts may choose their addresses; otherwise the unit assigns one to each
 * @param forgedSources whether hosts may send with sources that are not theirs, for bridges behind them; those of other hosts are refused all the same
 * @param promiscuous what hosts in promiscuous mode see
 * @param smallBuffers buffers of 2 KiB for frames on their way to hosts; all hosts share them in equal parts
 * @param largeBuffers buffers for longer frames, likewise
 * @param silenceLimit time without a sign of life after which a host is forgotten
 * @param spin the longest time for which the driver's thread looks for frames again before it sleeps, and lets other threads run; it does so while frames come within this time.
 *     Zero: it sleeps at once
 * @param pageable the hypervisor whose paged memory holds the pools of the unit; null: memory that stays in place
 * @param metrics where each host's statistics are registered
 */
public record UnitOptions(
        String name,
        InetSocketAddress listen,
        int mtu,
        boolean offloads,
        int hostsMax,
        boolean addressesChosen,
        boolean forgedSources,
        Sight promiscuous,
        int smallBuffers,
        int largeBuffers,
        Duration silenceLimit,
        Duration spin,
        @Nullable Hypervisor pageable,
        MetricRegistry metrics) {
    /** Hosts at most. */
    public static final int HOSTS_MAX = 1024;

    static final Duration SPIN = Duration.ofMillis(3);

    /** What a host in promiscuous mode sees. Unicast frames between two other hosts are never among it. */
    public enum Sight {
        /** Frames of all groups, no frame for another station. */
        GROUPS,
        /** Also frames that stations of the LAN send to stations that are no hosts. */
        LAN,
        /** Also frames between the LAN and other hosts. */
        LAN_AND_HOSTS
    }

    /** @throws IllegalArgumentException if a value is out of range */
    public UnitOptions {
        require("mtu", mtu, LanSizes.MTU_MIN, LanSizes.MTU_MAX);
        require("hostsMax", hostsMax, 1, HOSTS_MAX);
        require("smallBuffers", smallBuffers, hostsMax + 1, 1 << 16);
        require("largeBuffers", largeBuffers, hostsMax + 2, 1 << 14);
        if (!silenceLimit.isPositive()) {
            throw new IllegalArgumentException("silenceLimit must be positive; found " + silenceLimit);
        }
        requireSpin(spin);
    }

    static void requireSpin(Duration found) {
        if (found.isNegative()) {
            throw new IllegalArgumentException("spin must not be negative; found " + found);
        }
    }

    static void require(String what, int found, int least, int most) {
        if (found < least || found > most) {
            throw new IllegalArgumentException(what + " must be " + least + " … " + most + "; found " + found);
        }
    }

    /**
     * MTU 9,216, offloads, 32 hosts that choose their addresses and forge none; promiscuous hosts see the LAN; 1,024 small and 66 large buffers; silence of 3 s, spins of 3 ms.
     *
     * @param listen where hosts connect
     */
    public static UnitOptions at(InetSocketAddress listen) {
        return new UnitOptions(
                "unit",
                listen,
                LanSizes.MTU_MAX,
                true,
                32,
                true,
                false,
                Sight.LAN,
                1024,
                66,
                Duration.ofSeconds(3),
                SPIN,
                null,
                MetricRegistry.process());
    }

    /** A copy with another name. */
    public UnitOptions withName(String other) {
        return with(draft -> draft.name = other);
    }

    /** A copy with another limit of MTUs. */
    public UnitOptions withMtu(int bytes) {
        return with(draft -> draft.mtu = bytes);
    }

    /** A copy with or without offloads. */
    public UnitOptions withOffloads(boolean on) {
        return with(draft -> draft.offloads = on);
    }

    /** A copy with another number of hosts, and buffers for them. */
    public UnitOptions withHosts(int most, int small, int large) {
        return with(draft -> {
            draft.hostsMax = most;
            draft.smallBuffers = small;
            draft.largeBuffers = large;
        });
    }

    /** A copy with other rules for the addresses of hosts. */
    public UnitOptions withAddresses(boolean chosen, boolean forged) {
        return with(draft -> {
            draft.addressesChosen = chosen;
            draft.forgedSources = forged;
        });
    }

    /** A copy with other rules for promiscuous hosts. */
    public UnitOptions withPromiscuous(Sight sight) {
        return with(draft -> draft.promiscuous = sight);
    }

    /** A copy with another limit of silence. */
    public UnitOptions withSilenceLimit(Duration limit) {
        return with(draft -> draft.silenceLimit = limit);
    }

    /** A copy with another longest spin. */
    public UnitOptions withSpin(Duration longest) {
        return with(draft -> draft.spin = longest);
    }

    /** A copy whose pools are paged memory of this hypervisor; null: memory that stays in place. */
    public UnitOptions withPageable(@Nullable Hypervisor hypervisor) {
        return with(draft -> draft.pageable = hypervisor);
    }

    /** A copy with another registry. */
    public UnitOptions withMetrics(MetricRegistry registry) {
        return with(draft -> draft.metrics = registry);
    }

    private UnitOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.finish();
    }

    /** A copy being changed. */
    private static final class Draft {
        private String name;
        private final InetSocketAddress listen;
        private int mtu;
        private boolean offloads;
        private int hostsMax;
        private boolean addressesChosen;
        private boolean forgedSources;
        private Sight promiscuous;
        private int smallBuffers;
        private int largeBuffers;
        private Duration silenceLimit;
        private Duration spin;
        private @Nullable Hypervisor pageable;
        private MetricRegistry metrics;

        private Draft(UnitOptions from) {
            name = from.name;
            listen = from.listen;
            mtu = from.mtu;
            offloads = from.offloads;
            hostsMax = from.hostsMax;
            addressesChosen = from.addressesChosen;
            forgedSources = from.forgedSources;
            promiscuous = from.promiscuous;
            smallBuffers = from.smallBuffers;
            largeBuffers = from.largeBuffers;
            silenceLimit = from.silenceLimit;
            spin = from.spin;
            pageable = from.pageable;
            metrics = from.metrics;
        }

        private UnitOptions finish() {
            return new UnitOptions(
                    name,
                    listen,
                    mtu,
                    offloads,
                    hostsMax,
                    addressesChosen,
                    forgedSources,
                    promiscuous,
                    smallBuffers,
                    largeBuffers,
                    silenceLimit,
                    spin,
                    pageable,
                    metrics);
        }
    }
}
