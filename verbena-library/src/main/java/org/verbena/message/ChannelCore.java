package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.verbena.Operation;
import org.verbena.verbs.Completions;
import org.verbena.verbs.QueuePair;

/**
 * The protocol of a channel. One lock guards both halves; it is held for copies of at most a buffer and for posts, never while
 * a thread waits. The dispatcher's thread brings completions, consumers send and take. Futures are completed after the lock
 * is left.
 */
final class ChannelCore implements WorkHandler {
    /** Takes messages at once, in place of a thread that receives. Called by any thread; must not wait or throw. */
    interface Sink {
        void onMessage(Inbound.Slot slot);

        void onEnd(ChannelException cause);
    }

    private final QueuePair queuePair;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();
    private final Condition writable = lock.newCondition();
    private final Condition quiet = lock.newCondition();
    private final ArrayDeque<Runnable> afterwards = new ArrayDeque<>();
    private final ArrayDeque<CompletableFuture<Message>> receivers = new ArrayDeque<>();
    private final Inbound inbound;
    private final Outbound outbound;
    private final @Nullable Sink sink;
    private @Nullable ChannelException failure;
    private boolean closing;
    /** Whether this end is closed: messages that are left are lost. */
    private boolean closed;

    ChannelCore(QueuePair queuePair, MessageOptions options, BufferPool pool, @Nullable Sink sink) {
        this.queuePair = queuePair;
        this.sink = sink;
        int receives = options.receiveCapacity();
        PooledBuffer[] buffers = new PooledBuffer[receives + options.sends()];
        Arrays.setAll(buffers, _ -> pool.take());
        this.inbound = new Inbound(queuePair, options, Arrays.copyOf(buffers, receives));
        this.outbound = new Outbound(
                queuePair, options, Arrays.copyOfRange(buffers, receives, buffers.length), inbound, afterwards::add);
    }

    void sayHello() {
        lock.lock();
        try {
            outbound.sayHello();
        } finally {
            leave();
        }
    }

