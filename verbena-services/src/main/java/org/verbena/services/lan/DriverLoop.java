package org.verbena.services.lan;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.verbena.link.LinkException;
import org.verbena.link.frame.FramePort;
import org.verbena.services.push.MessagingLayer;
import org.verbena.time.Durations;
import org.verbena.time.NanoClock;

/** The life of a driver: turns by a thread that calls {@link #run}, looks again and waits between them, and the end, which is in that thread. */
final class DriverLoop {
    /** A driver, as its loop sees it. */
    interface Driver {
        /** One turn, without a wait; 0 if nothing was done. */
        int work(long nowNs);

        /** When a turn is due although nothing happens. */
        long nextDeadlineNs();

        /** Gives everything back. Called once. */
        void end();
    }

    /** Waits of 1 µs, 2 µs and so on: none has to be made for a wait. */
    private static final Duration[] WAITS = new Duration[20];

    private static final long WAIT_FIRST_NS = 1000;
    /** The longest wait if a frame of the port does not end it. */
    private static final long BLIND_WAIT_NS = 250_000;

    static {
        for (int i = 0; i < WAITS.length; i++) {
            WAITS[i] = Duration.ofNanos(WAIT_FIRST_NS << i);
        }
    }

    private final MessagingLayer layer;
    private final NanoClock clock;
    private final Driver driver;
    private final IdleSpin spin;
    private final String name;
    private boolean blind;
    private volatile boolean closing;
    private boolean ended;
    private @Nullable Thread runner;

    DriverLoop(MessagingLayer layer, NanoClock clock, Driver driver, Duration spin, String name) {
        this.layer = layer;
        this.clock = clock;
        this.driver = driver;
        this.spin = new IdleSpin(Durations.toNanos(spin));
        this.name = name;
    }

    /**
     * Has frames of a port end the waits. If the thread cannot wait for the port and for the adapter at once, for descriptors and for channels, waits are short: the port
     * is looked at every {@link #BLIND_WAIT_NS}. Before the first turn.
     */
    void attach(FramePort port) {
        try {
            layer.attach(port);
        } catch (LinkException e) {
            blind = true;
        }
    }

    /** Ends {@link #attach}. */
    void detach(FramePort port) {
        if (!blind) {
            layer.detach(port);
        }
    }

    /** Gives turns until {@link #close} is called, or the thread is interrupted. */
    @SuppressWarnings("ThreadPriorityCheck") // a program that sends or takes frames may need the core
    void run() {
        claim();
        try {
            while (!closing) {
                long nowNs = clock.nowNs();
                if (driver.work(nowNs) != 0) {
                    spin.onWork(nowNs);
                } else if (spin.looksAgain(nowNs)) {
                    Thread.yield();
                } else {
                    await(driver.nextDeadlineNs(), nowNs);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            release();
        }
    }

    private void await(long deadlineNs, long nowNs) throws InterruptedException {
        if (deadlineNs <= nowNs) {
            return;
        }
        long leftNs = deadlineNs == Long.MAX_VALUE ? deadlineNs : deadlineNs - nowNs;
        long mostNs = blind ? Math.min(leftNs, BLIND_WAIT_NS) : leftNs;
        int steps = 63 - Long.numberOfLeadingZeros(Math.max(1, mostNs / WAIT_FIRST_NS));
        layer.await(WAITS[Math.min(steps, WAITS.length - 1)]);
    }

    private synchronized void claim() {
        if (runner != null || ended) {
            throw new IllegalStateException(ended ? name + " is closed" : name + " is run by " + runner);
        }
        runner = Thread.currentThread();
    }

    private synchronized void release() {
        runner = null;
        if (closing) {
            end();
        }
        notifyAll();
    }

    private void end() {
        if (!ended) {
            ended = true;
            driver.end();
        }
    }

    /** Starts a thread that runs it. */
    void start() {
        Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    /** Ends the driver. Returns when it has given everything back. */
    void close() {
        closing = true;
        synchronized (this) {
            if (runner == null) {
                end();
                return;
            }
            if (runner.equals(Thread.currentThread())) {
                return; // by a turn: the loop ends behind it
            }
        }
        layer.wakeup();
        awaitEnd();
    }

    private synchronized void awaitEnd() {
        boolean interrupted = false;
        while (!ended) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
