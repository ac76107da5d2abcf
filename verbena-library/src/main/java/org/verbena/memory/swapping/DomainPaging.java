package org.verbena.memory.swapping;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.paging.Driver;
import org.verbena.memory.paging.MachinePages;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.paging.Stage;
import org.verbena.memory.paging.TableDriver;
import org.verbena.memory.translation.FrameMemory;
import org.verbena.trace.PagingCounters;

/** The paging of one domain: its driver, its memories and its limit of pins. Any thread. */
public final class DomainPaging {
    private final MemoryDomain owner;
    private final HostPaging host;
    private final int id;
    private final Driver driver;
    private final PagingCounters counters;
    private final @Nullable PagedMemory physical;
    private final Consumer<PagedMemory> onFreed;
    private final int pinsMax;
    private final Set<PagedMemory> memories = ConcurrentHashMap.newKeySet();
    private final AtomicInteger pins = new AtomicInteger();

    /** The host. */
    public DomainPaging(MemoryDomain owner, HostPaging host) {
        this.owner = owner;
        this.host = host;
        this.id = FrameMemory.HOST;
        this.driver = host.pager();
        this.counters = host.pager().counters();
        this.physical = null;
        this.onFreed = _ -> {};
        this.pinsMax = Integer.MAX_VALUE; // the limit of all domains is the host's, and changes with machine memory
    }

    /**
     * A guest.
     *
     * @param physicalBytes size of its physical memory, which the host pages
     * @param driverOf makes the guest's driver over the stage of its physical memory
     * @param onFreed called when a memory of the guest ends
     */
    public DomainPaging(
            MemoryDomain owner,
            HostPaging host,
            int id,
            long physicalBytes,
            Function<Stage, Driver> driverOf,
            Consumer<PagedMemory> onFreed) {
        this.owner = owner;
        this.host = host;
        this.id = id;
        this.onFreed = onFreed;
        this.pinsMax = Math.toIntExact(physicalBytes / Stage.PAGE) / 2;
        PagedMemory below = new PagedMemory(this, host.pager(), physicalBytes, false);
        below.hold();
        this.physical = below;
        try {
            this.driver = driverOf.apply(below.stage());
            this.counters = driver instanceof TableDriver asking ? asking.counters() : ((Pager) driver).counters();
        } catch (Throwable noSpace) { // on the heap, for the tables of its pages
            below.revoke();
            throw noSpace;
        }
    }

    /** Id of the domain, 0 for the host. */
    public int id() {
        return id;
    }

    /** Whether it is the host. */
    public boolean isHost() {
        return id == FrameMemory.HOST;
    }

    /** Whether memory of this domain is memory of another. The hosts of all hypervisors are one. */
    boolean isOf(MemoryDomain other) {
        return other.equals(owner) || (isHost() && other.isHost());
    }

    /** The driver of its memories. */
    public Driver driver() {
        return driver;
    }

    /** Counters of its driver. */
    public PagingCounters counters() {
        return counters;
    }

    /** The physical memory of a guest. */
    public PagedMemory physical() {
        return Objects.requireNonNull(physical);
    }

    /** The part of paging that it shares with other domains. */
    HostPaging host() {
        return host;
    }

    /** Opens a memory whose pages come and go. */
    public PagedMemory open(long bytes, boolean wired) {
        PagedMemory memory = new PagedMemory(this, driver, bytes, wired);
        memories.add(memory);
        return memory;
    }

    /**
     * The guest physical pages that valid regions have: those to which their pages are mapped, and those of regions on guest
     * physical memory itself.
     */
    BitSet neededFrames() {
        BitSet needed = physical().swap().neededPages();
        for (PagedMemory memory : memories) {
            needed.or(MachinePages.frames(memory.stage(), memory.swap().neededPages()));
        }
        return needed;
    }

    /** Called when a memory has ended. */
    void forget(PagedMemory memory) {
        memories.remove(memory);
        onFreed.accept(memory);
    }

    /** Ends all memories of a guest, those in use included, and then its physical memory. */
    public void revoke() {
        List.copyOf(memories).forEach(PagedMemory::revoke);
        physical().revoke();
    }

    /** Waits as {@link HostPaging#await} does. */
    boolean await(BooleanSupplier condition) {
        return host.await(condition);
    }

    /**
     * Counts pins of a consumer, in this domain and in the host.
     *
     * @throws IllegalStateException if it would be too many in one of them
     */
    void admitPins(long pages) {
        // The own limit first: pins given back to the host wake waiting regions, perhaps the caller's.
        requireRoom(pins.get(), pages);
        host.admitPins(pages);
        int now;
        do {
            now = pins.get();
            try {
                requireRoom(now, pages);
            } catch (IllegalStateException meanwhile) {
                host.dismissPins((int) pages);
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

    /** Pages of this domain that consumers have pinned. */
    public int pins() {
        return pins.get();
    }

    /** Counts pins out. */
    void dismissPins(int pages) {
        pins.getAndAdd(-pages);
        host.dismissPins(pages);
    }

    @Override
    public String toString() {
        return isHost() ? "host domain" : "guest domain " + id;
    }
}
