package org.verbena.services.push;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.Right;
import org.verbena.Status;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.Completions;
import org.verbena.verbs.DatagramHeader;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.PreparedTransfer;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.Service;
import org.verbena.verbs.WorkRequest;

/**
 * One channel: a queue pair, its receives, and the requests that are on their way.
 *
 * <p>A request waits until the next one, or until {@link #flush}. So only the last request of a turn asks for a completion, which stands for all before it.
 */
final class Channel {
    /** Requests at most between two completions. */
    private static final int SIGNAL_EVERY = 32;

    private static final EnumSet<Right> RECEIVE_RIGHTS = EnumSet.of(Right.LOCAL_READ, Right.LOCAL_WRITE);

    /** The part of a service connection that uses a channel. */
    interface User {
        /** A request is done: its memory is free. */
        void onSent(int tag);

        /** A message is in a receive buffer, which is the user's until {@link Channel#repost}. */
        void onMessage(int buffer, int length);

        /** Immediate data have arrived; the receive is posted again. */
        void onImmediate(int immediate);

        /** The peer has disconnected the channel. */
        void onEnded();

        /** The channel has failed. */
        void onFailed(String why);
    }

    private final QueuePair queuePair;
    private final User user;
    private final SendLog log;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment receiveMemory;
    private final Region receiveRegion;
    private final WorkRequest.Receive[] receives;
    private final int receiveStride;
    private final int headerBytes;
    private boolean failed;

    private @Nullable PreparedTransfer waiting;
    private long waitingId;
    private long waitingOffset;
    private long waitingLength;
    private long waitingRemote;
    private int waitingImmediate;
    private int unsignalled;

    /**
     * Makes a channel whose queue pair is not connected yet.
     *
     * @param sends requests that are on their way at most
     * @param receives messages that the channel takes at once
     * @param receiveBytes bytes of each of them
     */
    Channel(
            Adapter adapter,
            ProtectionDomain domain,
            CompletionQueue completions,
            Service service,
            int sends,
            int receives,
            int receiveBytes,
            User user) {
        this.user = user;
        this.log = new SendLog(sends);
        this.headerBytes = service == Service.UD ? DatagramHeader.LENGTH : 0;
        this.receiveStride = (receiveBytes + headerBytes + 63) & -64;
        this.receives = new WorkRequest.Receive[receives];
        this.receiveMemory = arena.allocate((long) receives * receiveStride, 64);
        Region region = null;
        try {
            region = adapter.register(domain, receiveMemory, RECEIVE_RIGHTS);
            queuePair = adapter.createQueuePair(QueuePairOptions.of(domain, completions)
                    .withService(service)
                    .withCapacity(sends, receives)
                    .withSegmentsMax(1)
                    .withInlineMax(0));
        } catch (RuntimeException e) {
            if (region != null) {
                region.close();
            }
            arena.close();
            throw e;
        }
        receiveRegion = region;
        for (int i = 0; i < receives; i++) {
            this.receives[i] = new WorkRequest.Receive(
                    i, LocalSegment.of(receiveRegion, (long) i * receiveStride, receiveBytes + headerBytes));
        }
    }

    QueuePair queuePair() {
        return queuePair;
    }

    /** Completions that it may have at once. */
    int capacity() {
        return log.capacity() + receives.length;
    }

    /** Whether all requests are done: on an acknowledged channel, the peer has them. */
    boolean isIdle() {
        return log.isEmpty();
    }

    /** Posts all receives; the queue pair is in INIT. */
    void postReceives() {
        for (int i = 0; i < receives.length; i++) {
            repost(i);
        }
    }

    /** The memory of the receive buffers. */
    MemorySegment memory() {
        return receiveMemory;
    }

    /** Offset of the message in a receive buffer. */
    long offset(int buffer) {
        return (long) buffer * receiveStride + headerBytes;
    }

    /** Gives a receive buffer back to the channel. */
    void repost(int buffer) {
        if (!failed && !queuePair.post(receives[buffer])) {
            throw new IllegalStateException("the receive queue of " + queuePair + " is full");
        }
    }

    /** Whether a request can be posted. */
    boolean hasRoom() {
        return !failed && !log.isFull();
    }

    /** Requests that can be posted now. */
    int room() {
        return failed ? 0 : log.room();
    }

    /**
     * Posts a request; {@link #hasRoom} was true.
     *
     * @param tag that {@link User#onSent} gets when it is done
     */
    void post(PreparedTransfer transfer, int tag, long localOffset, long length, long remoteOffset, int immediate) {
        if (failed) {
            return;
        }
        postWaiting(unsignalled + 1 >= SIGNAL_EVERY);
        waiting = transfer;
        waitingId = log.add(tag);
        waitingOffset = localOffset;
        waitingLength = length;
        waitingRemote = remoteOffset;
        waitingImmediate = immediate;
    }

    private void postWaiting(boolean signalled) {
        PreparedTransfer transfer = waiting;
        if (transfer == null) {
            return;
        }
        waiting = null;
        unsignalled = signalled ? 0 : unsignalled + 1;
        if (!queuePair.post(
                transfer,
                waitingId,
                waitingOffset,
                waitingLength,
                waitingRemote,
                waitingImmediate,
                signalled ? SendOptions.SIGNALLED : SendOptions.UNSIGNALLED)) {
            throw new IllegalStateException("the send queue of " + queuePair + " is full");
        }
    }

    /** Posts the request that waits, at the end of a turn; whether there was one. */
    boolean flush() {
        boolean there = waiting != null;
        postWaiting(true);
        return there;
    }

    /** A completion of the channel's queue pair. */
    void onCompletion(Completions batch, int index) {
        if (failed) {
            return;
        }
        Operation operation = batch.operation(index);
        Status status = batch.status(index);
        if (!status.success()) {
            failed = true;
            waiting = null;
            if (status == Status.FLUSHED) {
                user.onEnded(); // the channel itself has not failed
            } else {
                user.onFailed(operation + " ended with " + status);
            }
            return;
        }
        long id = batch.id(index);
        if (operation == Operation.RECEIVE_WRITE_WITH_IMMEDIATE) {
            int immediate = batch.immediate(index);
            repost((int) id);
            user.onImmediate(immediate);
        } else if (operation == Operation.RECEIVE) {
            int length = (int) batch.byteLength(index) - headerBytes;
            if (length == 0) {
                int immediate = batch.immediate(index);
                repost((int) id);
                user.onImmediate(immediate);
            } else {
                user.onMessage((int) id, length);
            }
        } else {
            while (!log.isDone(id)) {
                user.onSent(log.remove());
            }
        }
    }

    /** Closes the queue pair and gives its memory back. Requests that are not done are told as sent. */
    void close() {
        failed = true;
        waiting = null;
        queuePair.close();
        while (!log.isEmpty()) {
            user.onSent(log.remove());
        }
        receiveRegion.close();
        arena.close();
    }
}
