package org.verbena.memory.store;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The slots that are reserved. A free range is searched from the place of the last reservation on (next fit), so that slots reserved
 * one after the other are neighbours. Slots beyond the end are given only if no free range fits, which keeps the file small. Any
 * thread.
 */
final class SlotRanges {
    /** Number of slots that a store can have: 8 TiB of pages. */
    static final long SLOTS_MAX = 1L << 31;

    /** Length of each free range below the end, by its first slot. Neighbouring free ranges are merged. */
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
            throw new IllegalStateException("no " + slots + " neighbouring slots left: the first " + end + " of "
                    + SLOTS_MAX + " are in use, but for " + freeSlots() + " free ones");
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

    /** Throws {@link IllegalArgumentException} if one of the slots is not reserved. */
    synchronized void check(long first, long slots) {
        Map.@Nullable Entry<Long, Long> before = free.lowerEntry(first + Math.max(1, slots));
        boolean overlaps = before != null && before.getKey() + before.getValue() > first;
        if (first < 0 || slots < 1 || slots > end - first || overlaps) {
            throw new IllegalArgumentException(slots + " slots from " + first + " are not reserved; those below " + end
                    + " are, but for " + freeSlots() + " free ones");
        }
    }

    /** One more than the highest reserved slot. Needs no lock. */
    long end() {
        return end;
    }
}
