package org.verbena.bench.first;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.WorkRequest;

/**
 * A connection for messages of 64 bytes, one at a time: a queue pair and a completion queue with default options, memory for a
 * message each way. A receive is posted whenever no message is under way. One thread at a time.
 */
final class Line implements RoundTrips.Trip {
    private static final int SIZE = RoundTrips.SIZE;
    private static final int COMPLETIONS = 16;
    private static final int SPINS_BETWEEN_LOOKS = 1 << 16;

    final QueuePair queuePair;
    private final MemorySegment memory = Arena.ofAuto().allocate(2 * SIZE, 64);
    private final CompletionQueue completions;
    private final WorkRequest.Send send;
    private final WorkRequest.Receive receive;
    private final boolean spinning;
    /** Sends whose completion has not come. */
    private int sending;

    /** Not connected yet. */
    Line(Adapter adapter, ProtectionDomain domain, boolean spinning) {
        this.spinning = spinning;
        completions = adapter.createCompletionQueue(COMPLETIONS);
        queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions));
        Region region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_READ, Right.LOCAL_WRITE));
        send = new WorkRequest.Send(1, LocalSegment.of(region, 0, SIZE));
        receive = new WorkRequest.Receive(2, LocalSegment.of(region, SIZE, SIZE));
    }

    /** Posts the first receive. To be called when it is connected, before the other end sends. */
    void begin() {
        VerbenaEnd.require(queuePair.post(receive));
    }

    /** Sends a message and waits until it has come back. */
    @Override
    public void make() throws InterruptedException {
        long mark = System.nanoTime();
        memory.set(ValueLayout.JAVA_LONG, 0, mark);
        send();
        if (!awaitMessage() || memory.get(ValueLayout.JAVA_LONG, SIZE) != mark) {
            throw new IllegalStateException("the message that was sent did not come back");
        }
        VerbenaEnd.require(queuePair.post(receive));
    }

    /** Sends every message back, until the adapter is closed. */
    void echo() throws InterruptedException {
        while (awaitMessage()) {
            MemorySegment.copy(memory, SIZE, memory, 0, SIZE);
            VerbenaEnd.require(queuePair.post(receive));
            send();
        }
    }

    private void send() {
        VerbenaEnd.require(queuePair.post(send));
        sending++;
    }

    /** Waits until a message has come and the memory of the last send is free again; false if none comes. */
    private boolean awaitMessage() throws InterruptedException {
        boolean arrived = false;
        while (!arrived || sending > 0) {
            Completion completion = spinning ? spin() : VerbenaEnd.next(completions);
            if (completion == null) {
                return false;
            } else if (completion.operation() == Operation.RECEIVE) {
                arrived = true;
            } else {
                sending--;
            }
        }
        return true;
    }

    private @Nullable Completion spin() {
        long begin = System.nanoTime();
        for (int spins = 1; ; spins++) {
            Completion completion = VerbenaEnd.checked(completions.poll());
            if (completion != null) {
                return completion;
            }
            Thread.onSpinWait();
            if (spins % SPINS_BETWEEN_LOOKS == 0 && System.nanoTime() - begin > VerbenaEnd.PATIENCE.toNanos()) {
                return null;
            }
        }
    }
}
