package org.verbena.message;

import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Hands the messages of a channel to its consumers: to a sink, to futures, to threads that wait. Methods that a consumer calls
 * enter the channel's lock themselves; the others are called under it.
 */
final class Receiver {
    /** Takes messages at once, in place of a thread that receives. Must not wait. */
    interface Sink {
        /**
         * Takes a message, under the channel's lock.
         *
         * @return whether the slot is free again; otherwise the sink gives it back by {@link ChannelCore#release}
         * @throws ChannelException if the message is wrong: the channel ends
         */
        boolean onMessage(Slot slot, ChannelState state);

        /** No message comes any more. Called once, without the lock. */
        void onEnd(ChannelException cause);
    }

    private final ChannelCore core;
    private final ChannelState state;
    private final Inbound inbound;
    private final @Nullable Sink sink;
    private final Condition readable;
    private final ArrayDeque<CompletableFuture<Message>> futures = new ArrayDeque<>();

    Receiver(ChannelCore core, ChannelState state, Inbound inbound, @Nullable Sink sink) {
        this.core = core;
        this.state = state;
        this.inbound = inbound;
        this.sink = sink;
        this.readable = state.newCondition();
    }

    // --- under the lock

    /** Hands on the messages that can be taken. */
    void deliver() {
        Sink taker = sink;
        if (taker != null) {
            while (inbound.hasMessage()) {
                Slot slot = inbound.take();
                if (taker.onMessage(slot, state)) {
                    inbound.release(slot);
                }
            }
            return;
        }
        while (!futures.isEmpty() && inbound.hasMessage()) {
            CompletableFuture<Message> future = futures.remove();
            Message message = new Message(core, inbound.take());
            state.afterwards(() -> {
                if (!future.complete(message)) {
                    message.close(); // cancelled; the message is lost, as the caller wished
                }
            });
        }
        if (inbound.hasMessage()) {
            readable.signal();
        }
    }

    /** Tells everything that waits for a message that none comes. */
    void onEnd(ChannelException cause) {
        futures.forEach(future -> state.afterwards(() -> future.completeExceptionally(cause)));
        futures.clear();
        readable.signalAll();
        Sink taker = sink;
        if (taker != null) {
            state.afterwards(() -> taker.onEnd(cause));
        }
    }

    // --- consumers

    /** Takes a message; null when the time is over. */
    @Nullable
    Message receive(long timeoutNs) throws InterruptedException {
        Slot slot = receive(timeoutNs, Long.MAX_VALUE);
        return slot == null ? null : new Message(core, slot);
    }

    /** Takes a message of at most this length; null when the time is over. The caller gives it back by {@link ChannelCore#release}. */
    @Nullable
    Slot receive(long timeoutNs, long lengthMax) throws InterruptedException {
        state.enterInterruptibly();
        try {
            if (!awaitMessage(timeoutNs)) {
                return null;
            }
            long length = inbound.nextLength();
            if (length > lengthMax) {
                readable.signal(); // it stays for a thread with more room
                throw new IllegalArgumentException(
                        "the next message has " + length + " bytes; there is room for " + lengthMax);
            }
            return takeNext();
        } finally {
            state.leave();
        }
    }

    /** Waits for a message to take; false when the time is over. */
    private boolean awaitMessage(long timeoutNs) throws InterruptedException {
        long leftNs = timeoutNs;
        while (state.isClosed() || !futures.isEmpty() || !inbound.hasMessage()) {
            state.requireAlive();
            if (leftNs <= 0) {
                return false;
            }
            leftNs = readable.awaitNanos(leftNs);
        }
        return true;
    }

    private Slot takeNext() {
        Slot slot = inbound.take();
        if (inbound.hasMessage()) {
            readable.signal();
        }
        return slot;
    }

    CompletableFuture<Message> receiveAsync() {
        var future = new CompletableFuture<Message>();
        state.enter();
        try {
            ChannelException ended = state.failure();
            if (!state.isClosed() && futures.isEmpty() && inbound.hasMessage()) {
                future.complete(new Message(core, takeNext()));
            } else if (ended != null) {
                future.completeExceptionally(ended);
            } else {
                futures.add(future);
            }
        } finally {
            state.leave();
        }
        return future;
    }
}