    private void leave() {
        if (afterwards.isEmpty() || lock.getHoldCount() > 1) {
            lock.unlock();
            return;
        }
        List<Runnable> tasks = List.copyOf(afterwards);
        afterwards.clear();
        lock.unlock();
        tasks.forEach(Runnable::run);
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
        lock.lock();
        try {
            for (int i = from; i < to && failure == null; i++) {
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
            leave();
        }
    }

    private void on(Completions batch, int index) {
        Operation operation = batch.operation(index);
        switch (operation) {
            case RECEIVE -> onReceive(inbound.slot(batch.id(index)), batch.byteLength(index));
            case SEND -> outbound.onSent((int) batch.id(index));
            case READ -> outbound.enqueueControl(Frame.DONE, 0, inbound.onRead(batch.id(index)));
            default -> throw new ChannelException("a completion of another user of " + queuePair + ": " + operation);
        }
    }

    private void onReceive(Inbound.Slot slot, long byteLength) {
        MemorySegment frame = slot.buffer.segment();
        int kind = byteLength < Frame.LENGTH ? 0 : Frame.kind(frame);
        long length = byteLength - Frame.LENGTH;
        if (kind == Frame.HELLO && length >= Hello.LENGTH) {
            outbound.onHello(Hello.read(frame, Frame.LENGTH));
            writable.signalAll();
            inbound.onControl(slot);
            return;
        }
        if (!outbound.isReady() || kind == Frame.HELLO) {
            throw new ChannelException("the first message of the peer is no hello");
        }
        outbound.onCredits(Frame.credits(frame));
        switch (kind) {
            case Frame.DATA -> inbound.onData(slot, length);
            case Frame.ANNOUNCE -> {
                requireLength(length, Announcement.LENGTH);
                inbound.onAnnouncement(slot, Announcement.read(frame, Frame.LENGTH));
            }
            case Frame.DONE -> {
                outbound.onDone(Frame.tag(frame), (Frame.flags(frame) & Frame.FLAG_DROPPED) != 0);
                inbound.onControl(slot);
            }
            case Frame.WITHDRAW -> {
                if (inbound.onWithdraw(Frame.tag(frame))) {
                    outbound.enqueueControl(Frame.DONE, Frame.FLAG_DROPPED, Frame.tag(frame));
                }
                inbound.onControl(slot);
            }
            case Frame.CREDIT -> inbound.onControl(slot);
            case Frame.BYE -> end(new ChannelException("the peer closed the channel"));
            default -> throw new ChannelException("the peer sent a message of unknown kind " + kind);
        }
    }

    private static void requireLength(long found, int least) {
        if (found < least) {
            throw new ChannelException("the peer sent a message of the protocol that is cut off: " + found + " bytes");
        }
    }

    /** Does everything that has become possible. */
    private void advance() {
        if (failure == null) {
            boolean available = inbound.hasMessage();
            inbound.read();
            outbound.pump();
            if (available) {
                deliver();
            }
            if (outbound.canPost()) {
                writable.signal();
            }
            if (closing) {
                quiet.signalAll();
            }
        }
    }

    private void deliver() {
        Sink taker = sink;
        if (taker != null) {
            while (inbound.hasMessage()) {
                Inbound.Slot slot = inbound.take();
                afterwards.add(() -> taker.onMessage(slot));
            }
            return;
        }
        while (!receivers.isEmpty() && inbound.hasMessage()) {
            CompletableFuture<Message> receiver = receivers.remove();
            Message message = new Message(this, inbound.take());
            afterwards.add(() -> {
                if (!receiver.complete(message)) {
                    message.close(); // cancelled; the message is lost, as the caller wished
                }
            });
        }
        if (inbound.hasMessage()) {
            readable.signal();
        }
    }

    @Override
    public void onEnd(Throwable cause) {
        lock.lock();
        try {
            end(new ChannelException("the channel has ended: " + cause.getMessage(), cause));
        } finally {
            leave();
        }
    }

    // --- end

    /** Ends the channel because of an exception; the connection is useless from then on. */
    private ChannelException fail(RuntimeException wrong) {
        ChannelException cause = wrong instanceof ChannelException known
                ? known
                : new ChannelException("the channel has failed: " + wrong.getMessage(), wrong);
        if (failure == null) {
            end(cause);
            afterwards.add(this::abort);
        }
        return failure == null ? cause : failure;
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
        if (failure != null) {
            return;
        }
        inbound.end();
        if (!closed && inbound.hasMessage()) {
            deliver(); // what came before the end is not lost
        }
        failure = cause;
        outbound.fail(cause);
        receivers.forEach(receiver -> afterwards.add(() -> receiver.completeExceptionally(cause)));
        receivers.clear();
        readable.signalAll();
        writable.signalAll();
        quiet.signalAll();
        Sink taker = sink;
        if (taker != null) {
            afterwards.add(() -> taker.onEnd(cause));
        }
    }

    private void requireAlive() {
        ChannelException cause = failure;
        if (cause != null) {
            throw new ChannelException(cause.getMessage(), cause);
        }
    }

    private void requireSending() {
        requireAlive();
        if (closing) {
            throw new ChannelException("the channel is closed");
        }
    }

    /** Why it cannot be used any more; null while it can. */
    @Nullable
    ChannelException failure() {
        lock.lock();
        try {
            return failure;
        } finally {
            leave();
        }
    }

    /**
     * Ends this end in good order: waits for messages that are under way and tells the peer.
     *
     * @param timeoutNs the longest wait; 0 does not wait
     */
    void close(long timeoutNs) throws InterruptedException {
        lock.lock();
        try {
            closing = true;
            writable.signalAll();
            long leftNs = timeoutNs;
            boolean told = false;
            while (failure == null && outbound.isReady() && !(told && outbound.isDrained()) && leftNs > 0) {
                if (!told && outbound.isQuiet() && outbound.postFarewell()) {
                    told = true; // its completion says that everything before has arrived
                } else {
                    leftNs = quiet.awaitNanos(leftNs);
                }
            }
        } catch (IllegalStateException gone) {
            fail(gone); // the adapter or the queue pair was closed before
        } finally {
            closed = true;
            end(new ChannelException("the channel is closed"));
            leave();
        }
    }

    // --- sending

    boolean send(int flags, long tag, MemorySegment data, long timeoutNs) throws InterruptedException {
        long length = data.byteSize();
        long leftNs = timeoutNs;
        lock.lockInterruptibly();
        try {
            requireSending();
            outbound.judge(length);
            while (!outbound.isLarge(length)) {
                if (outbound.canPost()) {
                    outbound.fill(data);
                    post(flags, tag, length);
                    return true;
                }
                if (leftNs <= 0) {
                    return false;
                }
                leftNs = writable.awaitNanos(leftNs);
                requireSending();
                outbound.judge(length);
            }
        } finally {
            leave();
        }
        return sendLarge(flags, tag, data, leftNs);
    }

    private void post(int flags, long tag, long length) {
        try {
            outbound.postData(flags, tag, length, null);
        } catch (RuntimeException wrong) {
            throw fail(wrong);
        }
        if (outbound.canPost()) {
            writable.signal();
        }
    }

    private boolean sendLarge(int flags, long tag, MemorySegment data, long timeoutNs) throws InterruptedException {
        Outgoing message = new Outgoing(flags, tag, data, null);
        message.source = LargeSource.of(queuePair, data, outbound.blocks());
        enqueue(message);
        try {
            return message.done.get(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (TimeoutException over) {
            withdraw(message);
            return result(message);
        } catch (InterruptedException interrupted) {
            withdraw(message);
            // The data is the peer's until it answers; the peer's dispatcher does at once.
            var _ = result(message);
            throw interrupted;
        } catch (ExecutionException failed) {
            return result(message);
        }
    }

    /** The outcome of a message, with the frames of the caller if it failed. */
    private static boolean result(Outgoing message) {
        Throwable[] problem = new Throwable[1];
        boolean sent = message.done
                .exceptionally(wrong -> {
                    problem[0] = wrong;
                    return false;
                })
                .join();
        Throwable wrong = problem[0];
        if (wrong instanceof ChannelException) {
            throw new ChannelException(wrong.getMessage(), wrong);
        }
        if (wrong instanceof RuntimeException other) {
            throw other;
        }
        return sent;
    }

    private void withdraw(Outgoing message) {
        lock.lock();
        try {
            outbound.withdraw(message);
            advanceOrFail();
        } finally {
            leave();
        }
    }

    private void enqueue(Outgoing message) {
        lock.lock();
        try {
            requireSending();
            outbound.enqueue(message);
            advanceOrFail();
        } catch (ChannelException ended) {
            outbound.discard(message);
            message.done.completeExceptionally(ended);
        } finally {
            leave();
        }
    }

    /**
     * Sends a message as soon as it is its turn.
     *
     * @param onPosted called when the message is on its way; null for nothing
     */
    CompletableFuture<Boolean> sendAsync(int flags, long tag, MemorySegment data, @Nullable Runnable onPosted) {
        boolean copied = data.isNative() && !MessageThreads.isShared(data);
        MemorySegment readable = copied ? MemorySegment.ofArray(data.toArray(ValueLayout.JAVA_BYTE)) : data;
        Outgoing message = new Outgoing(flags, tag, readable, onPosted);
        try {
            if (outbound.isLargeHere(data.byteSize())) {
                message.source = LargeSource.of(queuePair, readable, outbound.blocks());
            }
        } catch (RuntimeException refused) {
            message.done.completeExceptionally(refused);
            return message.done;
        }
        enqueue(message);
        return message.done;
    }

    private void advanceOrFail() {
        try {
            advance();
        } catch (RuntimeException wrong) {
            fail(wrong);
        }
    }

    // --- receiving

    @Nullable
    Message receive(long timeoutNs) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return awaitMessage(timeoutNs) ? new Message(this, takeNext()) : null;
        } finally {
            leave();
        }
    }

    /** Waits for a message to take; false when the time is over. */
    private boolean awaitMessage(long timeoutNs) throws InterruptedException {
        if (sink != null) {
            throw new IllegalStateException("the messages of this channel go to its requests");
        }
        long leftNs = timeoutNs;
        while (closed || !receivers.isEmpty() || !inbound.hasMessage()) {
            requireAlive();
            if (leftNs <= 0) {
                return false;
            }
            leftNs = readable.awaitNanos(leftNs);
        }
        return true;
    }

    private Inbound.Slot takeNext() {
        Inbound.Slot slot = inbound.take();
        if (inbound.hasMessage()) {
            readable.signal();
        }
        return slot;
    }

    /** Takes a message of at most this length; null when the time is over. The caller gives it back by {@link #release}. */
    Inbound.@Nullable Slot receive(long timeoutNs, long lengthMax) throws InterruptedException {
        lock.lockInterruptibly();
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
            leave();
        }
    }

    CompletableFuture<Message> receiveAsync() {
        var receiver = new CompletableFuture<Message>();
        lock.lock();
        try {
            if (sink != null) {
                throw new IllegalStateException("the messages of this channel go to its requests");
            }
            if (!closed && receivers.isEmpty() && inbound.hasMessage()) {
                receiver.complete(new Message(this, takeNext()));
            } else if (failure != null) {
                receiver.completeExceptionally(failure);
            } else {
                receivers.add(receiver);
            }
        } finally {
            leave();
        }
        return receiver;
    }

    /** The consumer is done with a message. */
    void release(Inbound.Slot slot) {
        lock.lock();
        try {
            inbound.release(slot);
            advance();
        } catch (RuntimeException wrong) {
            fail(wrong);
        } finally {
            leave();
        }
    }

    /** Frees the memory of large messages. */
    void free() {
        inbound.landings().close();
        outbound.blocks().close();
    }
}
