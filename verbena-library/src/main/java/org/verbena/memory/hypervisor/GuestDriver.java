package org.verbena.memory.hypervisor;

import org.verbena.memory.Advice;

/** A guest's own driver: the only one who writes the guest's tables. */
@FunctionalInterface
public interface GuestDriver {
    /**
     * A page of the guest's memory is wanted and has no guest physical page. The driver answers by {@link GuestFault#map},
     * after it brought the page in if need be, or by {@link GuestFault#refuse}; now or later, from any thread. Until then
     * those who want the page wait; nobody does so for ever, and an answer that comes too late does no harm. Perhaps nobody
     * waits yet: the page was announced by {@link Advice#WILL_NEED}.
     *
     * <p>Called for one fault of a guest after the other, on the executor the guest was made with, never on the thread that
     * met the fault; it may wait. What it throws counts as a refusal.
     */
    void onFault(GuestFault fault);
}
