package org.verbena.memory.hypervisor;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What a guest is like. Immutable; each {@code with} gives another.
 *
 * @param physicalBytes the memory the guest takes for the machine's, in whole pages
 * @param policy how the guest's own pages lose their guest physical pages, if Verbena pages for it
 * @param driver who answers the guest's page faults; null: Verbena pages for it, as it does for the host
 * @param executor where the driver is called; null: on a virtual thread. It must hand the call to another thread, or keep it
 *     for later, and never run it at once: whoever meets a page fault must not wait for the driver
 */
public record GuestOptions(
        long physicalBytes,
        Hypervisor.Policy policy,
        @Nullable GuestDriver driver,
        @Nullable Executor executor) {
    /** The least guest physical memory. */
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

    /** A guest with so much physical memory, paged by Verbena. */
    public static GuestOptions ofPhysical(long bytes) {
        return new GuestOptions(bytes, Hypervisor.Policy.CLOCK, null, null);
    }

    public GuestOptions withPolicy(Hypervisor.Policy chosen) {
        return new GuestOptions(physicalBytes, chosen, driver, executor);
    }

    /** A driver of the guest's own, called on a virtual thread. */
    public GuestOptions withDriver(GuestDriver own) {
        return new GuestOptions(physicalBytes, policy, own, null);
    }

    /** A driver of the guest's own, called where the executor says. */
    public GuestOptions withDriver(GuestDriver own, Executor where) {
        return new GuestOptions(physicalBytes, policy, own, where);
    }
}
