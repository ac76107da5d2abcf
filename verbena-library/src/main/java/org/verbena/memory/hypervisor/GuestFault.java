package org.verbena.memory.hypervisor;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.FaultedAccess;
import org.verbena.memory.Advice;
import org.verbena.memory.paging.Refusal;
import org.verbena.memory.paging.TableDriver;
import org.verbena.memory.paging.TablePageIn;

/** A page fault in stage one, as the guest's driver sees it. Any thread; answered once. */
public final class GuestFault {
    private final TableDriver tables;
    private final TablePageIn missing;
    private final GuestTable table;
    private final AtomicBoolean answered = new AtomicBoolean();
    private volatile boolean called;

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
    private boolean isAhead() {
        return missing.isAhead();
    }

    /**
     * Whether the page will be written: whether one of the requests that wait for it writes. A fault that began as a read becomes a
     * write when such a request joins, also after the driver was called; see {@link GuestDriver#onWrite}. It never becomes a read
     * again.
     */
    public boolean isWrite() {
        return missing.changes();
    }

    /**
     * The access of an adapter that needs the page: domain, key, address, length, operation and queue pair. If several accesses wait,
     * the first; a later one can be a write where this one is a read. Empty if only a consumer's own access or {@link
     * Advice#WILL_NEED} asked for the page so far.
     */
    public Optional<FaultedAccess> access() {
        return Optional.ofNullable(missing.origin());
    }

    /** The call that tells the driver of the fault. */
    DriverCalls.Call call() {
        return new DriverCalls.Call() {
            @Override
            public void make(GuestDriver driver) {
                called = true;
                driver.onFault(GuestFault.this);
            }

            @Override
            public void onFailed() {
                refuseIfOpen();
            }

            @Override
            public boolean isLast() {
                return isAhead();
            }
        };
    }

    /** Whether the driver has been called, and may have seen that the fault is a read. */
    boolean isCalled() {
        return called;
    }

    /** The call that tells the driver that the fault has become a write. */
    DriverCalls.Call writeCall() {
        return new DriverCalls.Call() {
            @Override
            public void make(GuestDriver driver) {
                if (!answered.get()) {
                    driver.onWrite(GuestFault.this);
                }
            }

            @Override
            public void onFailed() {
                refuseIfOpen();
            }
        };
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
    private void refuseIfOpen() {
        if (answered.compareAndSet(false, true)) {
            tables.refuse(missing, Refusal.NO_SUCH_PAGE);
        }
    }

    @Override
    public String toString() {
        return "fault on page " + page() + " of " + table;
    }
}
