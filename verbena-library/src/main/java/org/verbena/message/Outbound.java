package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.verbs.Payload;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * The sending half of a channel: a ring of send buffers, the credits that the peer has granted, messages that wait for one of
 * them, large messages that the peer has not read. Guarded by the channel's lock.
 */
final class Outbound {
    /** A message of the protocol that needs no credit. */
    private record Control(int kind, int flags, long tag) {}

    private final QueuePair queuePair;
    private final MessageOptions options;
    private final PooledBuffer[] buffers;
    /** The last request of each buffer: a message of the same length uses it again. */
    private final WorkRequest.@Nullable Send[] prepared;

    private final @Nullable Outgoing[] posting;
    private final @Nullable Outgoing[] announced;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private final ArrayDeque<Control> controls = new ArrayDeque<>();
    private final BlockCache blocks;
    private final Inbound inbound;
    private final Consumer<Runnable> afterwards;
    private @Nullable Hello peer;
    private int announcedCount;
    private int announcedMax;
    private int credits;
    private long posted;
    private long completed;
    /** Whether the peer was told that nothing follows. */
    private boolean farewell;

    Outbound(
            QueuePair queuePair,
            MessageOptions options,
            PooledBuffer[] buffers,
            Inbound inbound,
            Consumer<Runnable> afterwards) {
        this.queuePair = queuePair;
        this.options = options;
        this.buffers = buffers;
        this.inbound = inbound;
        this.afterwards = afterwards;
        this.prepared = new WorkRequest.@Nullable Send[buffers.length];
        this.posting = new @Nullable Outgoing[buffers.length];
        this.announced = new @Nullable Outgoing[options.largeMessages()];
        this.blocks = new BlockCache(queuePair.adapter(), queuePair.options().domain(), LargeSource.RIGHTS);
    }

    // --- state

    boolean isReady() {
        return peer != null;
    }

    /** Whether a message of one buffer can be posted now, and none waits before it. */
    boolean canPost() {
        return queue.isEmpty() && hasRoom();
    }

    private boolean hasRoom() {
        return peer != null && credits > 0 && hasBuffer();
    }

    private boolean hasBuffer() {
        return posted - completed < buffers.length;
    }

    /** Whether all that was sent has arrived and nothing waits. */
    boolean isDrained() {
        return queue.isEmpty() && controls.isEmpty() && announcedCount == 0 && posted == completed;
    }

    /** Whether everything but the acknowledgements of the last sends is over. */
    boolean isQuiet() {
        return queue.isEmpty() && controls.isEmpty() && announcedCount == 0;
    }

    /** Whether a message must be read by the peer: it is larger than a buffer of one of the ends. */
    boolean isLarge(long length) {
        return length > options.bufferSize() || (peer != null && length > peer.bufferSize());
    }

    /** Whether a message is larger than a buffer of this end. Any thread, without the lock. */
    boolean isLargeHere(long length) {
        return length > options.bufferSize();
    }

    /** Judges the length of a message; the peer's limit counts as soon as it is known. */
    void judge(long length) {
        long most = peer == null ? Integer.MAX_VALUE : peer.messageMax();
        if (length > most) {
            throw new IllegalArgumentException(
                    "the peer takes messages of at most " + most + " bytes; found " + length);
        }
    }

    BlockCache blocks() {
        return blocks;
    }

    // --- events

    void sayHello() {
        int slot = nextBuffer();
        MemorySegment buffer = buffers[slot].segment();
        Frame.write(buffer, Frame.HELLO, 0, 0, 0);
        Hello.of(options).write(buffer, Frame.LENGTH);
        post(slot, Frame.LENGTH + Hello.LENGTH, true);
    }

    void onHello(Hello hello) {
        if (peer != null) {
            throw new ChannelException("the peer said hello twice");
        }
        hello.judge();
        peer = hello;
        announcedMax = Math.min(options.largeMessages(), hello.largeMessages());
        credits = hello.receives();
    }

    void onCredits(int granted) {
        Hello known = peer;
        if (granted > 0 && (known == null || (credits += granted) > known.receives())) {
            throw new ChannelException("the peer granted more credits than it has receives");
        }
    }

    /** The send of a buffer is done, and with it all before. */
    void onSent(int slot) {
        boolean last;
        do {
            int done = (int) (completed % buffers.length);
            Outgoing message = posting[done];
            posting[done] = null;
            if (message != null) {
                afterwards.accept(() -> message.done.complete(true));
            }
            completed++;
            last = done == slot;
        } while (!last);
    }

    /** The peer has read or dropped an announced message. */
    void onDone(long number, boolean dropped) {
        Outgoing message = number < 0 || number >= announced.length ? null : announced[(int) number];
        if (message == null) {
            throw new ChannelException("the peer answered message " + number + ", which is not announced");
        }
        announced[(int) number] = null;
        announcedCount--;
        release(message);
        afterwards.accept(() -> message.done.complete(!dropped));
    }

    /** Frees the memory of a message that was not taken. */
    void discard(Outgoing message) {
        release(message);
    }

