package org.verbena.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.link.Link;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.AdapterOptions;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/** One end of a connection under measurement, with requests prepared so that posting one again allocates nothing. */
final class End implements AutoCloseable {
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int LANDING = MEMORY_BYTES / 2;

    final Adapter adapter;
    final CompletionQueue completionQueue;
    final QueuePair queuePair;
    final Completions completions;
    final WorkRequest.Send send;
    final WorkRequest.Receive receive;
    private final Region region;
    private int sendsDone;
    private int receivesDone;

    /** An end with messages of a given length, and room for a given number of requests in each direction. */
    End(Link link, AdapterOptions.Run run, int messageBytes, int capacity) {
        adapter = Adapter.open(link, AdapterOptions.DEFAULT.withRun(run));
        ProtectionDomain domain = adapter.createProtectionDomain();
        completionQueue = adapter.createCompletionQueue(2 * capacity);
        queuePair = adapter.createQueuePair(
                QueuePairOptions.of(domain, completionQueue).withCapacity(capacity, capacity));
        completions = new Completions(capacity);
        MemorySegment memory = Arena.ofAuto().allocate(MEMORY_BYTES, 4096);
        region = adapter.register(domain, memory, EnumSet.allOf(Right.class));
        Payload message = Payload.of(LocalSegment.of(region, 0, messageBytes));
        send = new WorkRequest.Send(1, message, SendOptions.SIGNALLED);
        receive = new WorkRequest.Receive(2, LocalSegment.of(region, LANDING, messageBytes));
    }

    static void connect(End one, End other) {
        one.queuePair.connect(other.queuePair.address(), ConnectionOptions.DEFAULT);
        other.queuePair.connect(one.queuePair.address(), ConnectionOptions.DEFAULT);
    }

    RemoteMemory memory() {
        return RemoteMemory.of(region);
    }

    LocalSegment segment(long length) {
        return LocalSegment.of(region, 0, length);
    }

    void postSend() {
        require(queuePair.post(send), "the send queue is full");
    }

    void postReceive() {
        require(queuePair.post(receive), "the receive queue is full");
    }

    /** Polls the completions and counts them; a failed completion ends the benchmark. */
    void poll() {
        int count = completionQueue.poll(completions);
        for (int i = 0; i < count; i++) {
            Status status = completions.status(i);
            require(status.success(), status.text());
            if (completions.operation(i) == Operation.RECEIVE) {
                receivesDone++;
            } else {
                sendsDone++;
            }
        }
    }

    /** Sends completed since the last call. */
    int takeSends() {
        int count = sendsDone;
        sendsDone = 0;
        return count;
    }

    /** Messages received since the last call. */
    int takeReceives() {
        int count = receivesDone;
        receivesDone = 0;
        return count;
    }

    private static void require(boolean fine, String otherwise) {
        if (!fine) {
            throw new IllegalStateException(otherwise);
        }
    }

    @Override
    public void close() {
        adapter.close();
    }
}
