package org.verbena.adapter.pair;

import org.verbena.EventKind;
import org.verbena.adapter.Events;
import org.verbena.adapter.Limits;
import org.verbena.memory.faults.Fault;
import org.verbena.memory.protection.Accessor;
import org.verbena.queue.ReceiveSlot;
import org.verbena.queue.Ring;

/** The ring that a transport takes receives from: a queue pair's own, or one that several queue pairs share. */
public final class ReceiveSource {
    private final Ring ring;
    private final boolean shared;
    private final Events events;
    private volatile int limit;
    /** Receives taken so far; the ring's own word for it may have been overwritten. Used by the engine's thread only. */
    private long taken;

    private final OperationCount operations;
    private final ReceiveLine line = new ReceiveLine(this);

    /** Takes from a ring; {@code operations} counts the receives that are posted to it. */
    public ReceiveSource(Ring ring, boolean shared, Events events, OperationCount operations) {
        this.ring = ring;
        this.shared = shared;
        this.events = events;
        this.operations = operations;
    }

    public boolean shared() {
        return shared;
    }

    public Ring ring() {
        return ring;
    }

    /** The queue pairs that wait for a receive, if the ring is shared. */
    public ReceiveLine line() {
        return line;
    }

    public OperationCount operations() {
        return operations;
    }

    /** Receives posted and not taken. The engine's thread; other threads ask the ring. */
    public int available() {
        return ring.published(taken);
    }

    /** Asks for one event when fewer than {@code receives} are left; 0 asks for none. Any thread. */
    public void limit(int receives) {
        limit = receives;
    }

    /** An empty hand for receives of this source. */
    public ReceiveWork emptyHand() {
        return new ReceiveWork(ReceiveSlot.room(ring.slotLength()));
    }

    /** Takes everything posted in hand, one after the other, and forgets it. */
    public void discard(ReceiveWork hand) {
        hand.drop(operations);
        for (int left = available(); left > 0 && take(hand); left--) {
            hand.drop(operations);
        }
    }

    /** Adds to a fault the pages that the next messages need if they have this length: those of receives that are not taken yet. */
    public void foresee(Fault fault, Accessor who, long length) {
        int count = Math.min(available(), Limits.RECEIVES_AHEAD);
        SegmentList segments = SegmentList.within(ReceiveSlot.room(ring.slotLength()));
        for (int i = 0; i < count; i++) {
            long slot = ring.slot(taken + i);
            segments.load(ring.memory(), slot + ReceiveSlot.HEADER_LENGTH, ReceiveSlot.segments(ring.memory(), slot));
            segments.foresee(fault, who, length);
        }
    }

    /** Takes the oldest receive; false when there is none. */
    public boolean take(ReceiveWork work) {
        if (available() == 0) {
            return false;
        }
        long slot = ring.slot(taken);
        work.hold(
                ReceiveSlot.id(ring.memory(), slot),
                ring.memory(),
                slot + ReceiveSlot.HEADER_LENGTH,
                ReceiveSlot.segments(ring.memory(), slot),
                ReceiveSlot.counted(ring.memory(), slot));
        ring.release(++taken);
        if (limit != 0 && available() < limit) {
            limit = 0;
            events.onEvent(EventKind.SHARED_RECEIVE_LIMIT_REACHED, this);
        }
        return true;
    }
}
