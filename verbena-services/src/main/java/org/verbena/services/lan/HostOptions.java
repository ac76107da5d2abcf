package org.verbena.services.lan;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.hypervisor.Hypervisor;

/**
 * How a host uses a unit. Immutable; the {@code with} methods give changed copies.
 *
 * @param name of the host, for people; 64 bytes at most are told to the unit
 * @param address that the host wants; null: that of its port, or one that the unit assigns
 * @param mtu that the host wants, 68 … 9,216; the unit may give a lower one
 * @param offloads whether the host uses offloads, if its port and the unit can
 * @param filter the frames that it wants
 * @param silenceLimit time without a sign of life of the unit after which the connection is over
 * @param retryFirst wait before the first attempt to connect again; it doubles with each attempt that fails
 * @param retryMax the longest wait
 * @param spin the longest time for which the driver's thread looks for frames again before it sleeps, and lets other threads run; it does so while frames come within this time.
 *     Zero: it sleeps at once
 * @param pageable the hypervisor whose paged memory holds the pools of the host; null: memory that stays in place
 */
public record HostOptions(
        String name,
        @Nullable MacAddress address,
        int mtu,
        boolean offloads,
        LanFilter filter,
        Duration silenceLimit,
        Duration retryFirst,
        Duration retryMax,
        Duration spin,
        @Nullable Hypervisor pageable) {
    /** MTU 1,500, offloads, the address of the port, silence of 3 s, attempts after 50 ms … 2 s, spins of 3 ms. */
    public static final HostOptions DEFAULT = new HostOptions(
            "host",
            null,
            1500,
            true,
            LanFilter.DEFAULT,
            Duration.ofSeconds(3),
            Duration.ofMillis(50),
            Duration.ofSeconds(2),
            UnitOptions.SPIN,
            null);

    /** @throws IllegalArgumentException if a value is out of range */
    public HostOptions {
        UnitOptions.requireSpin(spin);
        UnitOptions.require("mtu", mtu, LanSizes.MTU_MIN, LanSizes.MTU_MAX);
        if (address != null && (address.isGroup() || address.bits() == 0)) {
            throw new IllegalArgumentException("the address of a station expected; found " + address);
        }
        if (!silenceLimit.isPositive() || !retryFirst.isPositive() || retryMax.compareTo(retryFirst) < 0) {
            throw new IllegalArgumentException(
                    "positive silenceLimit and retryFirst, and retryMax not below it expected;" + " found "
                            + silenceLimit + ", " + retryFirst + " and " + retryMax);
        }
    }

    /** A copy with another name. */
    public HostOptions withName(String other) {
        return new HostOptions(
                other, address, mtu, offloads, filter, silenceLimit, retryFirst, retryMax, spin, pageable);
    }

    /** A copy with another address; null: that of the port, or one that the unit assigns. */
    public HostOptions withAddress(@Nullable MacAddress other) {
        return new HostOptions(name, other, mtu, offloads, filter, silenceLimit, retryFirst, retryMax, spin, pageable);
    }

    /** A copy with another MTU. */
    public HostOptions withMtu(int bytes) {
        return new HostOptions(
                name, address, bytes, offloads, filter, silenceLimit, retryFirst, retryMax, spin, pageable);
    }

    /** A copy with or without offloads. */
    public HostOptions withOffloads(boolean on) {
        return new HostOptions(name, address, mtu, on, filter, silenceLimit, retryFirst, retryMax, spin, pageable);
    }

    /** A copy with another filter. */
    public HostOptions withFilter(LanFilter other) {
        return new HostOptions(name, address, mtu, offloads, other, silenceLimit, retryFirst, retryMax, spin, pageable);
    }

    /** A copy with another limit of silence. */
    public HostOptions withSilenceLimit(Duration limit) {
        return new HostOptions(name, address, mtu, offloads, filter, limit, retryFirst, retryMax, spin, pageable);
    }

    /** A copy with other waits between attempts to connect. */
    public HostOptions withRetries(Duration first, Duration most) {
        return new HostOptions(name, address, mtu, offloads, filter, silenceLimit, first, most, spin, pageable);
    }

    /** A copy with another longest spin. */
    public HostOptions withSpin(Duration longest) {
        return new HostOptions(
                name, address, mtu, offloads, filter, silenceLimit, retryFirst, retryMax, longest, pageable);
    }

    /** A copy whose pools are paged memory of this hypervisor; null: memory that stays in place. */
    public HostOptions withPageable(@Nullable Hypervisor hypervisor) {
        return new HostOptions(
                name, address, mtu, offloads, filter, silenceLimit, retryFirst, retryMax, spin, hypervisor);
    }
}
