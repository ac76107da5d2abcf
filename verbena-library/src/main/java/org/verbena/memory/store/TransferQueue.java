package org.verbena.memory.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The work of a store's threads. Errands come first, since they are short; then reads, since accesses wait for them; then writes; then
 * slots to be discarded. A thread that adds work wakes one sleeping thread and does not wait.
 */
final class TransferQueue {
    /** Neighbouring slots that were given back. */
    record Discarded(long firstSlot, long slots) {}

    private static final int BUSY = 0;
    private static final int SLEEPS = 1;

    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final Queue<Transfer> reads = new ConcurrentLinkedQueue<>();
    private final Queue<Transfer> writes = new ConcurrentLinkedQueue<>();
    private final Queue<Discarded> discarded = new ConcurrentLinkedQueue<>();
    private final Thread[] threads;
    private final AtomicIntegerArray states;

    /** @param threads not started yet; each calls {@link #sleep} with its index */
    TransferQueue(Thread[] threads) {
        this.threads = threads;
        this.states = new AtomicIntegerArray(threads.length);
    }

    void add(Transfer transfer) {
        (transfer.kind() == Transfer.Kind.READ ? reads : writes).add(transfer);
        wakeOne();
    }

    void add(Runnable errand) {
        errands.add(errand);
        wakeOne();
    }

    void add(Discarded slots) {
        discarded.add(slots);
        wakeOne();
    }

    @Nullable
    Runnable pollErrand() {
        return errands.poll();
    }

    @Nullable
    Transfer pollTransfer() {
        Transfer read = reads.poll();
        return read != null ? read : writes.poll();
    }

    @Nullable
    Discarded pollDiscarded() {
        return discarded.poll();
    }

    private boolean isEmpty() {
        return errands.isEmpty() && reads.isEmpty() && writes.isEmpty() && discarded.isEmpty();
    }

    /** Sleeps until work is added, or shorter. */
    void sleep(int thread) {
        states.set(thread, SLEEPS);
        // A thread that adds work from here on sees that this thread sleeps; work added before is seen here.
        if (isEmpty()) {
            LockSupport.park(this);
            // An interrupt has no meaning here, but would keep the thread from sleeping ever again.
            Thread.interrupted();
        }
        // This thread may have been woken for a second piece of work and take the first: another thread takes the
        // second.
        if (states.getAndSet(thread, BUSY) == BUSY && !isEmpty()) {
            wakeOne();
        }
    }

    private void wakeOne() {
        for (int i = 0; i < threads.length; i++) {
            if (states.get(i) == SLEEPS && states.compareAndSet(i, SLEEPS, BUSY)) {
                LockSupport.unpark(threads[i]);
                return;
            }
        }
    }

    void wakeAll() {
        for (Thread thread : threads) {
            LockSupport.unpark(thread);
        }
    }
}
