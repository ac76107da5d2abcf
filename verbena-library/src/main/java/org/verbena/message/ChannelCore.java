package org.verbena.message;

import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.verbs.Completions;
import org.verbena.verbs.QueuePair;

/**
 * The life of a channel: completions come in, the two halves go on, an end is told to everything that waits. One lock guards
 * both halves; it is held for copies of at most a buffer and for posts, never while a thread waits. The dispatcher's thread
 * brings completions; {@link Sender} and {@link Receiver} have the calls of consumers.
 */
final class ChannelCore implements WorkHandler {
    private final QueuePair queuePair;
    private final ChannelState state = new ChannelState();
    private final Condition quiet = state.newCondition();
    private final Inbound inbound;
    private final Outbound outbound;
    private final FrameIntake intake;
    private final Sender sender;
    private final Receiver receiver;

    ChannelCore(QueuePair queuePair, MessageOptions options, BufferPool pool, Receiver.@Nullable Sink sink) {
        this.queuePair = queuePair;
        int receives = options.receiveCapacity();
        PooledBuffer[] buffers = new PooledBuffer[receives + options.sends()];
        Arrays.setAll(buffers, _ -> pool.take());
        this.inbound = new Inbound(queuePair, options, Arrays.copyOf(buffers, receives));
        this.outbound =
                new Outbound(queuePair, options, Arrays.copyOfRange(buffers, receives, buffers.length), state, inbound);
        this.intake = new FrameIntake(inbound, outbound);
        this.sender = new Sender(queuePair, options, this, state, outbound);
        this.receiver = new Receiver(this, state, inbound, sink);
    }

    Sender sender() {
        return sender;
    }

    Receiver receiver() {
        return receiver;
    }

    void sayHello() {
        state.enter();
        try {
            outbound.sayHello();
        } finally {
            state.leave();
        }
    }

    // --- completions, on the dispatcher's thread

    @Override
    public void onCompletion(Completions batch, int index) {
        onCompletions(batch, index, index + 1);
    }

    @Override
    public void onFailure(Completions batch, int index) {
        onCompletions(batch, index, index + 1);
    }

    @Override
    public void onCompletions(Completions batch, int from, int to) {
        state.enter();
        try {
            for (int i = from; i < to && state.isAlive(); i++) {
                if (!batch.status(i).success()) {
                    throw new ChannelException("the connection of " + queuePair + " has failed: " + batch.operation(i)
                            + ": " + batch.status(i).text());
                }
                on(batch, i);
            }
            advance();
        } catch (RuntimeException wrong) {
            fail(wrong);
        } catch (OutOfMemoryError none) {
            fail(new ChannelException("no memory for a message of the peer: " + none.getMessage(), none));
        } finally {
            state.leave();
        }
    }

    private void on(Completions batch, int index) {
        long id = batch.id(index);
        Operation operation = batch.operation(index);
        switch (operation) {
            case RECEIVE -> {
                if (!intake.onFrame(inbound.slot(id), batch.byteLength(index))) {
                    end(new ChannelException("the peer closed the channel"));
                }
            }
            case SEND -> outbound.onSent((int) id);
            case READ ->
                outbound.enqueueControl(Frame.DONE, 0, inbound.reads().onRead(inbound.slot(LargeReads.slotOf(id))));
            default -> throw new ChannelException("a completion of another user of " + queuePair + ": " + operation);
        }
    }

    /** Does everything that has become possible. */
    private void advance() {
        if (state.isAlive()) {
            if (inbound.hasMessage()) {
                receiver.deliver();
            }
            inbound.reads().begin();
            outbound.pump();
            if (state.isClosing()) {
                quiet.signalAll();
            }
        }
    }

    /** As {@link #advance}; an exception ends the channel. Under the lock. */
    void advanceOrFail() {
        try {
            advance();
        } catch (RuntimeException wrong) {
            fail(wrong);
        }
    }

    // --- slots

    /** The consumer is done with a message. */
    void release(Slot slot) {
        state.enter();
        try {
            onReleased(slot);
        } catch (RuntimeException wrong) {
            fail(wrong);
        } finally {
            state.leave();
        }
    }

    /** As {@link #release}, under the lock. */
    void onReleased(Slot slot) {
        inbound.release(slot);
        advance();
    }

    // --- end

    @Override
    public void onEnd(Throwable cause) {
        state.enter();
        try {
            end(new ChannelException("the channel has ended: " + cause.getMessage(), cause));
        } finally {
            state.leave();
        }
    }

    /** Ends the channel because of what the peer did, or did not do. */
    void fail(String text) {
        state.enter();
        try {
            fail(new ChannelException(text));
        } finally {
            state.leave();
        }
    }

    /** Does what must not fail; an exception ends the channel, and the caller gets the reason. Under the lock. */
    void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException wrong) {
            fail(wrong);
            state.requireAlive();
        }
    }

    /** Ends the channel because of an exception; the connection is useless from then on. */
    private void fail(RuntimeException wrong) {
        if (state.isAlive()) {
            end(
                    wrong instanceof ChannelException known
                            ? known
                            : new ChannelException("the channel has failed: " + wrong.getMessage(), wrong));
            state.afterwards(this::abort);
        }
    }

    private void abort() {
        try {
            queuePair.abort();
        } catch (IllegalStateException gone) {
            // Closed already, with the adapter or by its owner: that is the aim.
            return;
        }
    }

    private void end(ChannelException cause) {
        if (!state.isAlive()) {
            return;
        }
        inbound.end();
        if (!state.isClosed() && inbound.hasMessage()) {
            deliverLast();
        }
        state.end(cause);
        outbound.fail(cause);
        receiver.onEnd(cause);
        quiet.signalAll();
    }

    /** What came before the end is not lost. */
    private void deliverLast() {
        try {
            receiver.deliver();
        } catch (ChannelException again) {
            return; // another message that is wrong: the first one counts
        }
    }

    /** The reason why it cannot be used any more; null while it can. */
    @Nullable
    ChannelException failure() {
        state.enter();
        try {
            return state.failure();
        } finally {
            state.leave();
        }
    }

    /**
     * Ends this end in good order: waits for messages that are under way and tells the peer.
     *
     * @param timeoutNs the longest wait; 0 does not wait
     */
    void close(long timeoutNs) throws InterruptedException {
        state.enter();
        try {
            state.beginClosing();
            long leftNs = timeoutNs;
            boolean told = false;
            while (state.isAlive() && !(told && outbound.isDrained()) && leftNs > 0) {
                if (!told && outbound.isQuiet() && outbound.postFarewell()) {
                    told = true; // its completion says that everything before has arrived
                } else {
                    leftNs = quiet.awaitNanos(leftNs);
                }
            }
        } catch (IllegalStateException gone) {
            fail(gone); // the adapter or the queue pair was closed before
        } finally {
            state.onClosed();
            end(new ChannelException("the channel is closed"));
            state.leave();
        }
    }

    /** Frees the memory of large messages. */
    void free() {
        inbound.reads().landings().close();
        outbound.blocks().close();
    }
}
