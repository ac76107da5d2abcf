package org.verbena.memory.swapping;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.SwapOut;
import org.verbena.memory.protection.RegionIo;
import org.verbena.trace.PagingCounter;

/**
 * Swaps one region out and in: a state machine. Events come from the caller, from the engine that retired the last operation,
 * and from the store that wrote the last page. Each of them leaves its step as an errand, so that it waits for nothing.
 * Actions of the consumer are called in errands only.
 */
public final class RegionSwap {
    private enum Phase {
        /** Valid. */
        IN,
        /** The consumer was asked for quiesce. */
        QUIESCING,
        /** Invalid; its pages are being written to the store. */
        WRITING,
        /** Invalid. */
        OUT,
        /** Invalid; its pages are being brought in. */
        READING
    }

    /**
     * Milliseconds for which quiesce waits for operations under way although the owner waits for the region. Operations that
     * the adapter executes end sooner; others may be waiting for the owner.
     */
    static final long GRACE_MS = 10;

    /**
     * Milliseconds until a word in the consumer's memory is looked at first, and at most between two looks; each pause is twice the one
     * before.
     */
    static final long LOOK_MS = 1;

    static final long LOOK_MAX_MS = 64;

    private final MemorySwap memory;
    private final RegionIo io;
    /** All pages of the region. */
    private final BitSet pages;

    // Everything below: under the memory's lock.
    private Phase phase = Phase.IN;
    /** Whether interest was shown since the last swap-out began. */
    private boolean wanted;

    /** Whether the grace time after the request for quiesce still runs. */
    private boolean grace;

    /** Pages that were written out since the region was last valid. */
    private BitSet away = new BitSet();

    private Departure leaving = Departure.none();
    private CompletableFuture<Void> coming = CompletableFuture.completedFuture(null);
    /** Number of the hypervisor's decisions since the region was last accessed. */
    private int age;

    RegionSwap(MemorySwap memory, RegionIo io, BitSet pages) {
        this.memory = memory;
        this.io = io;
        this.pages = pages;
        io.onInterest(this::onInterest);
    }

    MemorySwap memory() {
        return memory;
    }

    /** Whether the region is valid, or becomes valid when its pages are there. Under the lock. */
    boolean needsPages() {
        return phase != Phase.WRITING && phase != Phase.OUT;
    }

    /** Whether the region cannot be swapped out any more: the count of its operations is not known. */
    boolean stays() {
        return io.isWordLost();
    }

    /**
     * Counts a decision of the hypervisor. Returns the number of decisions since the last access; -1 if the region is not in, or
     * stays.
     */
    int age() {
        memory.lock().lock();
        try {
            age = io.takeTouched() ? 0 : age + 1;
            return phase == Phase.IN && !stays() ? age : -1;
        } finally {
            memory.lock().unlock();
        }
    }

    // --- out

    /** Starts a swap-out of all pages that waits for the consumer without a limit. */
    public CompletableFuture<SwapOut> swapOut() {
        return swapOut(pages, 0);
    }

    /** Starts a swap-out of some pages that waits for the consumer without a limit. */
    public CompletableFuture<SwapOut> swapOut(BitSet part) {
        return swapOut(part, 0);
    }

    /**
     * Starts a swap-out of all pages.
     *
     * @param patienceMs time after which it is called off if the consumer is not quiet; 0: never. Has no effect on a swap-out
     *     that began before
     */
    public CompletableFuture<SwapOut> swapOut(long patienceMs) {
        return swapOut(pages, patienceMs);
    }

    /** Starts a swap-out, or adds pages to the one under way. Of a region that is out, more pages are written. */
    private CompletableFuture<SwapOut> swapOut(BitSet part, long patienceMs) {
        Departure mine;
        memory.lock().lock();
        try {
            switch (phase) {
                case QUIESCING, WRITING -> {
                    leaving.add(part);
                    return leaving.future();
                }
                case READING -> {
                    return CompletableFuture.completedFuture(SwapOut.of(SwapOut.State.COMING_IN));
                }
                case OUT -> {
                    mine = new Departure(part, true);
                    phase = Phase.WRITING;
                }
                case IN -> {
                    if (!io.requestQuiesce(() -> memory.errands().run(this::onIdle))) {
                        return CompletableFuture.completedFuture(
                                SwapOut.of(io.isWordLost() ? SwapOut.State.WORD_LOST : SwapOut.State.CLOSED));
                    }
                    mine = new Departure(part, false);
                    phase = Phase.QUIESCING;
                    wanted = false;
                    grace = true;
                }
                default -> throw new AssertionError(phase);
            }
            leaving = mine;
        } finally {
            memory.lock().unlock();
        }
        if (mine.wasOut()) {
            memory.errands().run(this::writeOut);
        } else {
            askForQuiesce(mine, patienceMs);
        }
        return mine.future();
    }

    private void askForQuiesce(Departure mine, long patienceMs) {
        memory.errands().run(() -> {
            io.tellQuiesce();
            onIdle();
        });
        memory.errands().runLater(GRACE_MS, () -> onGraceOver(mine));
        if (io.isShared()) {
            memory.errands().runLater(LOOK_MS, () -> look(mine, LOOK_MS));
        }
        if (patienceMs > 0) {
            memory.errands().runLater(patienceMs, () -> callOff(mine.future()));
        }
    }

