package org.verbena.memory.hypervisor;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a guest. Immutable; each {@code with} method gives a changed copy.
 *
 * @param physicalBytes size of the guest's physical memory, in whole pages
 * @param policy the eviction policy of the guest's pages, if the library pages for it
 * @param driver the driver that answers the guest's page faults; null: the library pages for the guest, as it does for the
 *     host
 * @param executor runs the calls of the driver; null: a virtual thread does. It must run a call on another thread or later,
 *     never at once: the thread that meets a page fault must not wait for the driver
 * @param evictionNotices whether the driver is told of evictions of the guest's physical pages
 */
public record GuestOptions(
        long physicalBytes,
        Hypervisor.Policy policy,
        @Nullable GuestDriver driver,
        @Nullable Executor executor,
        boolean evictionNotices) {
    /** The smallest size of guest physical memory. */
    public static final long PHYSICAL_MIN = 1 << 18;

    public GuestOptions {
        if (physicalBytes < PHYSICAL_MIN) {
            throw new IllegalArgumentException(
                    "guest physical memory has at least " + PHYSICAL_MIN + " bytes; found " + physicalBytes);
        }
        if (physicalBytes > HypervisorOptions.MEMORY_LIMIT) {
            throw new IllegalArgumentException("guest physical memory has at most 1 TiB, "
                    + HypervisorOptions.MEMORY_LIMIT + " bytes; found " + physicalBytes);
        }
        if (physicalBytes % MachineMemory.FRAME != 0) {
            throw new IllegalArgumentException("guest physical memory is whole pages of " + MachineMemory.FRAME
                    + " bytes; found " + physicalBytes + " bytes");
        }
    }

    /** A guest with this size of physical memory, paged by the library with CLOCK. */
    public static GuestOptions ofPhysical(long bytes) {
        return new GuestOptions(bytes, Hypervisor.Policy.CLOCK, null, null, false);
    }

    /** With another eviction policy, if the library pages for the guest. */
    public GuestOptions withPolicy(Hypervisor.Policy chosen) {
        return new GuestOptions(physicalBytes, chosen, driver, executor, evictionNotices);
    }

    /** With a driver of the guest's own, called on a virtual thread. */
    public GuestOptions withDriver(GuestDriver own) {
        return new GuestOptions(physicalBytes, policy, own, null, evictionNotices);
    }

    /** With a driver of the guest's own, called by an executor. */
    public GuestOptions withDriver(GuestDriver own, Executor where) {
        return new GuestOptions(physicalBytes, policy, own, where, evictionNotices);
    }

    /**
     * With calls of {@link GuestDriver#onEvicted}. A guest without a driver of its own cannot be created with them. They take
     * one bit of heap for each guest physical page.
     */
    public GuestOptions withEvictionNotices() {
        return new GuestOptions(physicalBytes, policy, driver, executor, true);
    }
}
