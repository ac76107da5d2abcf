package org.verbena.bench.figures;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Aeron over UDP on the loopback interface with an embedded driver: millions of messages a second from one publisher to one
 * subscriber, each with its own thread. Idle strategies yield, which gives Aeron its best rate on few cores.
 *
 * <p>Arguments: bytes of a message, threading mode of the driver, seconds.
 */
final class AeronRate {
    private static final int STREAM = 1001;
    private static final int FRAGMENTS = 256;

    private AeronRate() {}

    public static void main(String... arguments) throws InterruptedException {
        int size = Integer.parseInt(arguments[0]);
        ThreadingMode mode = ThreadingMode.valueOf(arguments[1]);
        long seconds = Long.parseLong(arguments[2]);
        String channel = "aeron:udp?endpoint=127.0.0.1:" + ServerAndClient.freePort();
        try (MediaDriver driver = MediaDriver.launchEmbedded(driver(mode));
                Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
                Subscription subscription = aeron.addSubscription(channel, STREAM);
                ExclusivePublication publication = aeron.addExclusivePublication(channel, STREAM)) {
            System.out.println(rate(publication, subscription, size, seconds));
        }
    }

    private static MediaDriver.Context driver(ThreadingMode mode) {
        return new MediaDriver.Context()
                .threadingMode(mode)
                .dirDeleteOnShutdown(true)
                .sharedIdleStrategy(new YieldingIdleStrategy())
                .senderIdleStrategy(new YieldingIdleStrategy())
                .receiverIdleStrategy(new YieldingIdleStrategy());
    }

    private static double rate(ExclusivePublication publication, Subscription subscription, int size, long seconds)
            throws InterruptedException {
        AtomicLong received = new AtomicLong();
        Thread publisher = Thread.ofPlatform().daemon().start(() -> publish(publication, size));
        Thread subscriber = Thread.ofPlatform().daemon().start(() -> subscribe(subscription, received));
        TimeUnit.SECONDS.sleep(seconds); // until everything is compiled
        long before = received.get();
        long begin = System.nanoTime();
        TimeUnit.SECONDS.sleep(seconds);
        double rate = (received.get() - before) * 1e3 / (System.nanoTime() - begin);
        publisher.interrupt();
        subscriber.interrupt();
        publisher.join();
        subscriber.join();
        return rate;
    }

    private static void publish(ExclusivePublication publication, int size) {
        UnsafeBuffer message = new UnsafeBuffer(new byte[size]);
        IdleStrategy idle = new YieldingIdleStrategy();
        while (!Thread.currentThread().isInterrupted()) {
            idle.idle(publication.offer(message, 0, size) > 0 ? 1 : 0);
        }
    }

    private static void subscribe(Subscription subscription, AtomicLong received) {
        IdleStrategy idle = new YieldingIdleStrategy();
        FragmentHandler nothing = (_, _, _, _) -> {};
        long count = 0;
        while (!Thread.currentThread().isInterrupted()) {
            int fragments = subscription.poll(nothing, FRAGMENTS);
            count += fragments;
            received.lazySet(count);
            idle.idle(fragments);
        }
    }
}