    /**
     * Looks at a word in the consumer's memory: no call tells of what another process does there. Looks again until the region is valid
     * again or closed. An errand.
     */
    @SuppressWarnings("ReferenceEquality") // identity, not equality
    private void look(Departure which, long pauseMs) {
        memory.lock().lock();
        try {
            if (which != leaving || !io.isAsked()) {
                return;
            }
        } finally {
            memory.lock().unlock();
        }
        if (io.takeInterest()) {
            onInterest();
        }
        onIdle();
        if (io.isWordLost()) {
            // The count is not known any more. A region that is out stays out until it is swapped in.
            callOff(which.future(), SwapOut.State.WORD_LOST);
        } else {
            long nextMs = Math.min(2 * pauseMs, LOOK_MAX_MS);
            memory.errands().runLater(nextMs, () -> look(which, nextMs));
        }
    }

    /** Clears valid if no operation is under way. An errand: it waits for copies. */
    private void onIdle() {
        Departure gone = null;
        memory.lock().lock();
        try {
            if (phase != Phase.QUIESCING) {
                return;
            }
            if (io.clearValid()) {
                phase = Phase.WRITING;
            } else if (io.isAsked()) {
                return;
            } else {
                phase = Phase.IN;
                gone = leaving;
            }
        } finally {
            memory.lock().unlock();
        }
        if (gone != null) {
            gone.end(SwapOut.State.CLOSED);
        } else {
            io.awaitNobodyInside();
            writeOut();
        }
    }

    /** Writes the pages out that were asked for so far. The region is invalid. An errand. */
    private void writeOut() {
        BitSet taken;
        memory.lock().lock();
        try {
            taken = leaving.take();
            away.or(taken);
        } finally {
            memory.lock().unlock();
        }
        memory.writeOut(taken, this);
    }

    /** Calls a swap-out off that waits for the consumer. False if there is none. */
    public boolean callOff() {
        return callOff(null);
    }

    /** Calls one swap-out off, not a later one. */
    public boolean callOff(@Nullable CompletableFuture<SwapOut> which) {
        return callOff(which, SwapOut.State.CALLED_OFF);
    }

    private boolean callOff(@Nullable CompletableFuture<SwapOut> which, SwapOut.State why) {
        Departure ended;
        memory.lock().lock();
        try {
            if (phase != Phase.QUIESCING || (which != null && !leaving.isOf(which))) {
                return false;
            }
            phase = Phase.IN;
            age = 0; // it is in use: other regions are tried before it is asked again
            io.resumeQuietly();
            ended = leaving;
        } finally {
            memory.lock().unlock();
        }
        memory.errands().run(() -> {
            io.wake();
            ended.end(why);
        });
        return true;
    }

    /** Pages were written out, or the store did not take them. An errand. */
    void onWritten(SwapOut result) {
        Departure ended;
        boolean back;
        memory.lock().lock();
        try {
            ended = leaving;
            boolean more = ended.onWritten(result) && !wanted;
            back = wanted || ended.isCalledOff();
            if (coming.isDone()) {
                coming = new CompletableFuture<>();
            }
            if (more) {
                memory.errands().run(this::writeOut);
                return;
            }
            phase = back ? Phase.READING : Phase.OUT;
        } finally {
            memory.lock().unlock();
        }
        if (ended.isOut() && !ended.wasOut()) {
            memory.count(PagingCounter.REGIONS_OUT);
        }
        if (!ended.isCalledOff()) {
            ended.end();
        }
        if (back) {
            bringBack();
        }
    }

    // --- in

    /**
     * Brings the region back if it is out. If it is on its way out it is brought back afterwards, or called off if it is not
     * quiet in time.
     */
    private void onInterest() {
        Departure unquiet;
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
            callOff(unquiet.future());
        } else if (out) {
            CompletableFuture<Void> _ = swapIn();
        }
    }

    /**
     * The swap-out that must be called off, because quiesce and the owner may wait for each other: the operations may be
     * receives that stay posted, or operations that only the interested thread would end. Null if there is none. Under the
     * lock.
     */
    private @Nullable Departure unquiet() {
        return phase == Phase.QUIESCING && wanted && !grace && io.operations() > 0 ? leaving : null;
    }

    /** An errand. */
    @SuppressWarnings("ReferenceEquality") // identity, not equality
    private void onGraceOver(Departure which) {
        Departure unquiet;
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
            callOff(unquiet.future());
        }
    }

    /** Starts a swap-in, or calls off a swap-out that waits for the consumer. */
    public CompletableFuture<Void> swapIn() {
        CompletableFuture<Void> mine = null;
        while (mine == null) {
            mine = callOff() ? CompletableFuture.completedFuture(null) : bringIn();
        }
        return mine;
    }

    /** Has the region brought in; null if a swap-out has begun and waits for the consumer. */
    private @Nullable CompletableFuture<Void> bringIn() {
        CompletableFuture<Void> mine;
        memory.lock().lock();
        try {
            if (phase == Phase.QUIESCING) {
                return null;
            }
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
        memory.errands().run(this::bringBack);
        return mine;
    }

    /** An errand. */
    private void bringBack() {
        BitSet wantedPages;
        memory.lock().lock();
        try {
            wantedPages = (BitSet) away.clone();
        } finally {
            memory.lock().unlock();
        }
        memory.bringIn(wantedPages, this);
    }

    /** Called after pins were released: swaps the region in if interest was shown. An errand. */
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
     * Ends a swap-in. If not all pages could be had, the waiting actions keep waiting, for new interest or for released pins:
     * an action that is woken now would only ask again. An errand.
     */
    void onBroughtIn(boolean all) {
        CompletableFuture<Void> ended;
        Departure left;
        memory.lock().lock();
        try {
            phase = all ? Phase.IN : Phase.OUT;
            if (all) {
                io.resumeQuietly();
                away = new BitSet();
            }
            ended = coming;
            left = leaving;
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
        if (left.isCalledOff()) {
            left.end();
        }
    }
}
