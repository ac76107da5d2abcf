package org.verbena.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.NumberedFrames;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.TableDriver;
import org.verbena.memory.paging.TablePageIn;
import org.verbena.time.Durations;
import org.verbena.trace.MetricScope;
import org.verbena.trace.PagingCounter;
import org.verbena.trace.PagingCounters;

/**
 * The host or a guest: its own address space, and a driver that pages it. Any thread.
 *
 * <p>The host's memory is translated once, by the host's driver. A guest's is translated twice: to guest physical memory by the
 * guest's driver, and from there to machine memory by the host's. The guest's driver is one like the host's, unless the guest
 * has its own.
 */
public final class Domain implements AutoCloseable {
    static final int HOST = 0;

    private final Hypervisor hypervisor;
    private final int id;
    private final Driver driver;
    private final PagingCounters counters;
    private final @Nullable PagedMemory physical;
    private final @Nullable DriverCalls calls;
    private final int pinsMax;
    private final Set<PagedMemory> memories = ConcurrentHashMap.newKeySet();
    private final List<GuestTable> tables = new ArrayList<>();
    private final AtomicInteger pins = new AtomicInteger();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final MetricScope.Registration metrics;

    /** The host. */
    Domain(Hypervisor hypervisor) {
        this.hypervisor = hypervisor;
        this.id = HOST;
        this.driver = hypervisor.pager();
        this.counters = hypervisor.pager().counters();
        this.physical = null;
        this.calls = null;
        this.pinsMax = Integer.MAX_VALUE; // the hypervisor's limit is the host's, and changes with its memory
        this.metrics = hypervisor.metrics().register(this, driver, counters);
    }

    /** A guest. */
    Domain(Hypervisor hypervisor, int id, GuestOptions options) {
        this.hypervisor = hypervisor;
        this.id = id;
        int pages = Math.toIntExact(options.physicalBytes() / Stage.PAGE);
        this.pinsMax = pages / 2;
        PagedMemory below = new PagedMemory(this, hypervisor.pager(), options.physicalBytes(), false);
        below.hold();
        this.physical = below;
        GuestDriver own = options.driver();
        Executor executor = options.executor();
        this.calls = own == null ? null : new DriverCalls(own, executor == null ? new DriverThread(id) : executor);
        try {
            if (own == null) {
                Pager pager = pager(options, below.stage(), pages);
                this.driver = pager;
                this.counters = pager.counters();
            } else {
                int kept = Math.max(2, Math.min(pages, hypervisor.machine().frames() / 4) / 4);
                TableDriver asking = new TableDriver(below.stage(), kept, this::onMissing);
                this.driver = asking;
                this.counters = asking.counters();
            }
        } catch (Throwable noRoom) { // on the heap, for what is kept about its pages
            below.revoke();
            throw noRoom;
        }
        this.metrics = hypervisor.metrics().register(this, driver, counters);
    }

    private Pager pager(GuestOptions options, Stage physicalStage, int pages) {
        return new Pager(
                hypervisor.store(), new NumberedFrames(pages), options.policy().of(pages), physicalStage, pages);
    }

    /** 0 for the host. */
    public int id() {
        return id;
    }

    /** Whether its addresses are translated once, not twice. */
    public boolean isHost() {
        return id == HOST;
    }

    /**
     * Memory of zeros that takes no frame before it is used and gives up frames while it is not; far more of it can be had than
     * of machine memory. Of a guest with its own driver: memory none of whose pages is mapped.
     */
    public ManagedMemory allocate(long bytes) {
        return allocate(bytes, false);
    }

