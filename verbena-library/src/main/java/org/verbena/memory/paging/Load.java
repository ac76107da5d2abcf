package org.verbena.memory.paging;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.trace.PageFaultEvent;

/** A page on its way in, and who waits for it. Inside the monitor. */
final class Load {
    final Stage stage;
    final long page;
    /** Its word when it was undertaken. */
    final long before;
    /** Whether what it holds is to be read. */
    final boolean read;

    private final List<Loader.Wanted> waiters = new ArrayList<>(1);
    private boolean changes;

    /** Whether only the frame is wanted: the page stays where it is. */
    boolean roomOnly;

    /** Whether it was begun before anybody waited. */
    boolean ahead;

    /** Whether no frame was free when its turn came. */
    boolean waitsForFrame;

    int frame = Driver.NONE;
    long position = -1;

    @Nullable
    PageFaultEvent event;

    Load(Stage stage, long page, long before, boolean read) {
        this.stage = stage;
        this.page = page;
        this.before = before;
        this.read = read;
    }

    /** Whether the store holds it. */
    boolean isStored() {
        return PageWord.isStored(before);
    }

    /** For people. */
    String kind() {
        return roomOnly ? "room" : read ? "read" : isStored() ? "overwrite" : "zero";
    }

    void add(Loader.Wanted wanted) {
        waiters.add(wanted);
        changes |= wanted.access().changes();
    }

    boolean isWanted() {
        return !waiters.isEmpty();
    }

    boolean changes() {
        return changes;
    }

    List<Loader.Wanted> waiters() {
        return waiters;
    }

    long name() {
        return Residency.name(stage, page);
    }

    /** Whether it can go in one transfer behind another. */
    boolean follows(Load other) {
        return stage == other.stage && page == other.page + 1;
    }
}
