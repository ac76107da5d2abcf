package org.verbena.memory;

/** A guest's own driver: the only one who writes the guest's tables. */
@FunctionalInterface
public interface GuestDriver {
    /**
     * A page of the guest's memory is wanted and has no guest physical page. The driver answers by {@link GuestFault#map},
     * after it brought the page in if need be, or by {@link GuestFault#refuse}; now or later, from any thread. Until then
     * those who want the page wait; a queue pair does not do so for ever, and an answer that comes too late does no harm.
     *
     * <p>Called for one fault of a guest after the other, on the executor the guest was made with, never on the thread that
     * met the fault; it may wait. What it throws counts as a refusal.
     */
    void onFault(GuestFault fault);
}
