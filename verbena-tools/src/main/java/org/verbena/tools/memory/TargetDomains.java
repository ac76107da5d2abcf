package org.verbena.tools.memory;

import java.util.ArrayList;
import java.util.List;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.hypervisor.Domain;
import org.verbena.memory.hypervisor.GuestOptions;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.memory.hypervisor.MachineMemory;

/** The domains of the target's memory: the host, or guests, each of which takes half of it for physical memory. */
final class TargetDomains implements AutoCloseable {
    private static final long PAGE = MachineMemory.FRAME;

    private final MemoryPlan plan;
    private final List<Domain> domains = new ArrayList<>();

    TargetDomains(Hypervisor hypervisor, MemoryPlan plan) {
        this.plan = plan;
        if (plan.guests() == 0) {
            domains.add(hypervisor.host());
        }
        for (int i = 0; i < plan.guests(); i++) {
            domains.add(hypervisor.createGuest(
                    GuestOptions.ofPhysical(physical(plan)).withPolicy(plan.policy())));
        }
    }

    private static long each(MemoryPlan plan) {
        return (plan.registered() - plan.buffers()) / Math.max(1, plan.guests()) / PAGE * PAGE;
    }

    /** Bytes of physical memory of each guest. */
    static long physical(MemoryPlan plan) {
        return each(plan) / 2 / PAGE * PAGE;
    }

    /** One of each domain, all of equal size. */
    List<ManagedMemory> allocate() {
        return domains.stream().map(domain -> domain.allocate(each(plan))).toList();
    }

    @Override
    public void close() {
        domains.stream().filter(domain -> !domain.isHost()).forEach(Domain::close);
    }
}
