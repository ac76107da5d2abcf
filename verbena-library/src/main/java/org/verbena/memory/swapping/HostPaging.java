package org.verbena.memory.swapping;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.verbena.memory.machine.MachineFrames;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.store.PageStore;
import org.verbena.pool.HoldCount;
import org.verbena.time.Durations;

/** The part of paging that all domains of a hypervisor share: frames, page store, pager and the limit of pins. Any thread. */
public final class HostPaging {
    private final MachineFrames machine;
    private final PageStore store;
    private final Pager pager;
    private final Duration waitLimit;
    private final Errands errands;
    private final Relief relief;
    private final HoldCount memories = new HoldCount();
    private final AtomicInteger pins = new AtomicInteger();

    /**
     * Over a pager that is open.
     *
     * @param waitLimit longest wait of a consumer during which no page comes
     */
    public HostPaging(MachineFrames machine, PageStore store, Pager pager, Duration waitLimit, Errands errands) {
        this.machine = machine;
        this.store = store;
        this.pager = pager;
        this.waitLimit = waitLimit;
        this.errands = errands;
        this.relief = new Relief(pager, errands);
    }

    /** The frames. */
    public MachineFrames machine() {
        return machine;
    }

    /** The page store. */
    public PageStore store() {
        return store;
    }

    /** The driver of the host's stages. */
    public Pager pager() {
        return pager;
    }

    /** The choice of regions that leave under memory pressure. */
    public Relief relief() {
        return relief;
    }

    Duration waitLimit() {
        return waitLimit;
    }

    /** For steps that wait, and for calls of a consumer's actions. */
    Errands errands() {
        return errands;
    }

    /** Adds a memory: the hypervisor cannot be closed before {@link #release}. */
    void hold() {
        memories.hold(this);
    }

    /** Removes a memory. */
    void release() {
        memories.release();
    }

    /**
     * Waits for pages, for the store or for a guest's driver. The thread that brings them unparks the waiting thread.
     *
     * @return false if the limit of waiting has passed
     */
    boolean await(BooleanSupplier condition) {
        return store.await(condition, Durations.toNanos(waitLimit));
    }

    // --- pins of consumers

    /** Pages that consumers have pinned. */
    public int pins() {
        return pins.get();
    }

    /**
     * Pages that consumers can pin at one time, of a number of frames that are not wired. Together with the leases this leaves an
     * eighth of the frames for short pins.
     */
    public static int pinsMax(int pageable) {
        return (int) (pageable * 3L / 8);
    }

    /**
     * Counts pins of a consumer.
     *
     * @throws IllegalStateException if it would be too many; then a region may be swapped out to make room
     */
    void admitPins(long pages) {
        int max = pinsMax(machine.frames() - machine.framesWired());
        int now;
        do {
            now = pins.get();
            if (now + pages > max) {
                relief.onPinsRefused();
                throw new IllegalStateException("consumers can pin " + max + " pages at a time, of " + machine.frames()
                        + " in machine memory; " + now + " are pinned, " + pages + " more are wanted");
            }
        } while (!pins.compareAndSet(now, (int) (now + pages)));
    }

    /** Counts pins out. */
    void dismissPins(int pages) {
        pins.getAndAdd(-pages);
        relief.onPinsReleased();
    }

    /**
     * Closes the store and unmaps machine memory. Idempotent.
     *
     * @return false if it was closed before
     * @throws IllegalStateException if memory or a guest is open, frames are wired, or consumers have pages pinned
     */
    public boolean close() {
        if (pins.get() > 0) {
            throw new IllegalStateException(this + " cannot be closed: consumers have " + pins.get() + " pages pinned");
        }
        if (machine.uses() > 1 && !memories.isClosed()) {
            throw new IllegalStateException(this + " cannot be closed: " + machine.framesWired() + " frames are wired");
        }
        boolean now = memories.close(this);
        if (now) {
            store.close();
            pager.shut();
            machine.dismissClaimant();
            machine.close();
        }
        return now;
    }

    @Override
    public String toString() {
        return "hypervisor of " + machine + ", " + pager;
    }
}
