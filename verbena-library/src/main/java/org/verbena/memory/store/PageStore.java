package org.verbena.memory.store;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.verbena.time.Clock;

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

    /** How often one who waits looks whether he still has to. */
    long LOOK_NS = 1_000_000;

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

    /** What its transfers, and those who wait for them, are timed by. */
    Clock clock();

    /** Waits as {@link #await(BooleanSupplier, long)} does, however long. */
    default void await(BooleanSupplier condition) {
        boolean so = await(condition, Long.MAX_VALUE);
        if (!so) {
            throw new IllegalStateException("waits for a transfer, and none will end");
        }
    }

    /**
     * Waits, uninterruptibly, until something is so that the end of transfers brings about, or another thread; whoever brings it
     * about unparks the thread. A store in a time of its own ends its transfers now.
     *
     * @return false if it is not so after a limit by the store's clock
     */
    default boolean await(BooleanSupplier condition, long limitNs) {
        long beganNs = clock().nowNs();
        boolean interrupted = false;
        boolean so = condition.getAsBoolean();
        while (!so && clock().nowNs() - beganNs < limitNs) {
            LockSupport.parkNanos(this, LOOK_NS);
            interrupted |= Thread.interrupted();
            so = condition.getAsBoolean();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return so;
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
