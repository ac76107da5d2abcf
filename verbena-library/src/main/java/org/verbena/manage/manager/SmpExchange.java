package org.verbena.manage.manager;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.verbena.manage.MadPort;
import org.verbena.wire.subnet.Smp;

/** The requests under way: at most as many as the options say, each sent again after a time without an answer. */
final class SmpExchange {
    private static final int SLOT_BITS = 8;
    /** Transaction identifiers have 32 bits: tools of others use the upper half for themselves. */
    private static final long TRANSACTION_MASK = 0xffff_ffffL;

    private final MadPort port;
    private final ManagerOptions options;
    private final SmpSlot[] slots;
    private final int[] free;
    private int freeCount;
    private long sequence = 1;
    private long sent;

    SmpExchange(MadPort port, ManagerOptions options) {
        this.port = port;
        this.options = options;
        this.slots = new SmpSlot[options.outstandingMax()];
        this.free = new int[slots.length];
        for (int index = 0; index < slots.length; index++) {
            slots[index] = new SmpSlot(index);
            free[index] = slots.length - 1 - index;
        }
        freeCount = slots.length;
    }

    /** A slot to fill and to {@link #send}; null: all are under way. */
    @Nullable
    SmpSlot next() {
        return freeCount == 0 ? null : slots[free[freeCount - 1]];
    }

    boolean isIdle() {
        return freeCount == slots.length;
    }

    /** Datagrams sent, repetitions too. */
    long sent() {
        return sent;
    }

    /** Sends the slot that {@link #next} gave. */
    void send(SmpSlot slot, long nowNs) {
        freeCount--;
        slot.busy = true;
        slot.attempts = 0;
        slot.transaction = (sequence++ << SLOT_BITS | slot.index) & TRANSACTION_MASK;
        Smp.TRANSACTION.write(slot.mad, 0, slot.transaction);
        Smp.MANAGEMENT_KEY.write(slot.mad, 0, options.managementKey());
        transmit(slot, nowNs);
    }

    private void transmit(SmpSlot slot, long nowNs) {
        slot.attempts++;
        slot.deadlineNs = nowNs + options.responseTimeoutNs();
        sent++;
        port.send(slot.mad, Smp.PERMISSIVE_LID, Smp.QUEUE_PAIR, Smp.QUEUE_PAIR);
    }

    /** The slot whose answer, or whose lost request, this datagram is; null: none. It is free when the caller has released it. */
    @Nullable
    SmpSlot slotOf(MemorySegment mad) {
        long transaction = Smp.TRANSACTION.read(mad, 0) & TRANSACTION_MASK;
        int index = (int) transaction & (1 << SLOT_BITS) - 1;
        if (index >= slots.length) {
            return null;
        }
        SmpSlot slot = slots[index];
        return slot.busy && slot.transaction == transaction && slot.attribute() == Smp.ATTRIBUTE.read(mad, 0)
                ? slot
                : null;
    }

    void release(SmpSlot slot) {
        slot.busy = false;
        free[freeCount++] = slot.index;
    }

    /** The request or its answer is lost: it is sent again; false: it was sent often enough. */
    boolean retry(SmpSlot slot, long nowNs) {
        if (slot.attempts >= options.attemptsMax()) {
            return false;
        }
        transmit(slot, nowNs);
        return true;
    }

    /** A slot whose time is over; null: none. */
    @Nullable
    SmpSlot overdue(long nowNs) {
        for (SmpSlot slot : slots) {
            if (slot.busy && slot.deadlineNs <= nowNs) {
                return slot;
            }
        }
        return null;
    }

    /** The earliest end of a slot's time; {@link Long#MAX_VALUE}: none is under way. */
    long nextDeadlineNs() {
        long next = Long.MAX_VALUE;
        for (SmpSlot slot : slots) {
            if (slot.busy) {
                next = Math.min(next, slot.deadlineNs);
            }
        }
        return next;
    }
}
