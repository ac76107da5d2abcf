package org.verbena.memory.hypervisor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.CurrentIo;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.PageTimeoutException;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.NumberedFrames;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.TableDriver;
import org.verbena.memory.paging.TablePageIn;
import org.verbena.memory.swapping.DomainPaging;
import org.verbena.memory.swapping.HostPaging;
import org.verbena.memory.swapping.PagedMemory;
import org.verbena.trace.MetricScope;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The host or a guest: an address space of its own, and a driver that pages it. Any thread.
 *
 * <p>The host's memory is translated once, by the host's driver. A guest's memory is translated twice: to guest physical memory by
 * the guest's driver, and from there to machine memory by the host's driver. The guest's driver is the library's pager, unless the
 * guest brings a {@link GuestDriver}.
 */
public final class Domain implements MemoryDomain, AutoCloseable {
    private final Hypervisor hypervisor;
    private final DomainPaging paging;
    private final @Nullable DriverCalls calls;
    private final @Nullable EvictedPages evicted;
    private final List<GuestTable> tables = new ArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final MetricScope.Registration metrics;
    /** Run when it is closed. Guarded by itself. */
    private final Set<Runnable> endings = new LinkedHashSet<>();

    private boolean ended;

    /** The host. */
    Domain(Hypervisor hypervisor, HostPaging host) {
        this.hypervisor = hypervisor;
        this.paging = new DomainPaging(this, host);
        this.calls = null;
        this.evicted = null;
        this.metrics = hypervisor.metrics().register(this, paging.driver(), paging.counters());
    }

    /** A guest. */
    Domain(Hypervisor hypervisor, HostPaging host, int id, GuestOptions options) {
        this.hypervisor = hypervisor;
        GuestDriver own = options.driver();
        if (own == null && options.evictionNotices()) {
            throw new IllegalArgumentException(
                    "a guest with eviction notices has a driver of its own; found " + options);
        }
        Executor executor = options.executor();
        this.calls = own == null
                ? null
                : new DriverCalls(own, executor == null ? new CallThread("guest-" + id + "-driver") : executor);
        this.paging = new DomainPaging(
                this,
                host,
                id,
                options.physicalBytes(),
                physical -> own == null ? pager(host, options, physical) : asking(host, options, physical),
                this::onFreed);
        this.evicted = options.evictionNotices() ? tellEvictions() : null;
        this.metrics = hypervisor.metrics().register(this, paging.driver(), paging.counters());
    }

    private EvictedPages tellEvictions() {
        DriverCalls driver = calls;
        assert driver != null : "checked before";
        Stage physical = paging.physical().stage();
        EvictedPages pages = new EvictedPages(driver, physical.table().pages());
        physical.onEviction(page -> {
            if (!closed.get()) {
                pages.add(page);
            }
        });
        return pages;
    }

    private static Driver pager(HostPaging host, GuestOptions options, Stage physical) {
        int pages = Math.toIntExact(options.physicalBytes() / Stage.PAGE);
        return new Pager(
                host.store(), new NumberedFrames(pages), options.policy().of(pages), physical, pages);
    }

    private Driver asking(HostPaging host, GuestOptions options, Stage physical) {
        int pages = Math.toIntExact(options.physicalBytes() / Stage.PAGE);
        int kept = Math.max(2, Math.min(pages, host.machine().frames() / 4) / 4);
        return new TableDriver(physical, kept, this::onMissing);
    }

    /** Id of the domain, 0 for the host. */
    @Override
    public int id() {
        return paging.id();
    }

    /** Whether it is the host, whose addresses are translated once. */
    @Override
    public boolean isHost() {
        return paging.isHost();
    }

    @Override
    public boolean isClosed() {
        return closed.get();
    }

    @Override
    public void onClosed(Runnable action) {
        synchronized (endings) {
            if (!ended) {
                endings.add(action);
                return;
            }
        }
        action.run();
    }

    @Override
    public void forgetClosed(Runnable action) {
        synchronized (endings) {
            endings.remove(action);
        }
    }

    private void tellClosed() {
        List<Runnable> told;
        synchronized (endings) {
            ended = true;
            told = List.copyOf(endings);
            endings.clear();
        }
        told.forEach(Runnable::run);
    }

    /**
     * Allocates memory of zeros whose pages come and go. It takes no frame before it is used; there can be far more of it than of
     * machine memory. Of a guest with a driver of its own, no page is mapped at first.
     *
     * @throws IllegalArgumentException if the size is not positive, or more than a translation table holds (512 GiB)
     * @throws IllegalStateException if the domain is closed, or the page store has not enough slots left
     */
    public ManagedMemory allocate(long bytes) {
        return allocate(bytes, false);
    }

