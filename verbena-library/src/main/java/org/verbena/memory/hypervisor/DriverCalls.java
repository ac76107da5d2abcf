package org.verbena.memory.hypervisor;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls a guest's driver for one fault after the other, on the guest's executor. A driver that throws an exception or does
 * not return affects its own guest only.
 */
final class DriverCalls {
    private final GuestDriver driver;
    private final Executor executor;
    private final ConcurrentLinkedQueue<GuestFault> faults = new ConcurrentLinkedQueue<>();
    /** Faults of pages that were announced and that no request waits for. */
    private final ConcurrentLinkedQueue<GuestFault> ahead = new ConcurrentLinkedQueue<>();

    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong failures = new AtomicLong();
    private volatile @Nullable Thread handingOver;
    private volatile @Nullable Throwable lastFailure;

    DriverCalls(GuestDriver driver, Executor executor) {
        this.driver = driver;
        this.executor = executor;
    }

    /** Number of times that the driver threw an exception or could not be called. */
    long failures() {
        return failures.get();
    }

    /** The last exception of the driver. */
    @Nullable
    Throwable lastFailure() {
        return lastFailure;
    }

    /** Called by one thread at a time. */
    void call(GuestFault fault) {
        (fault.isAhead() ? ahead : faults).add(fault);
        if (pending.getAndIncrement() == 0) {
            handOver();
        }
    }

    private void handOver() {
        handingOver = Thread.currentThread();
        try {
            executor.execute(this::work);
        } catch (Throwable thrown) { // of an executor that is not ours; it may be out of threads
            onUncallable(thrown);
        } finally {
            handingOver = null;
        }
    }

    private void work() {
        if (Thread.currentThread().equals(handingOver)) {
            onUncallable(new IllegalStateException(
                    "the executor of a guest's driver ran it on the thread that met the fault;"
                            + " another thread must, or the same one later"));
            return;
        }
        do {
            GuestFault fault = next();
            if (fault == null) {
                return; // refused before: the executor threw an exception and ran the call all the same
            }
            try {
                driver.onFault(fault);
            } catch (Throwable thrown) { // of a driver that is not ours
                onFailure(thrown);
                fault.refuseIfOpen();
            }
        } while (pending.decrementAndGet() > 0);
    }

    private @Nullable GuestFault next() {
        GuestFault awaited = faults.poll();
        return awaited == null ? ahead.poll() : awaited;
    }

    private void onUncallable(Throwable why) {
        onFailure(why);
        do {
            GuestFault fault = next();
            if (fault == null) {
                return;
            }
            fault.refuseIfOpen();
        } while (pending.decrementAndGet() > 0);
    }

    private void onFailure(Throwable thrown) {
        failures.getAndIncrement();
        lastFailure = thrown;
    }
}
