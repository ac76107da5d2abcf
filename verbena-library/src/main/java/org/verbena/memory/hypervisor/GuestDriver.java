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
     *
     * <p>One fault stands for all requests that wait for the page. {@link GuestFault#isWrite} becomes true when the first of
     * them that writes joins; if that is after this method was called, {@link #onWrite} follows.
     */
    void onFault(GuestFault fault);

    /**
     * A fault that {@link #onFault} was called for as a read is a write from now on, and has not been answered: a request that
     * writes to the page has joined it. For a driver that brings a page in differently if it will be written. Called as {@code
     * onFault} is, once for a fault at most; also if {@code onFault} saw the write, which came at the same moment. It may answer
     * the fault, or leave it to the work that {@code onFault} has begun.
     */
    default void onWrite(GuestFault fault) {}

    /**
     * The host has evicted pages of the guest's physical memory. This is information only, for a guest made with {@link
     * GuestOptions#withEvictionNotices}: the host's driver brings the pages back at the next access, and the guest's driver
     * need not do anything. By now a page may be in machine memory again; {@code residency()} of {@link Domain#physical}
     * shows it.
     *
     * <p>Called as {@code onFault} is, after the eviction. Evictions wait while the driver is busy. No page is forgotten; a
     * page that is evicted again before the driver is told of it is told once ({@link EvictionNotices#merged}).
     *
     * @param firstGuestPhysicalPage the first of these neighbouring pages
     * @param pages their number
     */
    default void onEvicted(long firstGuestPhysicalPage, long pages) {}
}
