package org.verbena.memory.faults;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.Verdict;
import org.verbena.memory.paging.LeaseBudget;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.protection.Accessor;
import org.verbena.memory.protection.ProtectionEntry;
import org.verbena.memory.protection.ProtectionTable;
import org.verbena.memory.translation.PagedAccess;

/**
 * Keeps the landing pages of a read pinned until its answer has come. Reused by its owner, one thread; holds nothing at
 * first. Resident pages are held without an allocation. Missing pages come by a {@link Fault}, which is handed over.
 */
public final class PageHold {
    private final List<Range> ranges = new ArrayList<>(1);
    private int used;
    private @Nullable Fault fault;

    /** Neighbouring pages that are held. Reused. */
    private static final class Range {
        private @Nullable PagedAccess paged;
        private long first;
        private long end;
    }

    /** Holds nothing. */
    public PageHold() {}

    /**
     * Holds all pages of a range that will be written whole. Memory that is never paged needs no hold.
     *
     * @return GRANTED; NOT_RESIDENT or another reason, and then nothing of this range is held: a fault with {@link
     *     Fault.Intent#LANDING} brings it in
     */
    public Verdict add(ProtectionTable table, Accessor accessor, int key, long address, long length) {
        ProtectionEntry entry = table.entry(key);
        Verdict verdict = table.judge(accessor, entry, key, address, length);
        PagedAccess paged = entry == null ? null : entry.paged();
        if (verdict != Verdict.GRANTED || length == 0 || entry == null || paged == null) {
            return verdict;
        }
        long offset = entry.offsetOf(address);
        long first = PagedAccess.page(offset);
        long end = PagedAccess.page(offset + length - 1) + 1;
        if (!take(paged.stage(), (int) (end - first))) {
            return Verdict.NOT_RESIDENT;
        }
        Verdict pinned = paged.hold(offset, length);
        if (pinned == Verdict.GRANTED) {
            keep(paged, first, end);
        } else {
            give(paged.stage(), (int) (end - first));
        }
        return pinned;
    }

    private static boolean take(Stage stage, int pages) {
        LeaseBudget budget = stage.driver().landing();
        if (!budget.tryTake(pages)) {
            return false;
        }
        Stage below = stage.below();
        if (below != null && !take(below, pages)) {
            budget.give(pages);
            return false;
        }
        return true;
    }

    private static void give(Stage stage, int pages) {
        stage.driver().landing().give(pages);
        Stage below = stage.below();
        if (below != null) {
            give(below, pages);
        }
    }

    private void keep(PagedAccess paged, long first, long end) {
        if (used == ranges.size()) {
            ranges.add(new Range());
        }
        Range range = ranges.get(used++);
        range.paged = paged;
        range.first = first;
        range.end = end;
    }

    /** Holds the pages that a fault has brought in; the fault is released with the rest. */
    public void adopt(Fault landed) {
        assert fault == null : "a hold adopts one fault";
        fault = landed;
    }

    /** Whether anything is held. */
    public boolean isEmpty() {
        return used == 0 && fault == null;
    }

    /** Releases everything. Idempotent. */
    public void release() {
        while (used > 0) {
            Range range = ranges.get(--used);
            PagedAccess paged = range.paged;
            assert paged != null : "a range that holds nothing";
            paged.unpin(range.first, range.end);
            give(paged.stage(), (int) (range.end - range.first));
            range.paged = null;
        }
        Fault adopted = fault;
        if (adopted != null) {
            fault = null;
            adopted.release();
        }
    }
}
