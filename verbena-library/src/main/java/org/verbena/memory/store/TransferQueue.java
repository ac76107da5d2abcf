package org.verbena.memory.store;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a store have before them. Errands come first, they are short; then reads: somebody waits for them; then writes; then slots to be
 * discarded. Whoever adds something wakes one thread that sleeps, and waits for nobody.
 */
final class TransferQueue {
    /** Slots given back. */
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

    /** Until something is added, perhaps less. */
    void sleep(int thread) {
        states.set(thread, SLEEPS);
        // Whoever adds something from here on sees that this thread sleeps; what was added before is seen here.
        if (isEmpty()) {
            LockSupport.park(this);
            // An interrupt means nothing here, but would keep the thread from sleeping ever again.
            Thread.interrupted();
        }
        // Somebody may have added two things and woken, for the second, this thread that takes the first.
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
