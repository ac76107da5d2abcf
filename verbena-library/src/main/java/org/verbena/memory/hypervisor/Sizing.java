package org.verbena.memory.hypervisor;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.verbena.memory.machine.FrameClaimant;
import org.verbena.memory.machine.FrameRun;
import org.verbena.memory.machine.MachineFrames;
import org.verbena.memory.paging.Pager;
import org.verbena.memory.store.PageStore;
import org.verbena.memory.swapping.HostPaging;

/**
 * Decides how many frames there are, and how many of them are wired; the other frames are for pages that come and go. A
 * caller that takes frames from such pages waits for their eviction. One caller at a time.
 */
final class Sizing implements FrameClaimant {
    /** The smallest number of frames for pages that come and go. */
    static final int PAGEABLE_MIN = 32;

    /** Number of attempts without progress, a millisecond apart, after which a request for frames fails. */
    private static final int TRIES_MAX = 500;

    private static final long TRY_NS = 1_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final MachineFrames machine;
    private final Pager pager;
    private final PageStore store;
    private final HostPaging paging;

    Sizing(HostPaging paging) {
        this.paging = paging;
        this.machine = paging.machine();
        this.pager = paging.pager();
        this.store = paging.store();
    }

    private int pageable() {
        return machine.frames() - machine.framesWired();
    }

    private void balance() {
        pager.expectFrames(Math.max(1, pageable()));
    }

    @Override
    public void onGivenBack() {
        balance();
        pager.poke();
    }

    void resize(long bytes) {
        int target = MachineFrames.framesOf(bytes);
        if (bytes < HypervisorOptions.MEMORY_MIN || target > machine.framesMax()) {
            throw new IllegalArgumentException("machine memory can have from " + HypervisorOptions.MEMORY_MIN + " to "
                    + (long) machine.framesMax() * MachineFrames.FRAME + " bytes; found " + bytes);
        }
        lock.lock();
        try {
            if (target >= machine.frames()) {
                machine.deflate(machine.framesMax() - target);
            } else {
                shrink(target);
            }
            balance();
            pager.poke();
        } finally {
            lock.unlock();
        }
    }

    private void shrink(int target) {
        int before = machine.frames();
        require(target, 0, target + " frames of machine memory");
        pager.expectFrames(target - machine.framesWired());
        int _ = machine.inflate(machine.framesMax() - target);
        boolean done = reclaim(() -> machine.frames() - target);
        if (!done) {
            int reached = machine.frames();
            machine.deflate(machine.framesMax() - before);
            balance();
            throw new IllegalStateException("machine memory can be shrunk to " + reached + " frames, not to " + target
                    + ": the pages in the others are pinned, or the page store takes no more: " + store.name());
        }
        machine.discard();
    }

    @Override
    public List<FrameRun> claim(int frames, Supplier<List<FrameRun>> take) {
        lock.lock();
        try {
            require(machine.frames(), frames, frames + " frames more wired");
            machine.reserve(frames);
            boolean there = reclaim(() -> frames - machine.framesFree());
            if (!there) {
                throw new IllegalStateException("machine memory exhausted: " + frames + " frames wanted, "
                        + machine.framesFree() + " of " + machine.frames()
                        + " free; the pages in the others are pinned, or"
                        + " the page store takes no more: " + store.name());
            }
            return take.get();
        } finally {
            machine.reserve(0);
            balance();
            lock.unlock();
        }
    }

    private void require(int frames, int more, String what) {
        int pageable = frames - machine.framesWired() - more;
        if (pageable < PAGEABLE_MIN || HostPaging.pinsMax(pageable) < paging.pins()) {
            throw new IllegalStateException("there cannot be " + what + ": of " + frames + " frames "
                    + machine.framesWired() + " are wired and " + paging.pins() + " pages pinned by consumers; "
                    + PAGEABLE_MIN + " frames, and 8 for 3 that are pinned, must be left to be paged");
        }
    }

    /** Takes frames from pages, and waits for their eviction; false if that is not possible. */
    private boolean reclaim(IntSupplier missing) {
        int frames = missing.getAsInt();
        if (frames > 0) {
            pager.owe(frames);
            store.await(new Patience(missing)::isOver);
            pager.oweNothing();
        }
        return missing.getAsInt() <= 0;
    }

    /** Waits until there are enough frames, or a number of attempts made no progress. */
    private final class Patience {
        private final IntSupplier missing;
        private int least = Integer.MAX_VALUE;
        private int tries;

        Patience(IntSupplier missing) {
            this.missing = missing;
        }

        boolean isOver() {
            look();
            while (missing.getAsInt() > 0 && pager.transfers() == 0 && tries < TRIES_MAX) {
                LockSupport.parkNanos(this, TRY_NS);
                look();
            }
            return missing.getAsInt() <= 0 || tries >= TRIES_MAX;
        }

        private void look() {
            int now = missing.getAsInt();
            boolean vain = now >= least && pager.isStuck(); // since the last retry
            tries = vain ? tries + 1 : now < least ? 0 : tries;
            least = Math.min(least, now);
            pager.poke();
        }
    }
}
