package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.time.Durations;
import org.verbena.verbs.Adapter;
import org.verbena.verbs.CompletionQueue;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.QueuePairOptions;
import org.verbena.verbs.Service;

/**
 * Messages in both directions over a connected queue pair. The channel owns buffers and protocol: messages arrive whole and in
 * the order they were sent; one that is larger than a buffer goes by RDMA read, which the caller does not notice. A sender
 * waits while the receiver does not take its messages: a receive is never missing.
 *
 * <p>Both ends make a channel, and tell each other version and sizes first; messages wait until that is done. The hello of an end
 * is repeated by the transport until the other end has made its channel.
 *
 * <p>Any thread may call all methods. Messages of one thread keep their order; those of several threads are sent one by one. A
 * call that waits ends with {@link ChannelException} when the channel ends: closed here, closed by the peer, or because the
 * connection failed. Messages that arrived before can still be received, unless this end closed the channel.
 *
 * <p>A peer that breaks the protocol ends the channel; the text of the exception has what was found and what was expected. A peer holds
 * at most the buffers of the channel and {@code largeMessages} messages of {@code messageMax} bytes each.
 *
 * <p>A thread polls the completion queue of the channel: its own, or the one that runs the {@link Dispatcher} of several channels.
 * Large messages need a connection that grants the peer remote reads, as the default options do.
 */
public final class MessageChannel implements AutoCloseable {
    private final QueuePair queuePair;
    private final MessageOptions options;
    private final Dispatcher dispatcher;
    private final boolean ownsDispatcher;
    private final BufferPool pool;
    private final ChannelCore core;
    private final AtomicBoolean closed = new AtomicBoolean();

    private MessageChannel(
            QueuePair queuePair,
            MessageOptions options,
            Dispatcher dispatcher,
            boolean ownsDispatcher,
            BufferPool pool,
            ChannelCore core) {
        this.queuePair = queuePair;
        this.options = options;
        this.dispatcher = dispatcher;
        this.ownsDispatcher = ownsDispatcher;
        this.pool = pool;
        this.core = core;
    }

    /**
     * Makes a queue pair that fits a channel: a reliable connection with a domain and a completion queue of its own. The caller
     * connects it.
     *
     * @throws IllegalStateException if the adapter is closed or has all the queue pairs it can have
     */
    public static QueuePair createQueuePair(Adapter adapter, MessageOptions options) {
        return createQueuePair(adapter, options, adapter.createCompletionQueue(options.completionCapacity()));
    }

    /**
     * Makes a queue pair that fits a channel whose completions a dispatcher brings: a reliable connection with a domain of its own,
     * and the completion queue of the dispatcher. The caller connects it.
     *
     * @param dispatcher its completion queue has room for {@link MessageOptions#completionCapacity} completions of each channel
     * @throws IllegalArgumentException if the dispatcher's queue belongs to another adapter
     * @throws IllegalStateException if the adapter is closed or has all the queue pairs it can have
     */
    public static QueuePair createQueuePair(Adapter adapter, MessageOptions options, Dispatcher dispatcher) {
        return createQueuePair(adapter, options, dispatcher.completions());
    }

    private static QueuePair createQueuePair(Adapter adapter, MessageOptions options, CompletionQueue completions) {
        return adapter.createQueuePair(QueuePairOptions.of(adapter.createProtectionDomain(), completions)
                .withCapacity(options.sendCapacity(), options.receiveCapacity()));
    }

    /**
     * Makes a channel with a thread of its own. The channel owns the queue pair and its completion queue from now on, and
     * closes them. Does not wait for the peer.
     *
     * @param queuePair connected (RTS), for the channel alone; {@link #createQueuePair} makes one that fits
     * @throws IllegalArgumentException if the queue pair is no reliable connection, has two completion queues or a shared
     *     receive queue, or is too small for the options
     * @throws IllegalStateException if the queue pair is not connected
     */
    public static MessageChannel over(QueuePair queuePair, MessageOptions options) {
        return over(queuePair, options, null, null);
    }

