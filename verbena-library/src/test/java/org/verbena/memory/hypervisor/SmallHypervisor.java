package org.verbena.memory.hypervisor;

import org.verbena.memory.store.ServiceTime;
import org.verbena.memory.store.SimulatedPageStore;
import org.verbena.time.Seed;
import org.verbena.time.VirtualClock;

/** A hypervisor for tests that need memory which can be swapped out, and swap nothing out. */
public final class SmallHypervisor {
    private SmallHypervisor() {}

    /** With 1 MiB of machine memory, and a store that no time passes for. */
    public static Hypervisor open() {
        SimulatedPageStore store = new SimulatedPageStore(new VirtualClock(), ServiceTime.DISK, new Seed(3));
        return Hypervisor.open(HypervisorOptions.of(1 << 20).withStore(store));
    }
}
