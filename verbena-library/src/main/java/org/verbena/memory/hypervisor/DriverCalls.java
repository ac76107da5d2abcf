package org.verbena.memory.hypervisor;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Calls a guest's driver once after the other, on the guest's executor. A driver that throws an exception or does not return affects
 * its own guest only. Any thread.
 */
final class DriverCalls {
    /** One call of the driver. */
    interface Call {
        /** Calls the driver. */
        void make(GuestDriver driver);

        /** The driver has thrown an exception, or cannot be called. */
        void onFailed();

        /** Whether it may wait until no other call does. */
        default boolean isLast() {
            return false;
        }
    }

    private final GuestDriver driver;
    private final Executor executor;
    private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();
    /** Calls that are made when there are no others. */
    private final ConcurrentLinkedQueue<Call> last = new ConcurrentLinkedQueue<>();

    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong failures = new AtomicLong();
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

    /** Has the driver called soon, on another thread. */
    void add(Call call) {
        (call.isLast() ? last : calls).add(call);
        if (pending.getAndIncrement() == 0) {
            Throwable failed = HandOver.to(executor, this::work, "a guest's driver");
            if (failed != null) {
                onUncallable(failed);
            }
        }
    }

    private void work() {
        do {
            Call call = next();
            try {
                call.make(driver);
            } catch (Throwable thrown) { // of a driver that is not ours
                onFailure(thrown);
                call.onFailed();
            }
        } while (pending.decrementAndGet() > 0);
    }

    /** There is one for each that is pending. */
    private Call next() {
        Call call = calls.poll();
        return call == null ? last.remove() : call;
    }

    private void onUncallable(Throwable why) {
        onFailure(why);
        do {
            next().onFailed();
        } while (pending.decrementAndGet() > 0);
    }

    /** Counts a call that failed. */
    void onFailure(Throwable thrown) {
        failures.getAndIncrement();
        lastFailure = thrown;
    }
}