    /**
     * Makes a channel whose completions a dispatcher brings, together with those of other queue pairs. The channel owns the queue
     * pair from now on, and closes it. The completion queue needs room for all of them.
     *
     * @param queuePair as for {@link #over(QueuePair, MessageOptions)}; its completion queue is the dispatcher's
     * @throws IllegalArgumentException as for {@link #over(QueuePair, MessageOptions)}, or if the dispatcher has another queue
     * @throws IllegalStateException if the queue pair is not connected, or the dispatcher is closed
     */
    public static MessageChannel over(QueuePair queuePair, MessageOptions options, Dispatcher dispatcher) {
        return over(queuePair, options, dispatcher, null);
    }

    static MessageChannel over(
            QueuePair queuePair, MessageOptions options, @Nullable Dispatcher shared, Receiver.@Nullable Sink sink) {
        judge(queuePair, options);
        CompletionQueue completions = queuePair.options().sendCompletions();
        int buffers = options.receiveCapacity() + options.sends();
        BufferPool pool = BufferPool.create(
                queuePair.adapter(),
                queuePair.options().domain(),
                Frame.LENGTH + options.bufferSize(),
                buffers,
                EnumSet.of(Right.LOCAL_WRITE));
        Dispatcher dispatcher = shared == null ? Dispatcher.over(completions) : shared;
        try {
            ChannelCore core = new ChannelCore(queuePair, options, pool, sink);
            dispatcher.handle(queuePair, core);
            core.sayHello();
            if (shared == null) {
                dispatcher.onFailure(core::onEnd); // calls of the channel tell it
                dispatcher.start("verbena-messages-" + queuePair.number());
            }
            return new MessageChannel(queuePair, options, dispatcher, shared == null, pool, core);
        } catch (RuntimeException | Error refused) {
            dispatcher.remove(queuePair);
            pool.close();
            throw refused;
        }
    }

    private static void judge(QueuePair queuePair, MessageOptions options) {
        QueuePairOptions of = queuePair.options();
        if (of.service() != Service.RC) {
            throw new IllegalArgumentException(
                    "a message channel needs a reliable connection (RC); found " + of.service());
        }
        if (of.sharedReceives() != null) {
            throw new IllegalArgumentException(
                    "a message channel needs a receive queue of its own; found a shared one");
        }
        if (of.sendCompletions() != of.receiveCompletions()) {
            throw new IllegalArgumentException("a message channel needs one completion queue for both directions");
        }
        require("send queue", of.sendCapacity(), options.sendCapacity());
        require("receive queue", of.receiveCapacity(), options.receiveCapacity());
        require("completion queue", of.sendCompletions().capacity(), options.completionCapacity());
        if (!queuePair.state().takesSends()) {
            throw new IllegalStateException(queuePair + " is not connected; a message channel needs state RTS");
        }
    }

    private static void require(String name, int found, int least) {
        if (found < least) {
            throw new IllegalArgumentException("the options of the channel need a " + name + " for " + least
                    + "; found " + found + " (MessageChannel.createQueuePair makes one that fits)");
        }
    }

    // --- sending

    /**
     * Sends the bytes between position and limit; the position stays. Waits while the peer does not take messages. When it
     * returns the buffer may be changed. A message that is larger than a buffer has been read by the peer then; a smaller one
     * is on its way.
     *
     * @throws InterruptedException if the thread is interrupted, before or while it waits; the message may have been sent if it is
     *     larger than a buffer
     * @throws IllegalArgumentException if the peer takes no message of this length
     * @throws ChannelException if the channel has ended, before or meanwhile
     */
    public void send(ByteBuffer message) throws InterruptedException {
        send(MemorySegment.ofBuffer(message));
    }

    /** Sends the bytes of a segment, of any memory that the thread may read; otherwise as {@link #send(ByteBuffer)}. */
    public void send(MemorySegment message) throws InterruptedException {
        var _ = core.sender().send(message, Long.MAX_VALUE);
    }

    /**
     * Sends with a time limit; otherwise as {@link #send(ByteBuffer)}.
     *
     * @param timeout the longest wait for the peer; zero or less does not wait, and never sends a message larger than a buffer
     * @return false when the time is over: the message was not sent. A message larger than a buffer is withdrawn then; a peer that neither
     *     reads it nor answers for {@link MessageOptions#closeLimit} more, and 1 ms for each 1000 bytes, ends the channel
     */
    public boolean send(ByteBuffer message, Duration timeout) throws InterruptedException {
        return send(MemorySegment.ofBuffer(message), timeout);
    }

