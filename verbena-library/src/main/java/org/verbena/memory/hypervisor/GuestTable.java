package org.verbena.memory.hypervisor;

import java.util.OptionalLong;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.TableDriver;

/**
 * Stage one of a guest's memory: the guest physical page of each of its pages. Written by the guest's driver only, from any
 * thread. Two pages may be in one guest physical page.
 */
public final class GuestTable {
    private final TableDriver tables;
    private final Stage stage;

    /** The result of {@link #unmap}. */
    public enum Unmapping {
        /**
         * No new access reaches the page, but a copy or a lease that began before still has it pinned. The guest physical
         * page is in use until a later call returns another result.
         */
        PINNED,
        /** Its guest physical page may be reused. Its content may have changed since it was mapped. */
        CHANGED,
        /** Its guest physical page may be reused. It was only read since it was mapped. */
        UNCHANGED,
        /** It was not mapped. */
        NOT_MAPPED
    }

    GuestTable(TableDriver tables, Stage stage) {
        this.tables = tables;
        this.stage = stage;
    }

    boolean isOf(Stage other) {
        return stage == other;
    }

    /** Pages of the memory. */
    public long pages() {
        return stage.table().pages();
    }

    /**
     * Maps a page to a guest physical page. Does nothing if it is mapped there already.
     *
     * @throws IllegalArgumentException if there is no such page, or no such guest physical page
     * @throws IllegalStateException if it is mapped elsewhere, or is still pinned where it was mapped before, or the memory
     *     is closed
     */
    public void map(long page, long guestPhysicalPage) {
        tables.map(stage, page, guestPhysicalPage);
    }

    /**
     * Unmaps a page: its entry is invalid when this returns. Does not wait for the copies and leases that have the page
     * pinned. Call it again until the result is not {@link Unmapping#PINNED}; only then may the guest physical page be
     * reused.
     */
    public Unmapping unmap(long page) {
        return switch (tables.unmap(stage, page)) {
            case PINNED -> Unmapping.PINNED;
            case CHANGED -> Unmapping.CHANGED;
            case UNCHANGED -> Unmapping.UNCHANGED;
            case NOT_MAPPED -> Unmapping.NOT_MAPPED;
        };
    }

    /** Where a page is. */
    public OptionalLong guestPhysicalPage(long page) {
        int frame = tables.frame(stage, page);
        return frame == Driver.NONE ? OptionalLong.empty() : OptionalLong.of(frame);
    }

    /**
     * Whether a page was accessed since the last call of this method for it. For the choice of pages to be evicted.
     */
    public boolean takeReferenced(long page) {
        return tables.takeReferenced(stage, page);
    }

    @Override
    public String toString() {
        return "table of " + pages() + " pages";
    }
}
