package org.verbena.link.sleep;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Waits without the system: all sources are in memory. */
final class ParkWaiter implements Waiter {
    private volatile @Nullable Thread waiting;

    @Override
    public void prepare() {
        waiting = Thread.currentThread();
    }

    @Override
    public boolean await(long timeoutNs) {
        LockSupport.parkNanos(this, timeoutNs);
        return false;
    }

    @Override
    public boolean look() {
        return false;
    }

    @Override
    public void tell() {}

    @Override
    public void rouse() {
        LockSupport.unpark(waiting);
    }

    @Override
    public void close() {}
}
