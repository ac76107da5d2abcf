package org.verbena.memory.hypervisor;

import org.verbena.memory.Advice;

/** A guest's own driver: the only writer of the guest's tables. */
@FunctionalInterface
public interface GuestDriver {
    /**
     * A page of the guest's memory is needed and has no guest physical page. The driver answers by {@link GuestFault#map},
     * after bringing the page in if necessary, or by {@link GuestFault#refuse}; now or later, on any thread. Until then the
     * requests for the page wait, each up to its own limit; an answer that comes too late does no harm. A page that was
     * announced by {@link Advice#WILL_NEED} may have no request yet.
     *
     * <p>Called for one fault of a guest after the other, on the executor the guest was made with, never on the thread that
     * met the fault. It may block. An exception that it throws counts as a refusal.
     */
    void onFault(GuestFault fault);
}
