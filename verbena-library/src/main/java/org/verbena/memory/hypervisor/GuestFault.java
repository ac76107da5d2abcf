package org.verbena.memory.hypervisor;

import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.TableDriver;
import org.verbena.memory.paging.TablePageIn;

/** A page fault in stage one, as the guest's driver sees it. Any thread; answered once. */
public final class GuestFault {
    private final TableDriver tables;
    private final TablePageIn missing;
    private final GuestTable table;
    private final AtomicBoolean answered = new AtomicBoolean();

    GuestFault(TableDriver tables, TablePageIn missing, GuestTable table) {
        this.tables = tables;
        this.missing = missing;
        this.table = table;
    }

    /** The table that has no entry for the page. */
    public GuestTable table() {
        return table;
    }

    /** The page, counted from the first of its memory. */
    public long page() {
        return missing.page();
    }

    /** Whether the page was announced and no request waited for it when the driver was called. */
    boolean isAhead() {
        return missing.isAhead();
    }

    /** Whether the page will be written. */
    public boolean isWrite() {
        return missing.changes();
    }

    /**
     * Maps the page to a guest physical page.
     *
     * @throws IllegalArgumentException if there is no such guest physical page; the fault is not answered then
     * @throws IllegalStateException if the fault was answered before, or the page is mapped elsewhere
     */
    public void map(long guestPhysicalPage) {
        begin();
        try {
            table.map(missing.page(), guestPhysicalPage);
        } catch (IllegalArgumentException | IllegalStateException refused) {
            answered.set(false);
            throw refused;
        }
    }

    /**
     * Refuses the page: there is no such address. The requests for it end with an access error.
     *
     * @throws IllegalStateException if the fault was answered before
     */
    public void refuse() {
        begin();
        tables.refuse(missing, Refusal.NO_SUCH_PAGE);
    }

    private void begin() {
        if (!answered.compareAndSet(false, true)) {
            throw new IllegalStateException("the fault on page " + page() + " was answered before");
        }
    }

    /** Refuses the page if the driver has not answered. For a driver that failed. */
    void refuseIfOpen() {
        if (answered.compareAndSet(false, true)) {
            tables.refuse(missing, Refusal.NO_SUCH_PAGE);
        }
    }

    @Override
    public String toString() {
        return "fault on page " + page() + " of " + table;
    }
}
