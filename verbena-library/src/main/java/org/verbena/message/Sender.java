package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.QueuePair;

/**
 * Takes messages of consumers: a message is posted at once, or waits in the queue of the channel until the thread that brings
 * credits posts it. Any thread, without the channel's lock.
 */
final class Sender {
    /** Slowest read of a large message that a sender waits for when it has withdrawn the message. */
    private static final long BYTES_PER_MS_LEAST = 1000;

    private final QueuePair queuePair;
    private final MessageOptions options;
    private final ChannelCore core;
    private final ChannelState state;
    private final Outbound outbound;

    Sender(QueuePair queuePair, MessageOptions options, ChannelCore core, ChannelState state, Outbound outbound) {
        this.queuePair = queuePair;
        this.options = options;
        this.core = core;
        this.state = state;
        this.outbound = outbound;
    }

    // --- ways to send

    /** Sends a message; false when the time is over. A message of one buffer is on its way then, a larger one has been read. */
    boolean send(MemorySegment data, long timeoutNs) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (postNow(0, 0, data, null)) {
            return true;
        }
        if (timeoutNs <= 0) {
            return false;
        }
        Outgoing waiting = enqueue(0, 0, data, true, null);
        try {
            return waiting.done.get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            withdraw(waiting);
            return result(waiting);
        } catch (InterruptedException interrupted) {
            withdraw(waiting);
            await(waiting);
            throw interrupted;
        } catch (ExecutionException failed) {
            return result(waiting);
        }
    }

    /** Sends a message; the future is true when it has arrived. */
    CompletableFuture<Boolean> sendAsync(MemorySegment data) {
        try {
            return enqueue(0, 0, data, false, null).done;
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    /**
     * Posts a message, or puts it in the queue.
     *
     * @return null if its data is not needed any more; otherwise the message
     */
    @Nullable
    Outgoing submit(int flags, long tag, MemorySegment data) {
        return postNow(flags, tag, data, null) ? null : enqueue(flags, tag, data, true, null);
    }

    /**
     * Sends the answer to a request and gives the request's slot back when the answer needs its data no more: so the peer
     * bounds the answers that wait. After an exception the slot is the caller's.
     *
     * @throws IllegalArgumentException if the peer takes no answer of this length
     */
    void reply(Slot request, int flags, long tag, MemorySegment data) {
        if (!postNow(flags, tag, data, request)) {
            var _ = enqueue(flags, tag, data, true, request);
        }
    }

    /** The longest message that the peer takes. */
    long lengthMax() {
        state.enter();
        try {
            return outbound.lengthMax();
        } finally {
            state.leave();
        }
    }

    // --- parts of them

    /** Posts a message of one buffer if nothing waits before it; whether it did. */
    private boolean postNow(int flags, long tag, MemorySegment data, @Nullable Slot answered) {
        long length = data.byteSize();
        state.enter();
        try {
            state.requireSending();
            outbound.judge(length);
            if (outbound.isLarge(length) || !outbound.canPost()) {
                return false;
            }
            outbound.fill(data);
            core.guarded(() -> {
                outbound.postData(flags, tag, length, null);
                if (answered != null) {
                    core.onReleased(answered);
                }
            });
            return true;
        } finally {
            state.leave();
        }
    }

    /** Puts a message in the queue: registered if it is large, copied if the thread that posts it cannot read it. */
    private Outgoing enqueue(int flags, long tag, MemorySegment data, boolean endsWhenPosted, @Nullable Slot answered) {
        boolean copied = data.isNative() && !MessageThreads.isShared(data);
        MemorySegment readable = copied ? MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE)) : data;
        Outgoing message = new Outgoing(flags, tag, readable, endsWhenPosted, answered);
        if (outbound.isLargeHere(data.byteSize())) {
            message.source = LargeSource.of(queuePair, readable, outbound.blocks());
        }
        state.enter();
        try {
            state.requireSending();
            outbound.judge(data.byteSize());
            outbound.enqueue(message);
            core.advanceOrFail();
        } catch (RuntimeException refused) {
            message.releaseSource();
            throw refused;
        } finally {
            state.leave();
        }
        return message;
    }

    // --- taking back

    /**
     * Takes a message back. Its future is complete at once, or when the peer has answered. A peer that does not answer in time
     * ends the channel: the data is the peer's to read until then.
     */
    void withdraw(Outgoing message) {
        state.enter();
        try {
            outbound.withdraw(message);
            core.advanceOrFail();
        } finally {
            state.leave();
        }
        if (!message.done.isDone()) {
            long limitMs = options.closeLimit().toMillis() + message.data.byteSize() / BYTES_PER_MS_LEAST;
            CompletableFuture.delayedExecutor(limitMs, TimeUnit.MILLISECONDS)
                    .execute(() -> onNoAnswer(message, limitMs));
        }
    }

    private void onNoAnswer(Outgoing message, long limitMs) {
        if (!message.done.isDone()) {
            core.fail("the peer has neither read nor dropped a message of " + message.data.byteSize() + " bytes "
                    + limitMs + " ms after it was withdrawn");
        }
    }

    /** Waits until a message is not needed any more; an exception of it is no news. */
    static void await(Outgoing message) {
        var _ = message.done.handle((_, _) -> true).join();
    }

    /** The outcome of a message, with the frames of the caller if it failed. */
    private static boolean result(Outgoing message) {
        try {
            return message.done.join();
        } catch (CompletionException failed) {
            Throwable wrong = failed.getCause();
            if (wrong instanceof ChannelException) {
                throw new ChannelException(wrong.getMessage(), wrong);
            }
            throw wrong instanceof RuntimeException other ? other : failed;
        }
    }
}