    private PagedMemory allocate(long bytes, boolean wired) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        requireOpen();
        PagedMemory memory = new PagedMemory(this, driver, bytes, wired);
        memories.add(memory);
        if (closed.get()) {
            memory.revoke();
            requireOpen();
        }
        return memory;
    }

    /**
     * Memory of zeros whose pages are in frames from now on and stay there, but for one thing: if all regions on it were
     * registered with a {@link CurrentIo}, they can be swapped out. Waits until the frames are there.
     *
     * @throws IllegalStateException if too much would be pinned, or the guest has a driver of its own
     * @throws PageTimeoutException if no frame has come for as long as {@link HypervisorOptions#waitLimit}; nothing is allocated
     */
    public ManagedMemory allocateWired(long bytes) {
        if (!(driver instanceof Pager)) {
            throw new IllegalStateException(this + " has a driver of its own, who cannot be asked to keep pages");
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
     * The memory the guest takes for the machine's, by guest physical address. For guests with their own driver, who brings
     * pages in through it.
     */
    public ManagedMemory physical() {
        if (calls == null) {
            throw new IllegalStateException(
                    this + " has no driver of its own: its physical memory is in use by Verbena's");
        }
        return Objects.requireNonNull(physical);
    }

    /** Stage one of a memory of this guest's, for its driver. */
    public GuestTable table(ManagedMemory memory) {
        if (!(driver instanceof TableDriver asking)) {
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

    private void onMissing(TablePageIn missing) {
        TableDriver asking = (TableDriver) missing.stage().driver();
        Objects.requireNonNull(calls).call(new GuestFault(asking, missing, table(asking, missing.stage())));
    }

    /** What happened at stage one; for the host, to guests' physical pages as well. */
    public PagingCounters counters() {
        return counters;
    }

    /** Pages that were wanted and had to be asked for, at either stage. */
    public DomainFaults faults() {
        return physical == null
                ? hypervisor.hostFaults()
                : new DomainFaults(
                        counters.value(PagingCounter.FAULTS), physical.stage().faults());
    }

    /** Pages that consumers have pinned. */
    int pins() {
        return pins.get();
    }

    /** Times that the guest's own driver threw something or could not be called; the faults were refused. */
    public long driverFailures() {
        return calls == null ? 0 : calls.failures();
    }

    /** What it threw last. */
    public @Nullable Throwable lastDriverFailure() {
        return calls == null ? null : calls.lastFailure();
    }

    Hypervisor hypervisor() {
        return hypervisor;
    }

    /** A consumer wants to pin so many pages more. */
    void admitPins(long pages) {
        // First: who gives pins of the host's back tells those who wait, perhaps the caller.
        requireRoom(pins.get(), pages);
        hypervisor.admitPins(pages);
        int now;
        do {
            now = pins.get();
            try {
                requireRoom(now, pages);
            } catch (IllegalStateException meanwhile) {
                hypervisor.dismissPins((int) pages);
                throw meanwhile;
            }
        } while (!pins.compareAndSet(now, (int) (now + pages)));
    }

    private void requireRoom(int now, long pages) {
        if (now + pages > pinsMax) {
            throw new IllegalStateException("consumers of " + this + " can pin " + pinsMax
                    + " pages at a time, half of its memory; " + now + " are pinned, " + pages + " more are wanted");
        }
    }

    void dismissPins(int pages) {
        pins.getAndAdd(-pages);
        hypervisor.dismissPins(pages);
    }

    /**
     * Waits for pages, for the store or for the guest's driver; whoever brings them unparks the thread. False if the hypervisor's
     * limit of waiting has passed.
     */
    boolean await(BooleanSupplier condition) {
        return hypervisor.store().await(condition, Durations.toNanos(hypervisor.waitLimit()));
    }

    void forget(PagedMemory memory) {
        memories.remove(memory);
        synchronized (tables) {
            tables.removeIf(table -> table.isOf(memory.stage()));
        }
    }

    /**
     * Ends the guest's address space, whoever uses it: regions on its memory become invalid, and when this returns nobody is
     * inside and nobody gets in; then its pages are given up at both stages, those a consumer still has pinned as soon as he has
     * not. What waits for its pages is refused. Closing the regions is left to those who registered them. Idempotent.
     *
     * @throws IllegalStateException if it is the host
     */
    @Override
    public void close() {
        PagedMemory below = physical;
        if (below == null) {
            throw new IllegalStateException("the host domain ends with its hypervisor; close that");
        }
        if (closed.compareAndSet(false, true)) {
            List.copyOf(memories).forEach(PagedMemory::revoke);
            below.revoke();
            hypervisor.forget(this);
            metrics.close();
        }
    }

    @Override
    public String toString() {
        return isHost() ? "host domain" : "guest domain " + id;
    }
}
