package org.verbena.message;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import org.verbena.Right;
import org.verbena.verbs.LocalSegment;
import org.verbena.verbs.QueuePair;
import org.verbena.verbs.RemoteMemory;
import org.verbena.verbs.SendOptions;
import org.verbena.verbs.WorkRequest;

/**
 * Messages that the peer has announced: those to be read, and the memory that they are read into. At most {@code largeMessages}
 * of the options have memory at once. Guarded by the channel's lock.
 */
final class LargeReads {
    /** Reads have ids from here on, sends those of their buffers. */
    private static final long READ = 1L << 32;

    private final QueuePair queuePair;
    private final MessageOptions options;
    private final ArrayDeque<Slot> waiting = new ArrayDeque<>();
    private final BlockCache landings;
    /** Numbers of announced messages that have no answer yet. */
    private final BitSet announced = new BitSet();

    private int landingsTaken;

    LargeReads(QueuePair queuePair, MessageOptions options) {
        this.queuePair = queuePair;
        this.options = options;
        this.landings =
                new BlockCache(queuePair.adapter(), queuePair.options().domain(), EnumSet.of(Right.LOCAL_WRITE));
    }

    BlockCache landings() {
        return landings;
    }

    /** The peer announces a message. */
    void onAnnouncement(Slot slot, Announcement announcement) {
        judge(announcement);
        announced.set(announcement.number());
        slot.announcement = announcement;
        waiting.add(slot);
    }

    private void judge(Announcement announcement) {
        int number = announcement.number();
        if (announcement.length() < 0 || announcement.length() > options.messageMax()) {
            throw new ChannelException("the peer announced a message of " + announcement.length()
                    + " bytes; this end takes at most " + options.messageMax());
        }
        if (number < 0 || number >= options.largeMessages()) {
            throw new ChannelException("the peer announced a message under number " + number + "; this end takes "
                    + options.largeMessages() + " at once, numbered from 0 on");
        }
        if (announced.get(number)) {
            throw new ChannelException(
                    "the peer announced a message under number " + number + ", which another one has still");
        }
    }

    /** The peer withdraws an announced message: whether it was dropped. A read that has begun goes on. */
    boolean onWithdraw(long number) {
        for (Slot slot : waiting) {
            Announcement announcement = slot.announcement;
            if (announcement != null && announcement.number() == number) {
                waiting.remove(slot);
                slot.dropped = true;
                slot.ready = true;
                slot.announcement = null;
                announced.clear(announcement.number());
                return true;
            }
        }
        return false;
    }

    /** Begins the reads that there is memory for. */
    void begin() {
        while (!waiting.isEmpty() && landingsTaken < options.largeMessages()) {
            Slot slot = waiting.remove();
            Announcement from = slot.announcement;
            if (from != null) {
                read(slot, from);
            }
        }
    }

    private void read(Slot slot, Announcement from) {
        BlockCache.Block landing = landings.take(Math.max(1, from.length()));
        slot.landing = landing;
        landingsTaken++;
        WorkRequest.Read request = new WorkRequest.Read(
                READ + slot.number,
                List.of(LocalSegment.of(landing.region, 0, from.length())),
                new RemoteMemory(from.address(), from.key()),
                SendOptions.SIGNALLED);
        if (!queuePair.post(request)) {
            throw new ChannelException("the send queue of " + queuePair + " is full: the channel is not its only user");
        }
    }

    /** The number of the slot whose read has this id. */
    static int slotOf(long id) {
        return (int) (id - READ);
    }

    /** A read is done; the number of the announced message. */
    int onRead(Slot slot) {
        Announcement announcement = slot.announcement;
        if (announcement == null) {
            throw new IllegalStateException("the read of slot " + slot.number + " completes twice");
        }
        slot.ready = true;
        slot.announcement = null;
        announced.clear(announcement.number());
        return announcement.number();
    }

    /** The consumer is done with a message. */
    void release(Slot slot) {
        BlockCache.Block landing = slot.landing;
        if (landing != null) {
            slot.landing = null;
            landingsTaken--;
            landings.give(landing);
        }
    }

    /** Nothing is read any more. */
    void end() {
        waiting.clear();
    }
}