    private static void release(Outgoing message) {
        LargeSource source = message.source;
        if (source != null) {
            message.source = null;
            source.release();
        }
    }

    // --- sending

    /** Copies a message of one buffer into the next one; {@link #canPost} was true. An exception changes nothing. */
    void fill(MemorySegment data) {
        MemorySegment.copy(data, 0, buffers[nextBuffer()].segment(), Frame.LENGTH, data.byteSize());
    }

    /** Posts the message that was copied last. */
    void postData(int flags, long tag, long length, @Nullable Outgoing waiting) {
        int slot = nextBuffer();
        credits--;
        Frame.write(buffers[slot].segment(), Frame.DATA, flags, inbound.takeGrant(), tag);
        posting[slot] = waiting;
        post(slot, Frame.LENGTH + length, waiting != null);
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
            afterwards.accept(() -> message.done.complete(false));
        } else if (message.isAnnounced() && announced[message.number] == message) {
            enqueueControl(Frame.WITHDRAW, 0, message.number);
        }
    }

    /** Posts as much of what waits as there are buffers and credits for. */
    void pump() {
        if (peer == null || farewell) {
            return;
        }
        while (!controls.isEmpty() && hasBuffer()) {
            Control control = controls.remove();
            postControl(control.kind, control.flags, control.tag);
        }
        for (Outgoing next = queue.peek(); next != null && hasRoom(); next = queue.peek()) {
            if (!postQueued(next)) {
                break;
            }
        }
        if (inbound.owesCredits() && hasBuffer()) {
            postControl(Frame.CREDIT, 0, 0);
        }
    }

    /** Posts the first message of the queue; false if it is large and too many are under way. */
    private boolean postQueued(Outgoing message) {
        long length = message.data.byteSize();
        try {
            judge(length);
            if (message.source == null && isLarge(length)) {
                message.source = LargeSource.of(queuePair, message.data, blocks);
            }
            if (message.source == null) {
                fill(message.data);
            }
        } catch (RuntimeException refused) {
            queue.remove();
            release(message);
            afterwards.accept(() -> message.done.completeExceptionally(refused));
            return true;
        }
        if (message.source == null) {
            queue.remove();
            postData(message.flags, message.tag, length, message);
        } else if (announcedCount < announcedMax) {
            queue.remove();
            announce(message, message.source);
        } else {
            return false;
        }
        if (message.onPosted != null) {
            afterwards.accept(message.onPosted);
        }
        return true;
    }

    private void announce(Outgoing message, LargeSource source) {
        int number = 0;
        while (announced[number] != null) {
            number++;
        }
        announced[number] = message;
        announcedCount++;
        message.number = number;
        int slot = nextBuffer();
        MemorySegment buffer = buffers[slot].segment();
        credits--;
        Frame.write(buffer, Frame.ANNOUNCE, message.flags, inbound.takeGrant(), message.tag);
        new Announcement(source.address(), message.data.byteSize(), source.key(), number).write(buffer, Frame.LENGTH);
        post(slot, Frame.LENGTH + Announcement.LENGTH, false);
    }

    /** Posts a message without a body; there is a buffer. */
    void postControl(int kind, int flags, long tag) {
        int slot = nextBuffer();
        Frame.write(buffers[slot].segment(), kind, flags, inbound.takeGrant(), tag);
        post(slot, Frame.LENGTH, kind == Frame.BYE);
    }

    /** Tells the peer that nothing follows; false if there is no buffer. Once only. */
    boolean postFarewell() {
        if (!hasBuffer()) {
            return false;
        }
        postControl(Frame.BYE, 0, 0);
        farewell = true;
        return true;
    }

    private int nextBuffer() {
        return (int) (posted % buffers.length);
    }

    /** Every fourth part of the ring ends with a signalled request, whose completion frees all before it. */
    private void post(int slot, long length, boolean wanted) {
        int quarter = buffers.length / 4;
        boolean signalled = wanted || slot % quarter == quarter - 1;
        WorkRequest.Send request = prepared[slot];
        if (request == null
                || request.options().signalled() != signalled
                || ((Payload.Gathered) request.data()).segments().getFirst().length() != length) {
            request = new WorkRequest.Send(
                    slot,
                    Payload.of(buffers[slot].local(length)),
                    signalled ? SendOptions.SIGNALLED : SendOptions.UNSIGNALLED);
            prepared[slot] = request;
        }
        posted++;
        if (!queuePair.post(request)) {
            throw new ChannelException("the send queue of " + queuePair + " is full: the channel is not its only user");
        }
    }

    // --- end

    /** Ends everything that waits. */
    void fail(ChannelException cause) {
        queue.forEach(message -> end(message, cause));
        queue.clear();
        controls.clear();
        for (int i = 0; i < posting.length; i++) {
            end(posting[i], cause);
            posting[i] = null;
        }
        for (int i = 0; i < announced.length; i++) {
            end(announced[i], cause);
            announced[i] = null;
        }
        announcedCount = 0;
    }

    private void end(@Nullable Outgoing message, ChannelException cause) {
        if (message != null) {
            release(message);
            afterwards.accept(() -> message.done.completeExceptionally(cause));
        }
    }
}
