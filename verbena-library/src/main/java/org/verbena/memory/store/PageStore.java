package org.verbena.memory.store;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Slots for pages that are not in machine memory. Any thread may call everything; nothing here waits for storage but
 * {@link #close}.
 *
 * <p>What a slot held is checked when it is read: it comes back as it was written or not at all. A slot that holds nothing
 * reads as {@link Outcome#CORRUPT}: one that was never written, or whose last write failed. Memory that changes while it is
 * being written out may do the same to its slot, so whoever changes it writes it again before he forgets it.
 */
public interface PageStore extends AutoCloseable {
    /** Bytes of a page, and of a slot. */
    int PAGE = 4096;

    /**
     * Reserves neighbouring slots and gives the first. Room is taken by a slot when it is first written.
     *
     * @throws IllegalStateException if no slots have numbers left
     */
    long reserve(long slots);

    /** Gives reserved slots back, with what they hold. No transfer of theirs is under way. */
    void release(long firstSlot, long slots);

    /**
     * Begins a transfer and returns; it ends later, or at once, and says so itself. Transfers are independent: they may end
     * in any order, so two of the same slot must not be under way at one time.
     *
     * @throws IllegalArgumentException if a slot of it is not reserved
     */
    void submit(Transfer transfer);

    /**
     * Has something short run by one who has time, a thread of the store's, after this returned; by the caller if the store is
     * closed. A store in a time of its own runs it when that time is next looked at.
     */
    void lend(Runnable errand);

    /** Slots that hold something. */
    long slotsUsed();

    /**
     * Waits, uninterruptibly, until something is so that only the end of transfers brings about; whoever brings it about unparks
     * the thread. A store in a time of its own ends its transfers now.
     */
    default void await(BooleanSupplier condition) {
        boolean interrupted = false;
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(this, 1_000_000);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What it did so far and how long that took; grows on as the store works. */
    StoreStatistics statistics();

    /** For people: what it is and where. */
    String name();

    /**
     * Ends the transfers under way, then throws everything away. Transfers that wait and those submitted later end as
     * {@link Outcome#CLOSED}. Idempotent.
     */
    @Override
    void close();
}
