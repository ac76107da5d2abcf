package org.verbena.memory.paging;

import java.util.BitSet;

/**
 * Finds pages that are in machine memory. Pages come and go meanwhile, so what it finds may be out of date when it returns. Any
 * thread.
 */
public final class MachinePages {
    private MachinePages() {}

    /** Those of some pages of a stage that are in machine memory, or on their way into it. */
    public static BitSet among(Stage stage, BitSet pages) {
        BitSet found = new BitSet();
        for (int page = first(stage, pages, 0); page >= 0; page = first(stage, pages, page + 1)) {
            if (isThere(stage, page)) {
                found.set(page);
            }
        }
        return found;
    }

    /** A page on its way into a frame counts: it is there soon. */
    private static boolean isThere(Stage stage, long page) {
        long word = stage.table().word(page);
        Stage below = stage.below();
        return PageWord.state(word) == PageWord.State.LOADING
                || (PageWord.isResident(word) && (below == null || isThere(below, PageWord.frame(word))));
    }

    /** The frames of some pages of a stage: frames of machine memory, or pages of the stage below. */
    public static BitSet frames(Stage stage, BitSet pages) {
        BitSet frames = new BitSet();
        for (int page = first(stage, pages, 0); page >= 0; page = first(stage, pages, page + 1)) {
            long word = stage.table().word(page);
            if (PageWord.isResident(word)) {
                frames.set(PageWord.frame(word));
            }
        }
        return frames;
    }

    /** The first of some pages, from a page on, that was ever touched as far as its leaf tells; negative if there is none. */
    private static int first(Stage stage, BitSet pages, int from) {
        int page = pages.nextSetBit(from);
        while (page >= 0 && !stage.table().isLeafTouched(page)) {
            page = pages.nextSetBit((page | (PageTable.FAN_OUT - 1)) + 1);
        }
        return page;
    }
}
