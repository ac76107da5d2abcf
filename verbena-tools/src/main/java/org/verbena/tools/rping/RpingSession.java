package org.verbena.tools.rping;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.connect.Connection;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.tools.console.StopSign;
import org.verbena.tools.console.ToolException;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.Completion;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.ConnectionOptions;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.WorkRequest;

/**
 * The objects of one end of one connection: a queue pair, two messages of the exchange, and two buffers for ping data. A client
 * has its data in the first and gets it back in the second; a server uses the second alone. One thread.
 */
final class RpingSession implements AutoCloseable {
    private static final long SENT = 0;
    private static final long RECEIVED = Advertisement.LENGTH;
    private static final long DATA = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration SLICE = Duration.ofMillis(200);

    private final int size;
    private final StopSign stop;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final ProtectionDomain domain;
    private final Region region;
    private final CompletionQueue completions;
    private final QueuePair queuePair;

    RpingSession(Adapter adapter, int size, StopSign stop) {
        this.size = size;
        this.stop = stop;
        memory = arena.allocate(DATA + 2L * size, 4096);
        domain = adapter.createProtectionDomain();
        region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_WRITE, Right.REMOTE_READ, Right.REMOTE_WRITE));
        completions = adapter.createCompletionQueue(32);
        queuePair =
                adapter.createQueuePair(QueuePairOptions.of(domain, completions).withCapacity(16, 2));
        queuePair.initialize(terms().remoteRights());
        postReceive();
    }

    /** One read at a time either way, retries as the original has them. */
    static ConnectionOptions terms() {
        return ConnectionOptions.DEFAULT
                .withReads(1, 1)
                .withRemoteRights(EnumSet.of(Right.REMOTE_READ, Right.REMOTE_WRITE));
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /** The client's own data. */
    MemorySegment start() {
        return memory.asSlice(DATA, size);
    }

    /** The data that the server read, or that came back to the client. */
    MemorySegment landing() {
        return memory.asSlice(DATA + size, size);
    }

    /** Tells the peer where the client's data is. */
    void advertiseStart() {
        advertise(DATA);
    }

    /** Tells the peer where the data is to come back. */
    void advertiseLanding() {
        advertise(DATA + size);
    }

    private void advertise(long offset) {
        new Advertisement(RemoteMemory.of(region).plus(offset), size).write(memory, SENT);
        if (!say()) {
            throw new ToolException("the server has disconnected");
        }
    }

    /** Sends the message as it is: of a server it says no more than "go on". False if the peer has disconnected. */
    boolean say() {
        post(new WorkRequest.Send(SENT, LocalSegment.of(region, SENT, Advertisement.LENGTH)));
        return expect(Operation.SEND);
    }

    boolean read(Advertisement from, int length) {
        post(new WorkRequest.Read(1, LocalSegment.of(region, DATA + size, length), from.memory()));
        return expect(Operation.READ);
    }

    boolean write(Advertisement to, int length) {
        post(new WorkRequest.Write(1, LocalSegment.of(region, DATA + size, length), to.memory()));
        return expect(Operation.WRITE);
    }

    private void post(WorkRequest.Sending request) {
        if (!queuePair.post(request)) {
            throw new ToolException("the send queue is full");
        }
    }

    private void postReceive() {
        if (!queuePair.post(
                new WorkRequest.Receive(RECEIVED, LocalSegment.of(region, RECEIVED, Advertisement.LENGTH)))) {
            throw new ToolException("the receive queue is full");
        }
    }

    private boolean heard;

    /** The peer's next message; null if it has disconnected. */
    @Nullable
    Advertisement hear() {
        while (!heard) {
            Completion completion = next();
            if (completion == null || completion.status() == Status.FLUSHED) {
                return null;
            }
            take(completion);
        }
        heard = false;
        Advertisement message = Advertisement.read(memory, RECEIVED);
        postReceive();
        return message;
    }

    /**
     * The peer may be faster with its next message than our own request is with its completion. A client that leaves need
     * not acknowledge what it got last: false when it has.
     */
    private boolean expect(Operation operation) {
        while (true) {
            Completion completion = next();
            if (completion == null) {
                throw new ToolException("no completion of " + operation + " within " + PATIENCE.toSeconds() + " s");
            }
            if (completion.status() == Status.FLUSHED) {
                return false;
            }
            take(completion);
            if (completion.operation() == operation) {
                return true;
            }
        }
    }

    private void take(Completion completion) {
        if (!completion.status().success()) {
            throw new ToolException(completion.operation() + " ended with "
                    + completion.status().text());
        }
        if (completion.operation().isReceive()) {
            if (completion.byteLength() != Advertisement.LENGTH) {
                throw new ToolException("a message of " + completion.byteLength() + " bytes found, "
                        + Advertisement.LENGTH + " expected");
            }
            heard = true;
        }
    }

    private @Nullable Completion next() {
        try {
            for (long slice = 0; slice < PATIENCE.dividedBy(SLICE); slice++) {
                Completion completion = completions.poll(SLICE);
                if (completion != null) {
                    return completion;
                }
                if (stop.isRaised()) {
                    throw new ToolException("interrupted");
                }
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ToolException("interrupted", e);
        }
    }

    /** Tells the peer that it was all, and waits a little for its answer. */
    static void disconnect(Connection connection) {
        try {
            var _ = connection.disconnect();
            connection.awaitDisconnected(Duration.ofSeconds(5));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        queuePair.close();
        completions.close();
        region.close();
        domain.close();
        arena.close();
    }
}
