package org.verbena.memory.store;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.verbena.time.NanoClock;

/**
 * Slots for pages that are not in machine memory. Any thread may call every method. Only {@link #close} and {@link #await} wait.
 *
 * <p>A read is checked: it gives the bytes that were written, or fails. A slot that was never written, or whose last write failed,
 * reads as {@link Outcome#CORRUPT}. If memory changes while it is written out, its slot may read as CORRUPT too; so memory that
 * changed during a write is written again before it is reused.
 */
public interface PageStore extends AutoCloseable {
    /** Bytes of a page, and of a slot. */
    int PAGE = 4096;

    /** Interval at which {@link #await} looks at its condition. */
    long LOOK_NS = 1_000_000;

    /**
     * The most that the time between two looks counts for a limit. In a longer pause the machine has stopped, or gave the thread no
     * time; the threads of the store had none either.
     */
    long PAUSE_MAX_NS = 100_000_000;

    /**
     * Reserves neighbouring slots. A slot takes space when it is first written.
     *
     * @param slots number of slots
     * @return the first of them
     * @throws IllegalArgumentException if the number is less than 1
     * @throws IllegalStateException if the store has not as many free neighbouring slots
     */
    long reserve(long slots);

    /**
     * Gives reserved slots back and forgets their pages. No transfer of these slots is under way.
     *
     * @throws IllegalArgumentException if one of the slots is not reserved
     */
    void release(long firstSlot, long slots);

    /**
     * Begins a transfer and returns. The store owns the transfer until it ends; its listener is called then, perhaps before this
     * returns. Transfers may end in any order, so two transfers of one slot must not be under way at the same time.
     *
     * @throws IllegalArgumentException if a slot of the transfer is not reserved
     */
    void submit(Transfer transfer);

    /**
     * Runs a short errand on a thread of the store, after this has returned. If the store is closed, the caller runs it. A store in
     * virtual time runs it when it works next.
     */
    void lend(Runnable errand);

    /** Number of slots that hold a page. */
    long slotsUsed();

    /** The clock of the transfers and of {@link #await}. */
    NanoClock clock();

    /**
     * Waits as {@link #await(BooleanSupplier, long)} does, without a limit.
     *
     * @throws IllegalStateException if a store in virtual time has no transfer left that could end
     */
    default void await(BooleanSupplier condition) {
        boolean met = await(condition, Long.MAX_VALUE);
        if (!met) {
            throw new IllegalStateException(
                    "the condition is not met, and no transfer is under way that could meet it");
        }
    }

    /**
     * Waits until a condition is met, by the end of transfers or by another thread. A thread that meets the condition unparks the
     * waiting thread; otherwise the condition is looked at once in a millisecond. An interrupt does not end the wait; the thread is
     * interrupted again afterwards. A store in virtual time ends its transfers during this call.
     *
     * @param condition evaluated on the calling thread
     * @param limitNs most nanoseconds to wait, by the store's clock; a pause between two looks counts as at most {@link #PAUSE_MAX_NS}
     * @return false if the condition is not met after the limit
     */
    default boolean await(BooleanSupplier condition, long limitNs) {
        long lookedNs = clock().nowNs();
        long leftNs = limitNs;
        boolean interrupted = false;
        boolean met = condition.getAsBoolean();
        while (!met && leftNs > 0) {
            LockSupport.parkNanos(this, LOOK_NS);
            interrupted |= Thread.interrupted();
            met = condition.getAsBoolean();
            long nowNs = clock().nowNs();
            leftNs -= Math.min(nowNs - lookedNs, PAUSE_MAX_NS);
            lookedNs = nowNs;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return met;
    }

    /** Number and duration of the transfers so far. The object is live: it changes as the store works. */
    StoreStatistics statistics();

    /** Kind and place of the store, for messages. */
    String name();

    /**
     * Closes the store and forgets all pages. Transfers that a thread works at are finished; transfers that wait, and those submitted
     * later, end as {@link Outcome#CLOSED}. Idempotent.
     */
    @Override
    void close();
}
