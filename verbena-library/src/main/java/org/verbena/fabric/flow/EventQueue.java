package org.verbena.fabric.flow;

import org.jspecify.annotations.Nullable;

/**
 * Events in the order of their times; events of one time in the order in which they were added. Nothing is allocated but for growth.
 *
 * <p>Events of the next two microseconds, which are nearly all, are in a wheel: a ring of slots of an eighth of a nanosecond, each a list in order. Later ones are
 * in a heap, and stay there. An event of the heap was added before all events of the wheel that have its time, because the wheel only moves forward.
 */
final class EventQueue {
    /** A slot is 2^7 ps. */
    private static final int SLOT_SHIFT = 7;

    private static final int SLOTS = 16_384;
    private static final int SLOT_MASK = SLOTS - 1;
    private static final int WORD_SHIFT = 6;
    private static final int WORD_MASK = (SLOTS >> WORD_SHIFT) - 1;

    private final @Nullable Event[] firsts = new @Nullable Event[SLOTS];
    private final @Nullable Event[] lasts = new @Nullable Event[SLOTS];
    /** A bit for each slot that has events. */
    private final long[] filled = new long[SLOTS >> WORD_SHIFT];
    /** Slots with events. */
    private int filledSlots;
    /** The slot of the event that happened last, counted from time 0: the wheel has this one and the {@link #SLOTS} − 1 after it. */
    private long base;

    private final EventHeap later = new EventHeap();

    /** Adds an event that is not in the queue. */
    void add(Event event, long timePs) {
        assert !event.isDue() : "in the queue already: " + event;
        long ahead = (timePs >> SLOT_SHIFT) - base;
        if (ahead < 0 || ahead >= SLOTS) {
            later.add(event, timePs);
            return;
        }
        event.place = Event.WHEEL;
        event.duePs = timePs;
        int slot = (int) (timePs >> SLOT_SHIFT) & SLOT_MASK;
        Event last = lasts[slot];
        if (last == null) {
            firsts[slot] = event;
            lasts[slot] = event;
            filled[slot >>> WORD_SHIFT] |= 1L << slot;
            filledSlots++;
        } else if (last.duePs <= timePs) {
            last.following = event;
            lasts[slot] = event;
        } else {
            insert(slot, event, timePs);
        }
    }

    /** Puts an event into a list whose last one is later. */
    private void insert(int slot, Event event, long timePs) {
        Event before = null;
        Event after = firsts[slot];
        while (after != null && after.duePs <= timePs) {
            before = after;
            after = after.following;
        }
        event.following = after;
        if (before == null) {
            firsts[slot] = event;
        } else {
            before.following = event;
        }
    }

    /** Removes an event; does nothing if it is not in the queue. */
    @SuppressWarnings("ReferenceEquality") // identity, not equality
    void remove(Event event) {
        if (event.place != Event.WHEEL) {
            later.remove(event);
            return;
        }
        int slot = (int) (event.duePs >> SLOT_SHIFT) & SLOT_MASK;
        Event before = null;
        for (Event other = firsts[slot]; other != null && other != event; other = other.following) {
            before = other;
        }
        unlink(slot, before, event);
    }

    private void unlink(int slot, @Nullable Event before, Event event) {
        Event after = event.following;
        if (before == null) {
            firsts[slot] = after;
        } else {
            before.following = after;
        }
        if (after == null) {
            lasts[slot] = before;
            if (before == null) {
                filled[slot >>> WORD_SHIFT] &= ~(1L << slot);
                filledSlots--;
            }
        }
        event.following = null;
        event.place = Event.NOWHERE;
    }

    /** The time of the first event; {@link Long#MAX_VALUE} if there is none. */
    long firstPs() {
        Event first = firstOfWheel();
        return first == null ? later.firstPs() : Math.min(first.duePs, later.firstPs());
    }

    /** Takes the first event if its time is not after this; null if there is none. Its {@link Event#duePs} is right. */
    @Nullable
    Event poll(long untilPs) {
        Event first = firstOfWheel();
        long laterPs = later.firstPs();
        if (first == null || laterPs <= first.duePs) {
            if (laterPs > untilPs || later.isEmpty()) {
                return null;
            }
            first = later.poll();
            first.duePs = laterPs;
            moveTo(laterPs);
            return first;
        }
        long timePs = first.duePs;
        if (timePs > untilPs) {
            return null;
        }
        moveTo(timePs);
        unlink((int) base & SLOT_MASK, null, first);
        return first;
    }

    private void moveTo(long timePs) {
        base = Math.max(base, timePs >> SLOT_SHIFT);
    }

    private @Nullable Event firstOfWheel() {
        if (filledSlots == 0) {
            return null;
        }
        int from = (int) base & SLOT_MASK;
        int word = from >>> WORD_SHIFT;
        long bits = filled[word] & -1L << from;
        while (bits == 0) {
            // The words behind it, and round to its lower slots.
            word = word + 1 & WORD_MASK;
            bits = filled[word];
        }
        return firsts[(word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits)];
    }
}
