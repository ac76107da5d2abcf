package org.verbena.adapter;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.verbena.queue.CompletionRing;
import org.verbena.time.Clock;

/**
 * An engine driven by its consumer's polls, on the consumer's thread: no hand-over between threads, the best latency
 * where cores are few. While nobody polls, nothing moves, acknowledgements included.
 */
public final class InlineRunner implements Runner {
    /** A yield that takes longer has let somebody run: the peer may be a thread that waits for this very core. */
    private static final long YIELD_OF_USE_NS = 1_500;
    /** Time without work after which a yield is tried, and tried again when the last one was of no use to anybody. */
    private static final long YIELD_EVERY_NS = 20_000;

    /** Who waits for another thread's turn to end looks around this often, should it have missed that. */
    private static final long PARK_MAX_NS = 1_000_000;

    private final Engine engine;
    private final Clock clock;
    private final AtomicBoolean busy = new AtomicBoolean();
    /** Who gives a turn or runs a command just now. Read without a barrier: only its own name tells a thread anything. */
    private @Nullable Thread driver;

    /** Who waits for something of the engine's while another thread drives it. */
    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

    private final FutureBell bell;
    private volatile boolean closed;
    private long yieldNs;
    private boolean yieldOfUse;

    public InlineRunner(Engine engine, Clock clock) {
        this.engine = engine;
        this.clock = clock;
        this.bell = new FutureBell(this::wakeAll);
    }

    @Override
    public void call(Runnable command) {
        if (isDriving()) {
            command.run(); // from within a turn
            return;
        }
        enter();
        try {
            driver = Thread.currentThread();
            command.run();
        } finally {
            leave();
        }
    }

    private boolean isDriving() {
        return Thread.currentThread().equals(driver);
    }

    private void leave() {
        driver = null;
        busy.setRelease(false);
        if (!parked.isEmpty()) {
            parked.forEach(LockSupport::unpark); // what they wait for may be there; if not, one of them drives
        }
    }

    /** Whoever completes a future must not leave a thread that waits for it asleep, on the link or parked. */
    private void wakeAll() {
        engine.link().wakeup();
        parked.forEach(LockSupport::unpark);
    }

    /** A turn, unless another thread is giving one. */
    @Override
    public int progress() {
        if (closed || !busy.compareAndSet(false, true)) {
            return 0;
        }
        int done;
        boolean idle;
        try {
            driver = Thread.currentThread();
            if (closed) {
                return 0;
            }
            long nowNs = clock.nowNs();
            done = engine.work(nowNs);
            idle = done == 0 && isTimeToYield(nowNs);
            if (done > 0) {
                yieldNs = nowNs + YIELD_EVERY_NS;
            }
        } finally {
            leave();
        }
        if (idle) {
            yieldAndLearn();
        }
        return done;
    }

    private boolean isTimeToYield(long nowNs) {
        return yieldOfUse || nowNs - yieldNs >= 0;
    }

    /** Where nobody waits for the core a yield is wasted time; where somebody does, waiting for it is. */
    @SuppressWarnings("ThreadPriorityCheck") // whether it was of use is measured
    private void yieldAndLearn() {
        long beforeNs = clock.nowNs();
        Thread.yield();
        long afterNs = clock.nowNs();
        yieldOfUse = afterNs - beforeNs > YIELD_OF_USE_NS;
        yieldNs = afterNs + YIELD_EVERY_NS;
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        long startNs = clock.nowNs();
        try {
            while (ring.armUnlessFilled(wish) && !closed) {
                if (!drive(ring, startNs, timeoutNs)) {
                    return;
                }
                // Told with nothing there: by late news of a completion that was taken before. Goes on.
            }
        } finally {
            ring.disarm();
        }
    }

    /** Gives turns until the ring's wish has come true; false when the time is over. */
    private boolean drive(CompletionRing ring, long startNs, long timeoutNs) throws InterruptedException {
        while (ring.armed() && !closed) {
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + timeoutNs - clock.nowNs();
            if (leftNs <= 0) {
                return false;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (progress() == 0 && ring.armed()) {
                if (busy.compareAndSet(false, true)) {
                    sleep(ring.armed(), leftNs);
                } else {
                    park(leftNs);
                }
            }
        }
        return true;
    }

    @Override
    public void await(CompletableFuture<?> future, long timeoutNs) throws InterruptedException {
        if (isDriving() && !future.isDone()) {
            throw new IllegalStateException("a turn of the engine must not wait for the engine");
        }
        long startNs = clock.nowNs();
        bell.watch(future);
        while (!future.isDone() && !closed) {
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + timeoutNs - clock.nowNs();
            if (leftNs <= 0) {
                return;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (progress() == 0 && !future.isDone()) {
                if (busy.compareAndSet(false, true)) {
                    sleep(!future.isDone(), leftNs);
                } else {
                    park(leftNs);
                }
            }
        }
        if (!future.isDone()) {
            throw new IllegalStateException("the adapter is closed");
        }
        progress(); // an answer to what was waited for leaves, though nobody may poll again soon
    }

    /**
     * Sleeps on the link, as the one who is busy, which ends with it.
     *
     * @param worthIt whether what is waited for was still not there when nobody else could bring it about any more
     */
    private void sleep(boolean worthIt, long timeoutNs) {
        try {
            if (worthIt && !closed) {
                Sleep.once(engine, clock, timeoutNs);
            }
        } finally {
            leave();
        }
    }

    /** Sleeps until the thread that drives the engine, or sleeps on its link, is done with that. */
    private void park(long timeoutNs) {
        Thread waiter = Thread.currentThread();
        parked.add(waiter);
        try {
            if (busy.get()) {
                LockSupport.parkNanos(this, Math.min(timeoutNs, PARK_MAX_NS));
            }
        } finally {
            parked.remove(waiter);
        }
    }

    private void enter() {
        while (!busy.compareAndSet(false, true)) {
            engine.link().wakeup();
            Thread.onSpinWait();
        }
        if (closed) {
            leave();
            throw new IllegalStateException("the adapter is closed");
        }
    }

    @Override
    public void close() {
        if (isDriving()) {
            closed = true; // from within a turn, which is the last one
            return;
        }
        while (!closed) {
            if (busy.compareAndSet(false, true)) {
                closed = true;
                leave();
            } else {
                engine.link().wakeup();
                Thread.onSpinWait();
            }
        }
    }
}
