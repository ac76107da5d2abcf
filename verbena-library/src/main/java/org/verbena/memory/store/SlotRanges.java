package org.verbena.memory.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which slots are reserved. Free ranges are looked through from where the last was found (next fit), so that what was
 * reserved in turn lies in turn; numbers beyond all of them are given out only when none fits, which keeps the store small.
 */
final class SlotRanges {
    /** Slots of a store: 8 TiB of pages. */
    static final long SLOTS_MAX = 1L << 31;

    /** Length of each free range below the end, by its first slot. Neighbours are one range. */
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private long next;
    private volatile long end;

    synchronized long reserve(long slots) {
        if (slots < 1) {
            throw new IllegalArgumentException("cannot reserve " + slots + " slots");
        }
        Map.@Nullable Entry<Long, Long> range = find(next, Long.MAX_VALUE, slots);
        if (range == null) {
            range = find(0, next, slots);
        }
        long first = range == null ? extend(slots) : take(range, slots);
        next = first + slots;
        return first;
    }

    private Map.@Nullable Entry<Long, Long> find(long from, long to, long slots) {
        for (Map.Entry<Long, Long> range : free.subMap(from, to).entrySet()) {
            if (range.getValue() >= slots) {
                return Map.entry(range.getKey(), range.getValue());
            }
        }
        return null;
    }

    private long take(Map.Entry<Long, Long> range, long slots) {
        long first = range.getKey();
        free.remove(first);
        if (range.getValue() > slots) {
            free.put(first + slots, range.getValue() - slots);
        }
        return first;
    }

    private long extend(long slots) {
        if (slots > SLOTS_MAX - end) {
            throw new IllegalStateException("no " + slots + " neighbouring slots left: " + end + " of " + SLOTS_MAX
                    + " have been given out, " + freeSlots() + " came back");
        }
        long first = end;
        end = first + slots;
        return first;
    }

    private long freeSlots() {
        return free.values().stream().mapToLong(Long::longValue).sum();
    }

    synchronized void release(long first, long slots) {
        check(first, slots);
        long from = first;
        long to = first + slots;
        Map.@Nullable Entry<Long, Long> before = free.lowerEntry(first);
        if (before != null && before.getKey() + before.getValue() == from) {
            free.remove(before.getKey());
            from = before.getKey();
        }
        Long after = free.remove(to);
        if (after != null) {
            to += after;
        }
        if (to == end) {
            end = from;
        } else {
            free.put(from, to - from);
        }
    }

    /** Refuses slots that nobody has reserved. */
    synchronized void check(long first, long slots) {
        Map.@Nullable Entry<Long, Long> before = free.lowerEntry(first + Math.max(1, slots));
        boolean overlaps = before != null && before.getKey() + before.getValue() > first;
        if (first < 0 || slots < 1 || slots > end - first || overlaps) {
            throw new IllegalArgumentException(slots + " slots from " + first + " are not reserved; those below " + end
                    + " are, but for " + freeSlots() + " free ones");
        }
    }

    /** Above all that are reserved. Tells without waiting that a slot cannot be one of ours. */
    long end() {
        return end;
    }
}
