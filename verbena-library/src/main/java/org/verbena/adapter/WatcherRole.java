package org.verbena.adapter;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which thread of a {@link SharedRunner} sleeps in the sleeper, and which threads are parked. Any thread.
 *
 * <p>No wake-up is lost: a thread that parks enlists itself and then looks for a watcher; a watcher that leaves gives up the role and then looks for
 * parked threads. At least one of the two sees the other.
 */
final class WatcherRole {
    private final Thread engine;
    private final AtomicReference<@Nullable Thread> watcher = new AtomicReference<>();
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();
    private final AtomicLong virtualWaits = new AtomicLong();
    private final AtomicInteger virtualWaiting = new AtomicInteger();
    private final AtomicBoolean standsBack = new AtomicBoolean();
    private final AtomicBoolean called = new AtomicBoolean();
    /** The engine's thread only: those of the virtual waits that it knows. */
    private long virtualSeen;

    /** @param engine the engine's thread, which watches when no consumer can */
    WatcherRole(Thread engine) {
        this.engine = engine;
    }

    /** Takes the role; true if the current thread has it now. */
    boolean take() {
        Thread self = Thread.currentThread();
        return self.equals(watcher.get()) || watcher.compareAndSet(null, self);
    }

    /** A virtual thread begins a wait. {@link #endVirtualWait} follows. */
    void beginVirtualWait() {
        virtualWaiting.incrementAndGet();
    }

    void endVirtualWait() {
        virtualWaiting.decrementAndGet();
    }

    /** Whether threads other than the current one, which is a virtual thread in a wait, wait too. */
    boolean hasOtherWaits() {
        return virtualWaiting.get() > 1 || !parked.isEmpty() || isWatchedByConsumer();
    }

    /** The current thread's wait is over: gives up the role, if the thread has it, and has another one watch for the parked threads. */
    void endWait() {
        leave();
        recallEngine();
        ensureWatcher();
    }

    private void leave() {
        if (Thread.currentThread().equals(watcher.get())) {
            watcher.set(null);
        }
    }

    /** If threads are parked and none watches, has one of them watch, or the engine's thread. */
    private void ensureWatcher() {
        if (parked.isEmpty() || watcher.get() != null) {
            return;
        }
        for (Thread thread : parked) {
            if (!thread.isVirtual()) {
                LockSupport.unpark(thread);
                return;
            }
        }
        LockSupport.unpark(engine);
    }

    /** The current thread is about to park. {@link #delist} follows. */
    Thread enlist() {
        Thread waiter = Thread.currentThread();
        parked.add(waiter);
        if (waiter.isVirtual()) {
            virtualWaits.incrementAndGet();
        }
        return waiter;
    }

    /** Whether the enlisted thread may park: a thread watches, or the engine's thread is told to. If not, the thread itself watches. */
    boolean mayPark(Thread waiter) {
        if (watcher.get() != null) {
            return true;
        }
        if (!waiter.isVirtual()) {
            return false;
        }
        LockSupport.unpark(engine);
        return true;
    }

    /** The thread is not parked any more. {@link #endWait} follows at the end of its wait. */
    void delist(Thread waiter) {
        parked.remove(waiter);
    }

    /** Unparks all parked threads: their event may be there. */
    void unparkAll() {
        parked.forEach(LockSupport::unpark);
    }

    /** The thread that watches; null if none does. */
    @Nullable
    Thread watcher() {
        return watcher.get();
    }

    // --- the engine's thread

    /** Whether no other thread watches and virtual threads wait, or have waited since the last call. The engine's thread. */
    boolean isEngineNeeded() {
        long waits = virtualWaits.get();
        boolean news = waits != virtualSeen;
        virtualSeen = waits;
        return !isWatchedByConsumer() && (news || hasVirtualThread());
    }

    private boolean hasVirtualThread() {
        if (!parked.isEmpty()) { // an iterator is an object
            for (Thread thread : parked) {
                if (thread.isVirtual()) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a consumer's thread has the role. */
    boolean isWatchedByConsumer() {
        Thread present = watcher.get();
        return present != null && !present.equals(engine);
    }

    /** Gives up the role if a parked thread can take it. The engine's thread, while it watches. */
    void offerToConsumers() {
        if (parked.isEmpty()) {
            return;
        }
        for (Thread thread : parked) {
            if (!thread.isVirtual()) {
                leave();
                LockSupport.unpark(thread);
                return;
            }
        }
    }

    /** The engine's thread is about to park without a tick, because a consumer watches; or it is back. */
    void standBack(boolean yes) {
        standsBack.set(yes);
    }

    /** Has the engine's thread take over now, if no thread watches: consumers are away. */
    void callEngine() {
        if (watcher.get() == null && called.compareAndSet(false, true)) {
            LockSupport.unpark(engine);
        }
    }

    /** Whether the engine's thread was called since the last time. The engine's thread. */
    boolean takeCall() {
        return called.get() && called.compareAndSet(true, false);
    }

    /** Wakes the engine's thread if it has no tick: a consumer has driven, and may not again. */
    void recallEngine() {
        if (standsBack.get() && standsBack.compareAndSet(true, false)) {
            LockSupport.unpark(engine);
        }
    }
}
