package org.verbena.fabric.flow;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The events of an {@link EventQueue} that are far off, in its order. A heap with four children a node. */
final class EventHeap {
    private static final int ARITY_SHIFT = 2;

    // Times and orders beside the events: a comparison touches no object.
    private long[] times = new long[256];
    private long[] orders = new long[256];
    private @Nullable Event[] events = new @Nullable Event[256];
    private int size;
    private long added;

    /** Adds an event that is not in the queue. */
    void add(Event event, long timePs) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            orders = Arrays.copyOf(orders, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        up(size++, event, timePs, added++);
    }

    /** Removes an event; does nothing if it is not in the queue. */
    void remove(Event event) {
        int place = event.place;
        if (place < 0) {
            return;
        }
        event.place = Event.NOWHERE;
        Event last = events[--size];
        events[size] = null;
        if (place < size && last != null) {
            long time = times[size];
            long order = orders[size];
            if (place > 0 && isBefore(time, order, (place - 1) >> ARITY_SHIFT)) {
                up(place, last, time, order);
            } else {
                down(place, last, time, order);
            }
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The time of the first event; {@link Long#MAX_VALUE} if there is none. */
    long firstPs() {
        return size == 0 ? Long.MAX_VALUE : times[0];
    }

    /** Takes the first event; there must be one. */
    Event poll() {
        Event first = events[0];
        if (first == null) {
            throw new IllegalStateException("no event");
        }
        first.place = Event.NOWHERE;
        Event last = events[--size];
        events[size] = null;
        if (size > 0 && last != null) {
            down(0, last, times[size], orders[size]);
        }
        return first;
    }

    private boolean isBefore(long time, long order, int place) {
        return time < times[place] || (time == times[place] && order < orders[place]);
    }

    private void up(int from, Event event, long time, long order) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >> ARITY_SHIFT;
            if (!isBefore(time, order, parent)) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        put(place, event, time, order);
    }

    private void down(int from, Event event, long time, long order) {
        int place = from;
        while (true) {
            int child = (place << ARITY_SHIFT) + 1;
            if (child >= size) {
                break;
            }
            int least = child;
            int end = Math.min(child + (1 << ARITY_SHIFT), size);
            for (int other = child + 1; other < end; other++) {
                if (isBefore(times[other], orders[other], least)) {
                    least = other;
                }
            }
            if (!isBefore(times[least], orders[least], time, order)) {
                break;
            }
            move(least, place);
            place = least;
        }
        put(place, event, time, order);
    }

    private static boolean isBefore(long time, long order, long otherTime, long otherOrder) {
        return time < otherTime || (time == otherTime && order < otherOrder);
    }

    private void move(int from, int to) {
        Event event = events[from];
        times[to] = times[from];
        orders[to] = orders[from];
        events[to] = event;
        if (event != null) {
            event.place = to;
        }
    }

    private void put(int place, Event event, long time, long order) {
        times[place] = time;
        orders[place] = order;
        events[place] = event;
        event.place = place;
    }
}
