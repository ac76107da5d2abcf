package org.verbena.memory.swapping;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.protection.RegionIo;
import org.verbena.trace.PagingCounter;

/**
 * Swaps one region out and in. A machine of states; whoever brings the next event, the caller, the engine that retired the last
 * operation, the store that wrote the last page, leaves it as an errand. So nobody waits who has something else to do, and
 * consumers are called from nowhere else.
 */
public final class RegionSwap {
    private enum Phase {
        /** Valid. */
        IN,
        /** Quiesce is asked for. */
        QUIESCING,
        /** Invalid, and its pages on their way out. */
        WRITING,
        /** Invalid. */
        OUT,
        /** Invalid, and its pages on their way in. */
        READING
    }

    /**
     * How long quiesce waits for what is under way though the owner waits for it to end. What the adapter has in hand ends sooner;
     * what does not may be waiting for the owner.
     */
    static final long GRACE_MS = 10;

    private final MemorySwap memory;
    private final RegionIo io;

    // Everything below: under the memory's lock.
    private Phase phase = Phase.IN;
    /** Somebody wants it back, since the last swap-out began. */
    private boolean wanted;

    /** Quiesce was asked for lately. */
    private boolean grace;

    private CompletableFuture<Void> leaving = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> coming = CompletableFuture.completedFuture(null);
    /** Why it comes back though nobody asked for that. */
    private @Nullable IllegalStateException calledOff;
    /** Decisions since the region was last touched; the hypervisor's. */
    private int age;

    RegionSwap(MemorySwap memory, RegionIo io) {
        this.memory = memory;
        this.io = io;
        io.onInterest(this::onInterest);
    }

    MemorySwap memory() {
        return memory;
    }

    /** Whether accesses may come, or will come when the pages are there. Under the lock. */
    boolean needsPages() {
        return phase != Phase.WRITING && phase != Phase.OUT;
    }

    /** One decision older, or young again if it was touched; -1 if it is not there to be swapped out. */
    int age() {
        memory.lock().lock();
        try {
            age = io.takeTouched() ? 0 : age + 1;
            return phase == Phase.IN ? age : -1;
        } finally {
            memory.lock().unlock();
        }
    }

    // --- out

    public CompletableFuture<Void> swapOut() {
        return swapOut(0);
    }

    /** Calls itself off if the consumer is not quiet in time, unless it began before this call; 0: never. */
    public CompletableFuture<Void> swapOut(long patienceMs) {
        CompletableFuture<Void> mine;
        memory.lock().lock();
        try {
            switch (phase) {
                case QUIESCING, WRITING, OUT -> {
                    return leaving;
                }
                case READING -> {
                    return CompletableFuture.failedFuture(new IllegalStateException("the region is being swapped in"));
                }
                case IN -> {}
            }
            if (!io.requestQuiesce(() -> memory.errands().run(this::onIdle))) {
                return CompletableFuture.failedFuture(closed());
            }
            phase = Phase.QUIESCING;
            wanted = false;
            grace = true;
            mine = new CompletableFuture<>();
            leaving = mine;
        } finally {
            memory.lock().unlock();
        }
        memory.errands().run(() -> {
            io.tellQuiesce();
            onIdle();
        });
        memory.errands().runLater(GRACE_MS, () -> onGraceOver(mine));
        if (patienceMs > 0) {
            memory.errands().runLater(patienceMs, () -> callOff(mine));
        }
        return mine;
    }

    /** Perhaps nothing is under way any more. An errand: it waits for copies. */
    private void onIdle() {
        CompletableFuture<Void> gone = null;
        memory.lock().lock();
        try {
            if (phase != Phase.QUIESCING) {
                return;
            }
            if (io.clearValid()) {
                phase = Phase.WRITING;
            } else if (io.isQuiescing()) {
                return;
            } else {
                phase = Phase.IN;
                gone = leaving;
            }
        } finally {
            memory.lock().unlock();
        }
        if (gone != null) {
            gone.completeExceptionally(closed());
        } else {
            io.awaitNobodyInside();
            memory.writeOut(this);
        }
    }

    /** The consumer lasts too long: everything as before. False if it is too late for that, or nothing to call off. */
    public boolean callOff() {
        return callOff(null);
    }

