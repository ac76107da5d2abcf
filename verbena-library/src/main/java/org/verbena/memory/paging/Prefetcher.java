package org.verbena.memory.paging;

/** Brings pages in ahead of need, as long as frames are spare. Used inside the monitor of its pager. */
final class Prefetcher {
    /** Spare frames below which a range is dropped. */
    private static final int SPARE_MIN = TurnLimits.AHEAD / 8;

    private final Loader loader;
    private final Reclaimer reclaimer;
    private final PrefetchRanges ranges = new PrefetchRanges();
    private boolean shut;

    Prefetcher(Loader loader, Reclaimer reclaimer) {
        this.loader = loader;
        this.reclaimer = reclaimer;
    }

    /** Remembers a range; the part beyond the end of the stage is left out. */
    void add(Stage stage, long firstPage, long pages) {
        if (!shut) {
            ranges.add(
                    stage, firstPage, Math.min(firstPage + pages, stage.table().pages()));
        }
    }

    /** Whether a range is left for a later turn. */
    boolean hasMore() {
        return !ranges.isEmpty();
    }

    /** Forgets all ranges; adds none any more. */
    void shut() {
        shut = true;
        ranges.clear();
    }

    /** Begins page-ins for some pages of the ranges. Drops a range when frames are short or its stage is closed. */
    void work() {
        for (int left = TurnLimits.AHEAD; left > 0 && !ranges.isEmpty(); left--) {
            Stage stage = ranges.stage();
            boolean useless = stage.isClosed() || reclaimer.spare() < SPARE_MIN;
            if (!useless && loader.prefetch(stage, ranges.page())) {
                ranges.advance();
            } else {
                ranges.drop();
            }
        }
    }
}
