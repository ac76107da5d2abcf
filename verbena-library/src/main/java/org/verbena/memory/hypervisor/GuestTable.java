package org.verbena.memory.hypervisor;

import java.util.OptionalLong;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.TableDriver;

/**
 * Stage one of a guest's memory: which guest physical page each of its pages is in. Written by the guest's driver only, from
 * any thread. Two pages may be in one guest physical page.
 */
public final class GuestTable {
    private final TableDriver tables;
    private final Stage stage;

    /** What became of a page that is to be unmapped. */
    public enum Unmapping {
        /**
         * Nobody gets at the page any more, but a copy or a lease that began before still has it: the guest physical page is
         * in use until a later call says otherwise.
         */
        PINNED,
        /** Its guest physical page may be used for something else, and may hold something new since it was mapped. */
        CHANGED,
        /** Its guest physical page may be used for something else, and was only read since it was mapped. */
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
     * A page is in this guest physical page from now on. Nothing happens if it is there already.
     *
     * @throws IllegalArgumentException if there is no such page, or no such guest physical page
     * @throws IllegalStateException if it is in another, or was and is still pinned there, or the memory is closed
     */
    public void map(long page, long guestPhysicalPage) {
        tables.map(stage, page, guestPhysicalPage);
    }

    /**
     * Takes a page out of its guest physical page: its entry is invalid when this returns, whatever it returns. Does not wait
     * for those who have the page pinned; call again until the answer is not {@link Unmapping#PINNED}, and only then use the
     * guest physical page for something else.
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

    /** Whether a page was touched since this was last asked: for choosing who is to leave. */
    public boolean takeReferenced(long page) {
        return tables.takeReferenced(stage, page);
    }

    @Override
    public String toString() {
        return "table of " + pages() + " pages";
    }
}