    /** Calls one swap-out off, not a later one. */
    @SuppressWarnings("ReferenceEquality") // this very one is meant
    public boolean callOff(@Nullable CompletableFuture<Void> which) {
        CompletableFuture<Void> ended;
        memory.lock().lock();
        try {
            if (phase != Phase.QUIESCING || (which != null && which != leaving)) {
                return false;
            }
            phase = Phase.IN;
            age = 0; // it is in use: others are tried before it is asked again
            io.resumeQuietly();
            ended = leaving;
        } finally {
            memory.lock().unlock();
        }
        memory.errands().run(() -> {
            io.wake();
            ended.completeExceptionally(new IllegalStateException("the swap-out was called off"));
        });
        return true;
    }

    /** An errand. */
    void onWritten(boolean all) {
        CompletableFuture<Void> ended;
        boolean back;
        memory.lock().lock();
        try {
            ended = leaving;
            back = wanted || !all;
            phase = back ? Phase.READING : Phase.OUT;
            if (!all) {
                calledOff =
                        new IllegalStateException("the swap-out was called off: the page store did not take all pages");
            }
            if (coming.isDone()) {
                coming = new CompletableFuture<>();
            }
        } finally {
            memory.lock().unlock();
        }
        if (all) {
            memory.count(PagingCounter.REGIONS_OUT);
            ended.complete(null);
        }
        if (back) {
            memory.bringIn(this);
        }
    }

    // --- in

    /** Brings the region back if it is out; else it is brought back as soon as it is, or stays if it was not quiet in time. */
    private void onInterest() {
        CompletableFuture<Void> unquiet;
        boolean out;
        memory.lock().lock();
        try {
            wanted |= phase != Phase.IN;
            unquiet = unquiet();
            out = phase == Phase.OUT;
        } finally {
            memory.lock().unlock();
        }
        if (unquiet != null) {
            callOff(unquiet);
        } else if (out) {
            CompletableFuture<Void> _ = swapIn();
        }
    }

    /**
     * Who is interested may be the one who would end the operations that quiesce waits for, or they may be receives that nothing
     * ends: to wait for each other helps nobody. Gives the swap-out to be called off for that. Under the lock.
     */
    private @Nullable CompletableFuture<Void> unquiet() {
        return phase == Phase.QUIESCING && wanted && !grace && io.operations() > 0 ? leaving : null;
    }

    /** An errand. */
    @SuppressWarnings("ReferenceEquality") // this very one is meant
    private void onGraceOver(CompletableFuture<Void> which) {
        CompletableFuture<Void> unquiet;
        memory.lock().lock();
        try {
            if (which != leaving) {
                return;
            }
            grace = false;
            unquiet = unquiet();
        } finally {
            memory.lock().unlock();
        }
        if (unquiet != null) {
            callOff(unquiet);
        }
    }

    public CompletableFuture<Void> swapIn() {
        if (callOff()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Void> mine;
        memory.lock().lock();
        try {
            if (phase == Phase.IN) {
                return CompletableFuture.completedFuture(null);
            }
            if (coming.isDone()) {
                coming = new CompletableFuture<>();
            }
            mine = coming;
            if (phase != Phase.OUT) {
                wanted |= phase == Phase.WRITING;
                return mine;
            }
            phase = Phase.READING;
        } finally {
            memory.lock().unlock();
        }
        memory.errands().run(() -> memory.bringIn(this));
        return mine;
    }

    /** Pins were let go for which this region waits, perhaps. An errand. */
    void onPinsLeft() {
        memory.lock().lock();
        try {
            if (!wanted || phase != Phase.OUT) {
                return;
            }
        } finally {
            memory.lock().unlock();
        }
        CompletableFuture<Void> _ = swapIn();
    }

    /**
     * An errand. If not all could be had, who waits goes on waiting, for the next who is interested or for pins that are let
     * go: to wake him would only make him ask again.
     */
    void onBroughtIn(boolean all) {
        CompletableFuture<Void> ended;
        CompletableFuture<Void> left;
        IllegalStateException why;
        memory.lock().lock();
        try {
            phase = all ? Phase.IN : Phase.OUT;
            if (all) {
                io.resumeQuietly();
            }
            ended = coming;
            left = leaving;
            why = calledOff;
            calledOff = null;
        } finally {
            memory.lock().unlock();
        }
        if (all) {
            io.wake();
            memory.count(PagingCounter.REGIONS_IN);
            ended.complete(null);
        } else {
            ended.completeExceptionally(new IllegalStateException(
                    "the region stays swapped out: not all of its pages can be brought in now"));
        }
        if (why != null) {
            left.completeExceptionally(why);
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the region is closed");
    }
}
