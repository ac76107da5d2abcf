package org.verbena.simulation;

import java.util.ArrayDeque;

/** Gives out ranges of a landing zone, each to one request at a time; given back in the order they were given out. */
final class LandingRing {
    private final long length;
    private final ArrayDeque<Long> taken = new ArrayDeque<>();
    private long head;
    private long used;

    LandingRing(long length) {
        this.length = length;
    }

    /** Where {@code bytes} may land, aligned to 8; −1 when there is no room now. */
    long take(long bytes) {
        long whole = (bytes + 7) & ~7L;
        boolean wraps = head + whole > length;
        long skipped = wraps ? length - head : 0;
        if (used + skipped + whole > length) {
            return -1;
        }
        long start = wraps ? 0 : head;
        head = start + whole;
        used += skipped + whole;
        taken.add(skipped + whole);
        return start;
    }

    /** The oldest range is free again. */
    void release() {
        used -= taken.remove();
    }
}
