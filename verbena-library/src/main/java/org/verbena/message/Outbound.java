package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.QueuePair;

/**
 * The sending half of a channel: the credits that the peer has granted, and messages that wait for a credit, for a buffer or
 * for the peer's read. Guarded by the channel's lock.
 */
final class Outbound {
    /** A message of the protocol that needs no credit. */
    private record Control(int kind, int flags, long tag) {}

    private final QueuePair queuePair;
    private final MessageOptions options;
    private final ChannelState state;
    private final Inbound inbound;
    private final SendRing ring;
    private final Announced announced;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private final ArrayDeque<Control> controls = new ArrayDeque<>();
    private final BlockCache blocks;
    private @Nullable Hello peer;
    private int credits;
    /** Whether the peer was told that nothing follows. */
    private boolean farewell;

    Outbound(QueuePair queuePair, MessageOptions options, PooledBuffer[] buffers, ChannelState state, Inbound inbound) {
        this.queuePair = queuePair;
        this.options = options;
        this.state = state;
        this.inbound = inbound;
        this.ring = new SendRing(queuePair, buffers);
        this.announced = new Announced(options.largeMessages());
        this.blocks = new BlockCache(queuePair.adapter(), queuePair.options().domain(), LargeSource.RIGHTS);
    }

    // --- state

    /** Whether the peer has said hello. */
    boolean isReady() {
        return peer != null;
    }

    /** Whether a message of one buffer can be posted now, and none waits before it. */
    boolean canPost() {
        return queue.isEmpty() && hasRoom();
    }

    private boolean hasRoom() {
        return peer != null && credits > 0 && ring.hasBuffer();
    }

    /** Whether all that was sent has arrived and nothing waits. */
    boolean isDrained() {
        return isQuiet() && ring.isEmpty();
    }

    /** Whether everything but the acknowledgements of the last sends is over. */
    boolean isQuiet() {
        return queue.isEmpty() && controls.isEmpty() && announced.isEmpty();
    }

    /** Whether a message must be read by the peer: it is larger than a buffer of one of the ends. */
    boolean isLarge(long length) {
        return length > options.bufferSize() || (peer != null && length > peer.bufferSize());
    }

    /** Whether a message is larger than a buffer of this end. Any thread, without the lock. */
    boolean isLargeHere(long length) {
        return length > options.bufferSize();
    }

    /** The longest message that the peer takes, as far as it is known. */
    long lengthMax() {
        return peer == null ? Integer.MAX_VALUE : peer.messageMax();
    }

    /** Judges the length of a message; the peer's limit counts as soon as it is known. */
    void judge(long length) {
        if (length > lengthMax()) {
            throw new IllegalArgumentException(
                    "the peer takes messages of at most " + lengthMax() + " bytes; found " + length);
        }
    }

    BlockCache blocks() {
        return blocks;
    }

    // --- events

    void sayHello() {
        MemorySegment buffer = ring.next();
        Frame.write(buffer, Frame.HELLO, 0, 0, 0);
        Hello.of(options).write(buffer, Frame.LENGTH);
        ring.post(Hello.LENGTH, true, null);
    }

    void onHello(Hello hello) {
        hello.judge();
        peer = hello;
        announced.onPeer(hello.largeMessages());
        credits = hello.receives();
    }

    void onCredits(int granted) {
        Hello known = peer;
        if (granted > 0 && (known == null || (credits += granted) > known.receives())) {
            throw new ChannelException("the peer granted " + granted + " credits and has "
                    + (known == null ? 0 : known.receives()) + " receives; this end had " + (credits - granted)
                    + " left");
        }
    }

    /** The send of a buffer is done. */
    void onSent(int index) {
        ring.onSent(index, state);
    }

    /** The peer has read or dropped an announced message. */
    void onDone(long number, boolean dropped) {
        Outgoing message = announced.onDone(number, dropped);
        release(message);
        state.afterwards(() -> message.done.complete(!dropped));
    }

    /** The data of a message is not needed any more. */
    private void release(Outgoing message) {
        message.releaseSource();
        if (message.answered != null) {
            inbound.release(message.answered);
        }
    }

    // --- sending

    /** Copies a message of one buffer into the next one; {@link #canPost} was true. An exception changes nothing. */
    void fill(MemorySegment data) {
        MemorySegment.copy(data, 0, ring.next(), Frame.LENGTH, data.byteSize());
    }

