package org.verbena.memory.swapping;

import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import org.verbena.memory.SwapOut;

/**
 * One swap-out of a region: the pages that are to leave, and how far that has come. Used under the lock of the region's memory; its
 * future is completed without it.
 */
final class Departure {
    private final CompletableFuture<SwapOut> future = new CompletableFuture<>();
    private final boolean wasOut;
    private BitSet toWrite;
    private SwapOut end = SwapOut.of(SwapOut.State.OUT);

    /** @param wasOut whether the region is out already, and more of its pages are to leave */
    Departure(BitSet pages, boolean wasOut) {
        this.toWrite = (BitSet) pages.clone();
        this.wasOut = wasOut;
    }

    /** Of a region that was never swapped out. */
    static Departure none() {
        Departure none = new Departure(new BitSet(), true);
        none.end();
        return none;
    }

    CompletableFuture<SwapOut> future() {
        return future;
    }

    @SuppressWarnings("ReferenceEquality") // identity, not equality
    boolean isOf(CompletableFuture<SwapOut> other) {
        return future == other;
    }

    /** Whether the region was out before. */
    boolean wasOut() {
        return wasOut;
    }

    /** More pages are to leave. */
    void add(BitSet pages) {
        toWrite.or(pages);
    }

    /** Takes the pages that are to leave and were not taken before. */
    BitSet take() {
        BitSet taken = toWrite;
        toWrite = new BitSet();
        return taken;
    }

    /** Pages that were taken are written. Returns whether more can be taken. */
    boolean onWritten(SwapOut result) {
        end = end.plus(result);
        return end.isOut() && !toWrite.isEmpty();
    }

    /** Whether all pages so far have been taken by the store. */
    boolean isOut() {
        return end.isOut();
    }

    /** Whether the region must come back: the store did not take all pages, and the region was valid before. */
    boolean isCalledOff() {
        return !end.isOut() && !wasOut;
    }

    /** It is over, as far as it has come. Not under the lock. */
    void end() {
        future.complete(end);
    }

    /** It is over before a page has left. Not under the lock. */
    void end(SwapOut.State state) {
        future.complete(SwapOut.of(state));
    }
}
