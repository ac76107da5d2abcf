package org.verbena.message;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * The send buffers of a channel, used in turn, and the messages in them that a future waits for. Guarded by the channel's
 * lock.
 */
final class SendRing {
    private final QueuePair queuePair;
    private final PooledBuffer[] buffers;
    /** The last request of each buffer: a message of the same length uses it again. */
    private final WorkRequest.@Nullable Send[] prepared;

    private final @Nullable Outgoing[] awaited;
    private long posted;
    private long completed;

    SendRing(QueuePair queuePair, PooledBuffer[] buffers) {
        this.queuePair = queuePair;
        this.buffers = buffers;
        this.prepared = new WorkRequest.@Nullable Send[buffers.length];
        this.awaited = new @Nullable Outgoing[buffers.length];
    }

    /** Whether there is a buffer that is not under way. */
    boolean hasBuffer() {
        return posted - completed < buffers.length;
    }

    boolean isEmpty() {
        return posted == completed;
    }

    /** The memory of the next message: its frame, then its body. {@link #hasBuffer} was true. */
    MemorySegment next() {
        return buffers[nextIndex()].segment();
    }

    private int nextIndex() {
        return (int) (posted % buffers.length);
    }

    /**
     * Posts the message in {@link #next}. Every fourth part of the ring ends with a signalled request, whose completion frees
     * all before it.
     *
     * @param bodyLength bytes behind the frame
     * @param signalled whether its completion is wanted
     * @param message told when it has arrived; null for none
     */
    void post(long bodyLength, boolean signalled, @Nullable Outgoing message) {
        int index = nextIndex();
        int quarter = buffers.length / 4;
        awaited[index] = message;
        WorkRequest.Send request = request(
                index, Frame.LENGTH + bodyLength, signalled || message != null || index % quarter == quarter - 1);
        posted++;
        if (!queuePair.post(request)) {
            throw new ChannelException("the send queue of " + queuePair + " is full: the channel is not its only user");
        }
    }

    private WorkRequest.Send request(int index, long length, boolean signalled) {
        WorkRequest.Send last = prepared[index];
        if (last != null
                && last.options().signalled() == signalled
                && ((Payload.Gathered) last.data()).segments().getFirst().length() == length) {
            return last;
        }
        WorkRequest.Send made = new WorkRequest.Send(
                index,
                Payload.of(buffers[index].local(length)),
                signalled ? SendOptions.SIGNALLED : SendOptions.UNSIGNALLED);
        prepared[index] = made;
        return made;
    }

    /** The send of a buffer is done, and with it all before: tells their futures. */
    void onSent(int index, ChannelState state) {
        int done;
        do {
            done = (int) (completed % buffers.length);
            Outgoing message = awaited[done];
            awaited[done] = null;
            if (message != null) {
                state.afterwards(() -> message.done.complete(true));
            }
            completed++;
        } while (done != index);
    }

    /** Ends the messages that were not acknowledged. */
    void fail(ChannelException cause, ChannelState state) {
        for (int i = 0; i < awaited.length; i++) {
            Outgoing message = awaited[i];
            awaited[i] = null;
            if (message != null) {
                state.afterwards(() -> message.done.completeExceptionally(cause));
            }
        }
    }
}
