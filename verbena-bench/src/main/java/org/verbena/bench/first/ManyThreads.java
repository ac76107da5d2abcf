package org.verbena.bench.first;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Round trips of many virtual threads at once: warmed up, then counted and printed. */
final class ManyThreads {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final LongAdder done = new LongAdder();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean over;

    private ManyThreads() {}

    /** Measures with a virtual thread for each connection. */
    static void measure(List<? extends RoundTrips.Trip> connections, Arguments arguments, PrintStream out)
            throws InterruptedException {
        ManyThreads many = new ManyThreads();
        List<Thread> threads = new ArrayList<>();
        for (RoundTrips.Trip connection : connections) {
            threads.add(Thread.ofVirtual().start(() -> many.run(connection)));
        }
        many.sleep(arguments.warmUpNs());
        Readings readings = Readings.begin();
        long begin = System.nanoTime();
        long trips = many.sleep(arguments.windowNs());
        double perSecond = trips * 1e9 / (System.nanoTime() - begin);
        many.over = true;
        for (Thread thread : threads) {
            many.require(thread.join(PATIENCE));
        }
        many.require(true);
        readings.with(Reading.REQUESTS_PER_SECOND, perSecond).print(out);
    }

    /** Sleeps so long, and until a round trip is made; the number of round trips meanwhile. */
    private long sleep(long ns) throws InterruptedException {
        long before = done.sum();
        long begin = System.nanoTime();
        Thread.sleep(Duration.ofNanos(ns));
        while (done.sum() == before) {
            require(System.nanoTime() - begin < ns + PATIENCE.toNanos());
            Thread.sleep(1);
        }
        return done.sum() - before;
    }

    private void run(RoundTrips.Trip connection) {
        try {
            while (!over) {
                connection.make();
                done.increment();
            }
        } catch (Exception e) {
            failure.compareAndSet(null, e);
        }
    }

    private void require(boolean ended) {
        Exception failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a request failed", failed);
        }
        if (!ended) {
            throw new IllegalStateException("a request has no answer after " + PATIENCE.toSeconds() + " s");
        }
    }
}
