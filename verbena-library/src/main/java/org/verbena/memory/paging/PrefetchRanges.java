package org.verbena.memory.paging;

import java.util.ArrayDeque;

/** Ranges of pages that will be needed soon and have not been looked at yet. Used inside the monitor of a driver. */
final class PrefetchRanges {
    /** Ranges that are remembered; a further one is dropped. */
    private static final int RANGES_MAX = 1024;

    private final ArrayDeque<Range> ranges = new ArrayDeque<>();

    private static final class Range {
        private final Stage stage;
        private final long end;
        private long next;

        Range(Stage stage, long first, long end) {
            this.stage = stage;
            this.next = first;
            this.end = end;
        }
    }

    /** Adds the pages from the first to the one before the end. */
    void add(Stage stage, long first, long end) {
        if (first < end && ranges.size() < RANGES_MAX) {
            ranges.add(new Range(stage, first, end));
        }
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Stage of the next page. */
    Stage stage() {
        return ranges.getFirst().stage;
    }

    /** The next page. */
    long page() {
        return ranges.getFirst().next;
    }

    /** Goes to the page after the next page. */
    void advance() {
        Range range = ranges.getFirst();
        if (++range.next >= range.end) {
            drop();
        }
    }

    /** Removes the range of the next page. */
    void drop() {
        ranges.removeFirst();
    }

    /** Removes all ranges. */
    void clear() {
        ranges.clear();
    }

    /** Removes the ranges of one stage. */
    void remove(Stage stage) {
        ranges.removeIf(range -> range.stage == stage);
    }
}
