package org.verbena.adapter;

import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.queue.CompletionRing;
import org.verbena.time.Clock;

/**
 * An engine driven by its consumer's polls, on the consumer's thread: no hand-over between threads, the best latency
 * where cores are few. While nobody polls, nothing moves, acknowledgements included.
 */
public final class InlineRunner implements Runner {
    private final Engine engine;
    private final Clock clock;
    /**
     * Time without work after which empty turns let other threads run: the peer may be a thread that waits for this very
     * core. Where nobody waits, a yield costs a fraction of a turn that asks the kernel.
     */
    private static final long IDLE_BEFORE_YIELD_NS = 3_000;

    private final AtomicBoolean busy = new AtomicBoolean();
    private volatile boolean closed;
    private long lastWorkNs;

    public InlineRunner(Engine engine, Clock clock) {
        this.engine = engine;
        this.clock = clock;
    }

    @Override
    public void call(Runnable command) {
        enter();
        try {
            command.run();
        } finally {
            busy.set(false);
        }
    }

    /** A turn, unless another thread is giving one. */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // costs nothing to a busy consumer and a time slice less to its peer
    public int progress() {
        if (closed || !busy.compareAndSet(false, true)) {
            return 0;
        }
        int done;
        boolean idle;
        try {
            long nowNs = clock.nowNs();
            done = engine.work(nowNs);
            lastWorkNs = done > 0 ? nowNs : lastWorkNs;
            idle = nowNs - lastWorkNs > IDLE_BEFORE_YIELD_NS;
        } finally {
            busy.setRelease(false);
        }
        if (idle) {
            Thread.yield();
        }
        return done;
    }

    @Override
    public void await(CompletionRing ring, long wish, long timeoutNs) throws InterruptedException {
        ring.arm(wish);
        try {
            if (ring.isEmpty()) {
                drive(ring, timeoutNs);
            }
        } finally {
            ring.disarm();
        }
    }

    /** Gives turns until the ring's wish has come true or the time is over. */
    private void drive(CompletionRing ring, long timeoutNs) throws InterruptedException {
        long startNs = clock.nowNs();
        while (ring.armed() && !closed) {
            long leftNs = timeoutNs == Long.MAX_VALUE ? Long.MAX_VALUE : startNs + timeoutNs - clock.nowNs();
            if (leftNs <= 0) {
                return;
            }
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (progress() == 0 && ring.armed()) {
                sleep(leftNs);
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // another thread drives the engine and is about to be done
    private void sleep(long timeoutNs) {
        if (busy.compareAndSet(false, true)) {
            try {
                Sleep.once(engine, clock, timeoutNs);
            } finally {
                busy.set(false);
            }
        } else {
            Thread.yield();
        }
    }

    private void enter() {
        while (!busy.compareAndSet(false, true)) {
            engine.link().wakeup();
            Thread.onSpinWait();
        }
        if (closed) {
            busy.set(false);
            throw new IllegalStateException("the adapter is closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            enter();
            closed = true;
            busy.set(false);
        }
    }
}
