package org.verbena.tools.fabric;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.fabric.Fabric;
import org.verbena.manage.agent.ManagedPort;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * Two hosts that exchange data, on a thread of their own. The first writes into the memory of the second by RDMA, reads it back and compares, in rounds. A pair begins
 * when management has made both ports active, and begins again after an error.
 */
final class TrafficPair implements Runnable {
    static final int BYTES = 4096;

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long PAUSE_MS = 5;

    private final Fabric fabric;
    private final ManagedPort from;
    private final ManagedPort to;
    private final AtomicLong rounds = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong mismatches = new AtomicLong();
    private volatile String reason = "";
    private volatile boolean connected;
    private volatile boolean stopped;

    TrafficPair(Fabric fabric, ManagedPort from, ManagedPort to) {
        this.fabric = fabric;
        this.from = from;
        this.to = to;
    }

    /** Writes and reads that were compared. */
    long rounds() {
        return rounds.get();
    }

    long errors() {
        return errors.get();
    }

    long mismatches() {
        return mismatches.get();
    }

    /** The last error; empty if there was none. */
    String reason() {
        return reason;
    }

    boolean isConnected() {
        return connected;
    }

    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        try {
            if (!awaitActive(from) || !awaitActive(to)) {
                return;
            }
            try (Adapter here = open(from);
                    Adapter there = open(to)) {
                while (!stopped) {
                    exchange(here, there);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean awaitActive(ManagedPort port) throws InterruptedException {
        while (!stopped) {
            if (fabric.awaitActive(port.node().name(), port.number(), LOOK)) {
                return true;
            }
        }
        return false;
    }

    private Adapter open(ManagedPort port) {
        return Adapter.open(
                fabric.open(port.node().name(), port.number()), AdapterOptions.DEFAULT.withName("traffic at " + port));
    }

    /** Goes on until an error or the end. */
    private void exchange(Adapter here, Adapter there) throws InterruptedException {
        CompletionQueue completions = here.createCompletionQueue(16);
        MemorySegment target = there.arena().allocate(BYTES, Long.BYTES);
        try (QueuePair queuePair = here.createQueuePair(QueuePairOptions.of(completions));
                QueuePair other = there.createQueuePair(QueuePairOptions.of(there.createCompletionQueue(16)));
                Region region = there.register(target, Right.LOCAL_WRITE, Right.REMOTE_WRITE, Right.REMOTE_READ)) {
            ConnectionOptions how = ConnectionOptions.DEFAULT.withMtu(here.mtuMax());
            queuePair.connect(other.address(), how);
            other.connect(queuePair.address(), how);
            connected = true;
            MemorySegment source = here.arena().allocate(BYTES, Long.BYTES);
            MemorySegment back = here.arena().allocate(BYTES, Long.BYTES);
            RemoteMemory remote = RemoteMemory.of(region);
            while (!stopped && round(queuePair, completions, source, back, remote)) {
                Thread.sleep(PAUSE_MS);
            }
        } catch (IllegalStateException | IllegalArgumentException e) {
            errors.incrementAndGet();
            reason = from + " to " + to + ": " + e.getMessage();
            Thread.sleep(LOOK);
        } finally {
            connected = false;
        }
    }

    private boolean round(
            QueuePair queuePair,
            CompletionQueue completions,
            MemorySegment source,
            MemorySegment back,
            RemoteMemory remote)
            throws InterruptedException {
        long seed = rounds.get() * 0x9e37_79b9_7f4a_7c15L;
        for (int at = 0; at < BYTES; at += Long.BYTES) {
            source.set(ValueLayout.JAVA_LONG, at, seed + at);
        }
        if (!succeeds(queuePair, completions, new WorkRequest.Write(1, source, remote))
                || !succeeds(queuePair, completions, new WorkRequest.Read(2, back, remote))) {
            errors.addAndGet(stopped ? 0 : 1);
            return false;
        }
        mismatches.addAndGet(source.mismatch(back) < 0 ? 0 : 1);
        rounds.incrementAndGet();
        return true;
    }

    private boolean succeeds(QueuePair queuePair, CompletionQueue completions, WorkRequest.Sending request)
            throws InterruptedException {
        if (!queuePair.post(request)) {
            return false;
        }
        Completion completion = completions.poll(PATIENCE);
        @Nullable Status status = completion == null ? null : completion.status();
        if (status != Status.SUCCESS) {
            reason = from + " to " + to + ": " + (status == null ? "no completion in " + PATIENCE : status);
        }
        return status == Status.SUCCESS;
    }
}
