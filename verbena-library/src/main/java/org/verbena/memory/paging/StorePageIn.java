package org.verbena.memory.paging;

import org.jspecify.annotations.Nullable;
import org.verbena.trace.PageFaultEvent;

/** A page-in of a {@link Pager}: from the page store, or a page of zeros. */
final class StorePageIn extends PageIn {
    /** The page's word before the page-in began. */
    final long before;
    /** Whether the page is read from the store; else its frame is filled with zeros. */
    final boolean read;

    private boolean changes;

    /** Whether only a frame is reserved: the page stays where it is. */
    boolean frameOnly;

    /** Whether the page-in began as a prefetch, before the first request. */
    boolean ahead;

    /** Whether no frame was free when its turn came. */
    boolean waitsForFrame;

    int frame = Driver.NONE;
    long position = -1;

    @Nullable
    PageFaultEvent event;

    StorePageIn(Stage stage, long page, long before, boolean read) {
        super(stage, page);
        this.before = before;
        this.read = read;
    }

    /** Whether the store holds the page. */
    boolean isStored() {
        return PageWord.isStored(before);
    }

    /** Name of the kind in the Flight Recorder's event. */
    String kind() {
        return frameOnly ? "reserve" : read ? "read" : isStored() ? "overwrite" : "zero";
    }

    @Override
    void add(PageRequest request) {
        super.add(request);
        changes |= request.access().changes();
    }

    /** Whether one of the requests writes to the page. */
    boolean changes() {
        return changes;
    }

    /** Name of the page; see {@link PagerFrames#name}. */
    long name() {
        return PagerFrames.name(stage(), page());
    }

    /** Whether the page is the neighbour after another's, so that one transfer can read both. */
    boolean follows(StorePageIn other) {
        return stage() == other.stage() && page() == other.page() + 1;
    }
}
