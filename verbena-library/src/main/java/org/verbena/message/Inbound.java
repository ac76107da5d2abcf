package org.verbena.message;

import java.util.ArrayDeque;
import org.verbena.verbs.QueuePair;

/**
 * The receiving half of a channel: receives that are posted, the credits of the peer, messages that have arrived and are not
 * taken. Guarded by the channel's lock.
 */
final class Inbound {
    private final QueuePair queuePair;
    private final MessageOptions options;
    private final LargeReads reads;
    private final Slot[] slots;
    /** Messages in the order of their arrival. */
    private final ArrayDeque<Slot> inbox;

    private final int creditThreshold;
    /** Messages that the peer may still send. */
    private int granted;
    /** Receives posted again that the peer does not know of. */
    private int owed;

    private boolean ended;

    Inbound(QueuePair queuePair, MessageOptions options, PooledBuffer[] buffers) {
        this.queuePair = queuePair;
        this.options = options;
        this.reads = new LargeReads(queuePair, options);
        this.slots = new Slot[buffers.length];
        this.inbox = new ArrayDeque<>(buffers.length);
        this.granted = options.receives();
        this.creditThreshold = Math.max(1, options.receives() / 2);
        for (int i = 0; i < buffers.length; i++) {
            slots[i] = new Slot(i, buffers[i]);
            postReceive(slots[i]);
        }
    }

    private void postReceive(Slot slot) {
        if (!queuePair.post(slot.request)) {
            throw new ChannelException(
                    "the receive queue of " + queuePair + " is full: the channel is not its only user");
        }
    }

    LargeReads reads() {
        return reads;
    }

    Slot slot(long number) {
        return slots[(int) number];
    }

    // --- credits

    boolean owesCredits() {
        return owed >= creditThreshold;
    }

    /** The credits that the next message to the peer carries. */
    int takeGrant() {
        int grant = Math.min(owed, 0xffff);
        owed -= grant;
        granted += grant;
        return grant;
    }

    private void useCredit() {
        if (granted == 0) {
            throw new ChannelException("the peer sent a message without a credit: it was granted " + options.receives()
                    + " messages ahead, and all are here");
        }
        granted--;
    }

    // --- messages

    /** A message that fits its buffer. */
    void onData(Slot slot, long length) {
        useCredit();
        slot.onArrived(length);
        slot.ready = true;
        inbox.add(slot);
    }

    /** A message to be read. */
    void onAnnouncement(Slot slot, Announcement announcement) {
        useCredit();
        reads.onAnnouncement(slot, announcement);
        slot.onArrived(announcement.length());
        inbox.add(slot);
    }

    /** A message of the protocol is worked off. */
    void onControl(Slot slot) {
        postReceive(slot);
    }

    // --- taking

    /** Whether the next message can be taken. */
    boolean hasMessage() {
        Slot first = inbox.peek();
        while (first != null && first.dropped) {
            release(inbox.remove());
            first = inbox.peek();
        }
        return first != null && first.ready;
    }

    /** The length of the next message; {@link #hasMessage} was true. */
    long nextLength() {
        return inbox.element().length;
    }

    /** Takes the next message; {@link #hasMessage} was true. */
    Slot take() {
        return inbox.remove();
    }

    /** The consumer is done with a message. */
    void release(Slot slot) {
        reads.release(slot);
        if (!ended) {
            postReceive(slot);
            owed++;
        }
    }

    /** The queue pair takes no receives any more. */
    void end() {
        ended = true;
        reads.end();
    }
}
