package org.verbena.bench.first;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;

/** One end of a connection with default options: an adapter on 127.0.0.1, a completion queue, a queue pair, memory. One thread. */
final class VerbenaEnd implements AutoCloseable {
    /** The longest time that a program waits for a completion. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final int COMPLETIONS = 256;

    final Adapter adapter = open();
    final ProtectionDomain domain = adapter.createProtectionDomain();
    final CompletionQueue completions = adapter.createCompletionQueue(COMPLETIONS);
    final QueuePair queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
    private final Arena arena = Arena.ofAuto();

    /** An adapter with default options on a port of its own. */
    static Adapter open() {
        return Adapter.open(Control.loopback(0));
    }

    /** Memory of this end, at a page. */
    MemorySegment allocate(long bytes) {
        return arena.allocate(bytes, 4096);
    }

    Region register(MemorySegment memory, Right... rights) {
        EnumSet<Right> all = EnumSet.of(Right.LOCAL_READ, Right.LOCAL_WRITE);
        all.addAll(List.of(rights));
        return adapter.register(domain, memory, all);
    }

    void connect(Control control) throws IOException {
        control.connect(queuePair);
    }

    /**
     * The next completion, which is a success.
     *
     * @return null if none comes in time
     * @throws IllegalStateException if the adapter is closed
     */
    static @Nullable Completion next(CompletionQueue completions) throws InterruptedException {
        return checked(completions.poll(PATIENCE));
    }

    /** The next completion, which is a success and comes in time. */
    static Completion await(CompletionQueue completions) throws InterruptedException {
        Completion completion = next(completions);
        if (completion == null) {
            throw new IllegalStateException("no completion within " + PATIENCE.toSeconds() + " s");
        }
        return completion;
    }

    /** Waits for completions, which are successes, and takes all that are there. */
    void await(Completions batch) throws InterruptedException {
        if (!completions.await(PATIENCE) || completions.poll(batch) == 0) {
            throw new IllegalStateException("no completion within " + PATIENCE.toSeconds() + " s");
        }
        for (int i = 0; i < batch.size(); i++) {
            if (batch.status(i) != Status.SUCCESS) {
                throw new IllegalStateException("not a success: " + batch.get(i));
            }
        }
    }

    static @Nullable Completion checked(@Nullable Completion completion) {
        if (completion != null && completion.status() != Status.SUCCESS) {
            throw new IllegalStateException("not a success: " + completion);
        }
        return completion;
    }

    /** Demands that a request was posted. */
    static void require(boolean posted) {
        if (!posted) {
            throw new IllegalStateException("the queue is full");
        }
    }

    @Override
    public void close() {
        adapter.close();
    }
}