    private PagedMemory allocate(long bytes, boolean wired) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        requireOpen();
        PagedMemory memory = paging.open(bytes, wired);
        if (closed.get()) {
            memory.revoke();
            requireOpen();
        }
        return memory;
    }

    /**
     * Allocates memory of zeros whose pages stay in frames. Only if all regions on it were registered with a {@link CurrentIo} can
     * it be swapped out. Waits until the frames are there.
     *
     * @throws IllegalStateException if too many pages would be pinned, the domain is closed, or the guest has a driver of its own
     * @throws PageTimeoutException if no frame comes for {@link HypervisorOptions#waitLimit}; nothing is allocated then
     */
    public ManagedMemory allocateWired(long bytes) {
        if (!(paging.driver() instanceof Pager)) {
            throw new IllegalStateException(this + " has a driver of its own, which cannot be asked to keep pages");
        }
        PagedMemory memory = allocate(bytes, true);
        try {
            memory.swap().wire();
        } catch (IllegalStateException tooMuch) {
            memory.close();
            throw tooMuch;
        }
        return memory;
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    /**
     * The physical memory of a guest with a driver of its own, by guest physical address. The driver brings pages in through it.
     *
     * @throws IllegalStateException if the domain has no driver of its own
     */
    public ManagedMemory physical() {
        if (calls == null) {
            throw new IllegalStateException(
                    this + " has no driver of its own: its physical memory is in use by Verbena's");
        }
        return paging.physical();
    }

    /**
     * The table of stage one of a memory, for the guest's own driver.
     *
     * @throws IllegalStateException if the domain has no driver of its own
     * @throws IllegalArgumentException if the memory is not of this guest
     */
    public GuestTable table(ManagedMemory memory) {
        if (!(paging.driver() instanceof TableDriver asking)) {
            throw new IllegalStateException(this + " has no driver of its own: its tables are written by Verbena's");
        }
        if (!(memory instanceof PagedMemory paged) || paged.stage().driver() != asking) {
            throw new IllegalArgumentException(memory + " is not of " + this);
        }
        return table(asking, paged.stage());
    }

    private GuestTable table(TableDriver asking, Stage stage) {
        synchronized (tables) {
            for (GuestTable table : tables) {
                if (table.isOf(stage)) {
                    return table;
                }
            }
            GuestTable table = new GuestTable(asking, stage);
            tables.add(table);
            return table;
        }
    }

    private void onFreed(PagedMemory memory) {
        synchronized (tables) {
            tables.removeIf(table -> table.isOf(memory.stage()));
        }
    }

    private void onMissing(TablePageIn missing) {
        DriverCalls driver = calls;
        assert driver != null : "the library's pager pages for this guest";
        TableDriver asking = (TableDriver) missing.stage().driver();
        GuestFault fault = new GuestFault(asking, missing, table(asking, missing.stage()));
        missing.onWrite(() -> {
            if (fault.isCalled()) {
                driver.add(fault.writeCall());
            }
        });
        driver.add(fault.call());
    }

    /** Counters of stage one; the host's also count the physical pages of guests. */
    public PagingCounters counters() {
        return paging.counters();
    }

    /** Page faults at both stages. */
    public DomainFaults faults() {
        return isHost()
                ? hypervisor.hostFaults()
                : new DomainFaults(
                        counters().value(PagingCounter.FAULTS),
                        paging.physical().stage().faults());
    }

    /** Pages that consumers have pinned. */
    int pins() {
        return paging.pins();
    }

    /** Evictions that the guest's own driver was told of; none if it did not ask for it. */
    public EvictionNotices evictionNotices() {
        return evicted == null ? new EvictionNotices(0, 0) : evicted.counts();
    }

    /** Number of times that the guest's own driver threw an exception or could not be called. The faults were refused. */
    public long driverFailures() {
        return calls == null ? 0 : calls.failures();
    }

    /** The last exception of the guest's own driver, or null. */
    public @Nullable Throwable lastDriverFailure() {
        return calls == null ? null : calls.lastFailure();
    }

    /**
     * Ends the guest's address space, also while it is in use. Regions on its memory become invalid; when this returns no access is
     * under way and none will start. Queue pairs of protection domains that are bound to it fail. Its pages are given up at both stages; a page that a consumer has pinned is given up
     * when it is unpinned. Requests that wait for its pages are refused. The owners of the regions still close them. Idempotent.
     *
     * @throws IllegalStateException if it is the host
     */
    @Override
    public void close() {
        if (isHost()) {
            throw new IllegalStateException("the host domain ends with its hypervisor; close that");
        }
        if (closed.compareAndSet(false, true)) {
            paging.revoke();
            hypervisor.forget(this);
            metrics.close();
            tellClosed();
        }
    }

    @Override
    public String toString() {
        return paging.toString();
    }
}
