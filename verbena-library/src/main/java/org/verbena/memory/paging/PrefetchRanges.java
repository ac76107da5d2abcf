package org.verbena.memory.paging;

import java.util.ArrayDeque;

/** Ranges of pages that somebody will need soon and that are not looked at yet. Inside the monitor of a driver. */
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

    void add(Stage stage, long first, long end) {
        if (first < end && ranges.size() < RANGES_MAX) {
            ranges.add(new Range(stage, first, end));
        }
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** The stage of the page that comes next. */
    Stage stage() {
        return ranges.getFirst().stage;
    }

    /** The page that comes next. */
    long page() {
        return ranges.getFirst().next;
    }

    /** That page has been looked at. */
    void advance() {
        Range range = ranges.getFirst();
        if (++range.next >= range.end) {
            drop();
        }
    }

    /** Forgets the range of the page that comes next. */
    void drop() {
        ranges.removeFirst();
    }

    void clear() {
        ranges.clear();
    }

    void forget(Stage stage) {
        ranges.removeIf(range -> range.stage == stage);
    }
}
