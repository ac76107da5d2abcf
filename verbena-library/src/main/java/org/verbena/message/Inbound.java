package org.verbena.message;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * The receiving half of a channel: receives that are posted, messages that have arrived and are not taken, reads of large
 * ones. Guarded by the channel's lock.
 */
final class Inbound {
    /** Reads have ids from here on, sends those of their buffers. */
    private static final long READ = 1L << 32;

    /** A receive buffer and the message in it. */
    static final class Slot {
        final int number;
        final PooledBuffer buffer;
        final WorkRequest.Receive request;
        boolean ready;
        boolean dropped;
        int flags;
        long tag;
        long length;
        BlockCache.@Nullable Block landing;

        @Nullable
        Announcement announcement;

        Slot(int number, PooledBuffer buffer) {
            this.number = number;
            this.buffer = buffer;
            this.request = new WorkRequest.Receive(number, buffer.local());
        }

        /** The memory that the message is in. */
        MemorySegment memory() {
            BlockCache.Block large = landing;
            return large == null ? buffer.segment() : large.memory;
        }

        /** The offset of its first byte in the memory. */
        long offset() {
            return landing == null ? Frame.LENGTH : 0;
        }

        /** The bytes of the message. */
        MemorySegment data() {
            return memory().asSlice(offset(), length);
        }
    }

    private final QueuePair queuePair;
    private final MessageOptions options;
    private final Slot[] slots;
    /** Messages in the order of their arrival. */
    private final ArrayDeque<Slot> inbox;

    private final ArrayDeque<Slot> toRead = new ArrayDeque<>();
    private final BlockCache landings;
    private final int creditThreshold;
    private int landingsTaken;
    /** Receives posted again that the peer does not know of. */
    private int owed;

    private boolean ended;

    Inbound(QueuePair queuePair, MessageOptions options, PooledBuffer[] buffers) {
        this.queuePair = queuePair;
        this.options = options;
        this.slots = new Slot[buffers.length];
        this.inbox = new ArrayDeque<>(buffers.length);
        this.landings =
                new BlockCache(queuePair.adapter(), queuePair.options().domain(), EnumSet.of(Right.LOCAL_WRITE));
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

    BlockCache landings() {
        return landings;
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
        return grant;
    }

    // --- messages

    /** A message that fits its buffer. */
    void onData(Slot slot, long length) {
        arrived(slot, length);
        slot.ready = true;
        inbox.add(slot);
    }

    private static void arrived(Slot slot, long length) {
        MemorySegment frame = slot.buffer.segment();
        slot.flags = Frame.flags(frame);
        slot.tag = Frame.tag(frame);
        slot.length = length;
        slot.ready = false;
        slot.dropped = false;
    }

    /** A message to be read. */
    void onAnnouncement(Slot slot, Announcement announcement) {
        if (announcement.length() < 0 || announcement.length() > options.messageMax()) {
            throw new ChannelException("the peer announced a message of " + announcement.length()
                    + " bytes; this end takes at most " + options.messageMax());
        }
        arrived(slot, announcement.length());
        slot.announcement = announcement;
        inbox.add(slot);
        toRead.add(slot);
    }

    /** The peer withdraws an announced message: whether it was dropped. A read that has begun goes on. */
    boolean onWithdraw(long number) {
        for (Slot slot : toRead) {
            Announcement announcement = slot.announcement;
            if (announcement != null && announcement.number() == number) {
                toRead.remove(slot);
                slot.dropped = true;
                slot.ready = true;
                slot.announcement = null;
                return true;
            }
        }
        return false;
    }

    /** A message of the protocol is worked off. */
    void onControl(Slot slot) {
        postReceive(slot);
    }

    /** Begins the reads that there is room for. */
    void read() {
        for (Slot slot = toRead.peek(); slot != null && landingsTaken < options.largeMessages(); slot = toRead.peek()) {
            toRead.remove();
            Announcement from = slot.announcement;
            if (from == null) {
                continue;
            }
            BlockCache.Block landing = landings.take(Math.max(1, from.length()));
            slot.landing = landing;
            landingsTaken++;
            WorkRequest.Read request = new WorkRequest.Read(
                    READ + slot.number,
                    List.of(LocalSegment.of(landing.region, 0, from.length())),
                    new RemoteMemory(from.address(), from.key()),
                    SendOptions.SIGNALLED);
            if (!queuePair.post(request)) {
                throw new ChannelException(
                        "the send queue of " + queuePair + " is full: the channel is not its only user");
            }
        }
    }

    /** A read is done; the number of the announced message. */
    int onRead(long id) {
        Slot slot = slots[(int) (id - READ)];
        Announcement announcement = slot.announcement;
        if (announcement == null) {
            throw new IllegalStateException("read " + id + " completes twice");
        }
        slot.ready = true;
        slot.announcement = null;
        return announcement.number();
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
        BlockCache.Block landing = slot.landing;
        if (landing != null) {
            slot.landing = null;
            landingsTaken--;
            landings.give(landing);
        }
        if (!ended) {
            postReceive(slot);
            owed++;
        }
    }

    /** The queue pair takes no receives any more. */
    void end() {
        ended = true;
        toRead.clear();
    }
}