    /** Sends the bytes of a segment with a time limit; otherwise as {@link #send(ByteBuffer, Duration)}. */
    public boolean send(MemorySegment message, Duration timeout) throws InterruptedException {
        return core.sender().send(message, Durations.toNanos(timeout));
    }

    /**
     * Sends the bytes between position and limit, without waiting; the position stays. Messages that cannot be sent at once wait
     * in a queue without a bound, in the order of the calls; a program bounds it by waiting for the future of an earlier message.
     *
     * @param message belongs to the channel until the future is complete; cancelling the future does not change that
     * @return completes when the message is in the peer's memory, on the thread of the dispatcher; over iWARP, and if it is not larger than
     *     a buffer, when its bytes are in the stream. Completes exceptionally with {@link ChannelException} if the channel ends before,
     *     with {@link IllegalArgumentException} if the peer takes no message of this length
     */
    public CompletableFuture<Void> sendAsync(ByteBuffer message) {
        return sendAsync(MemorySegment.ofBuffer(message));
    }

    /** Sends the bytes of a segment without waiting; otherwise as {@link #sendAsync(ByteBuffer)}. */
    public CompletableFuture<Void> sendAsync(MemorySegment message) {
        return core.sender().sendAsync(message).thenAccept(_ -> {});
    }

    // --- receiving

    /**
     * Takes the next message; waits for one if there is none.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @return null when the time is over; otherwise a message that the caller closes
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws ChannelException if the channel has ended and no message is left
     */
    public @Nullable Message receive(Duration timeout) throws InterruptedException {
        return core.receiver().receive(Durations.toNanos(timeout));
    }

    /**
     * Takes the next message into a buffer of the caller, from its position on; the position moves behind it. Waits for a message
     * if there is none. Allocates nothing.
     *
     * @param timeout the longest wait; zero or less does not wait
     * @return bytes of the message; −1 when the time is over
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws IllegalArgumentException if the message is longer than the room in the buffer; it stays to be received
     * @throws ReadOnlyBufferException if the buffer cannot be written
     * @throws ChannelException if the channel has ended and no message is left
     */
    public int receive(ByteBuffer into, Duration timeout) throws InterruptedException {
        if (into.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        Slot slot = core.receiver().receive(Durations.toNanos(timeout), into.remaining());
        if (slot == null) {
            return -1;
        }
        try {
            int length = (int) slot.length;
            MemorySegment.copy(slot.memory(), slot.offset(), MemorySegment.ofBuffer(into), 0, length);
            into.position(into.position() + length);
            return length;
        } finally {
            core.release(slot);
        }
    }

    /**
     * Takes the next message when it comes. Messages go to these futures first, in the order of the calls, and to threads that
     * wait only when no future is open.
     *
     * @return completes with a message that the caller closes, on the thread of the dispatcher; completes exceptionally with
     *     {@link ChannelException} if the channel ends before
     */
    public CompletableFuture<Message> receiveAsync() {
        return core.receiver().receiveAsync();
    }

    // --- state

    /** The queue pair of the channel. */
    public QueuePair queuePair() {
        return queuePair;
    }

    /** The options of this end. */
    public MessageOptions options() {
        return options;
    }

    /** Whether messages can still be sent. */
    public boolean isOpen() {
        return !closed.get() && core.failure() == null;
    }

    ChannelCore core() {
        return core;
    }

    /**
     * Closes this end: no further message is taken, those under way are delivered first as far as the options' close limit
     * allows, then the peer is told. Closes queue pair and buffers. Every call that waits ends with {@link ChannelException}.
     * Does not wait when a callback on the dispatcher's thread calls it, nor if the thread is interrupted. A second call does
     * nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        boolean interrupted = false;
        try {
            core.close(dispatcher.isRunner() ? 0 : Durations.toNanos(options.closeLimit()));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (ownsDispatcher) {
            dispatcher.stop();
            abort(); // its flushed receives wake the dispatcher's thread
            dispatcher.close();
            queuePair.close();
            queuePair.options().sendCompletions().close();
        } else {
            abort();
            queuePair.close();
            dispatcher.remove(queuePair);
        }
        pool.close();
        core.free();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void abort() {
        try {
            queuePair.abort();
        } catch (IllegalStateException gone) {
            // The adapter or the queue pair is closed already.
            return;
        }
    }

    @Override
    public String toString() {
        return "message channel over " + queuePair;
    }
}
