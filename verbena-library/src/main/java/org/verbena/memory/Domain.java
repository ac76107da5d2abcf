package org.verbena.memory;

import org.verbena.memory.paging.Pager;

/** The host or a guest: its own address space, and a driver that pages it. Any thread. */
public final class Domain {
    static final int HOST = 0;

    private final Hypervisor hypervisor;
    private final int id;
    private final Pager pager;

    Domain(Hypervisor hypervisor, int id, Pager pager) {
        this.hypervisor = hypervisor;
        this.id = id;
        this.pager = pager;
    }

    /** 0 for the host. */
    public int id() {
        return id;
    }

    /** Whether its addresses are translated once, not twice. */
    public boolean isHost() {
        return id == HOST;
    }

    /** Memory of zeros that takes no frame before it is used and gives up frames while it is not; far more of it can be had than of machine memory. */
    public ManagedMemory allocate(long bytes) {
        return hypervisor.allocate(pager, bytes);
    }

    /**
     * Memory of zeros whose pages are in frames from now on and stay there, but for one thing: if all regions on it were
     * registered with a {@link CurrentIo}, they can be swapped out. Waits until the frames are there.
     *
     * @throws IllegalStateException if more than half of machine memory would be pinned
     */
    public ManagedMemory allocateWired(long bytes) {
        return hypervisor.allocateWired(pager, bytes);
    }

    @Override
    public String toString() {
        return isHost() ? "host domain" : "guest domain " + id;
    }
}