    /**
     * Posts the message that was copied last.
     *
     * @param waiting told when it has arrived; null for none
     */
    void postData(int flags, long tag, long length, @Nullable Outgoing waiting) {
        credits--;
        Frame.write(ring.next(), Frame.DATA, flags, inbound.takeGrant(), tag);
        ring.post(length, false, waiting);
    }

    void enqueue(Outgoing message) {
        queue.add(message);
    }

    void enqueueControl(int kind, int flags, long tag) {
        controls.add(new Control(kind, flags, tag));
    }

    /** Takes a message back: at once if it was not announced, otherwise the peer is asked. Its future tells the result. */
    void withdraw(Outgoing message) {
        if (queue.remove(message)) {
            release(message);
            state.afterwards(() -> message.done.complete(false));
        } else if (announced.contains(message) && !message.withdrawn) {
            message.withdrawn = true;
            enqueueControl(Frame.WITHDRAW, 0, message.number);
        }
    }

    /** Posts as much of what waits as there are buffers and credits for. */
    void pump() {
        if (peer == null || farewell) {
            return;
        }
        while (!controls.isEmpty() && ring.hasBuffer()) {
            Control control = controls.remove();
            postControl(control.kind, control.flags, control.tag);
        }
        for (Outgoing next = queue.peek(); next != null && hasRoom(); next = queue.peek()) {
            if (!postQueued(next)) {
                break;
            }
        }
        if (inbound.owesCredits() && ring.hasBuffer()) {
            postControl(Frame.CREDIT, 0, 0);
        }
    }

    /** Posts the first message of the queue; false if it is large and too many are under way. */
    private boolean postQueued(Outgoing message) {
        try {
            prepare(message);
        } catch (RuntimeException refused) {
            queue.remove();
            release(message);
            state.afterwards(() -> message.done.completeExceptionally(refused));
            return true;
        }
        LargeSource source = message.source;
        if (source == null) {
            queue.remove();
            postSmall(message);
        } else if (announced.hasRoom()) {
            queue.remove();
            announce(message, source);
        } else {
            return false;
        }
        return true;
    }

    /** Copies a small message, or registers a large one. An exception is one of the message alone. */
    private void prepare(Outgoing message) {
        long length = message.data.byteSize();
        judge(length);
        if (message.source == null && isLarge(length)) {
            message.source = LargeSource.of(queuePair, message.data, blocks);
        }
        if (message.source == null) {
            fill(message.data);
        }
    }

    private void postSmall(Outgoing message) {
        postData(message.flags, message.tag, message.data.byteSize(), message.endsWhenPosted ? null : message);
        release(message);
        if (message.endsWhenPosted) {
            state.afterwards(() -> message.done.complete(true));
        }
    }

    private void announce(Outgoing message, LargeSource source) {
        int number = announced.add(message);
        MemorySegment buffer = ring.next();
        credits--;
        Frame.write(buffer, Frame.ANNOUNCE, message.flags, inbound.takeGrant(), message.tag);
        new Announcement(source.address(), message.data.byteSize(), source.key(), number).write(buffer, Frame.LENGTH);
        ring.post(Announcement.LENGTH, false, null);
    }

    /** Posts a message without a body; there is a buffer. */
    private void postControl(int kind, int flags, long tag) {
        Frame.write(ring.next(), kind, flags, inbound.takeGrant(), tag);
        ring.post(0, kind == Frame.BYE, null);
    }

    /** Tells the peer that nothing follows; false if there is no buffer. Once only. */
    boolean postFarewell() {
        if (!ring.hasBuffer()) {
            return false;
        }
        postControl(Frame.BYE, 0, 0);
        farewell = true;
        return true;
    }

    // --- end

    /** Ends everything that waits. */
    void fail(ChannelException cause) {
        controls.clear();
        ring.fail(cause, state);
        for (Outgoing message = queue.poll(); message != null; message = queue.poll()) {
            end(message, cause);
        }
        for (Outgoing message = announced.removeAny(); message != null; message = announced.removeAny()) {
            end(message, cause);
        }
    }

    private void end(Outgoing message, ChannelException cause) {
        release(message);
        state.afterwards(() -> message.done.completeExceptionally(cause));
    }
}
