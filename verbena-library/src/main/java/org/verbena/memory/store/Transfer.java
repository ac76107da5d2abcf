package org.verbena.memory.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A read or write of neighbouring slots. The pages in memory need not be neighbours. The caller of {@link PageStore#submit} makes the
 * transfer and then leaves it alone; the store sets the outcomes and calls {@link #end} once. After that the outcomes can be read.
 */
public final class Transfer {
    /** The direction of a transfer. */
    public enum Kind {
        /** From the store into memory. */
        READ,
        /** From memory to the store. */
        WRITE
    }

    /** Is told of the end of a transfer. */
    @FunctionalInterface
    public interface Listener {
        /** Called once, on any thread, perhaps on the one that submits the transfer. Must not block. */
        void onEnd(Transfer transfer);
    }

    /** The most pages of one transfer. */
    public static final int PAGES_MAX = 64;

    private final Kind kind;
    private final long firstSlot;
    private final MemorySegment memory;
    private final long[] positions;
    private final Outcome[] outcomes;
    private final Listener listener;
    /** Time of the submission. */
    long submittedNs;

    private boolean byCaller;

    /**
     * A transfer of one page for each position.
     *
     * @param firstSlot slot of the first page; the others follow it
     * @param memory native memory, writable for a read, which stays alive until the transfer has ended
     * @param positions start of each page in the memory; its address is divisible by {@link PageStore#PAGE}
     * @param listener is told of the end
     * @throws IllegalArgumentException if there are no or too many positions, or if a page is not in such memory: the operating system
     *     gets its bare address
     */
    public Transfer(Kind kind, long firstSlot, MemorySegment memory, long[] positions, Listener listener) {
        if (positions.length < 1 || positions.length > PAGES_MAX) {
            throw new IllegalArgumentException(
                    "a transfer has from 1 to " + PAGES_MAX + " pages; found " + positions.length);
        }
        this.kind = kind;
        this.firstSlot = firstSlot;
        this.memory = memory;
        this.positions = positions.clone();
        this.outcomes = new Outcome[positions.length];
        this.listener = listener;
        Arrays.fill(outcomes, Outcome.DONE);
        check();
    }

    private void check() {
        if (firstSlot < 0) {
            throw new IllegalArgumentException("slots begin at 0; found " + firstSlot);
        }
        if (!memory.isNative() || (kind == Kind.READ && memory.isReadOnly())) {
            throw new IllegalArgumentException(
                    (kind == Kind.READ ? "writable native" : "native") + " memory expected; found " + memory);
        }
        for (long position : positions) {
            if (position < 0
                    || position > memory.byteSize() - PageStore.PAGE
                    || (memory.address() + position) % PageStore.PAGE != 0) {
                throw new IllegalArgumentException("a page at " + position + " is not a whole page of the "
                        + memory.byteSize() + " bytes at address " + memory.address() + ", or not aligned to "
                        + PageStore.PAGE);
            }
        }
    }

    /**
     * Allows the thread that submits the transfer to move the pages itself, if that needs no wait. Called before the submission. Of
     * use for a few pages only, which take less time than waking another thread.
     *
     * @return this transfer
     */
    public Transfer byCaller() {
        byCaller = true;
        return this;
    }

    /** Whether {@link #byCaller} was called. */
    public boolean mayBeByCaller() {
        return byCaller;
    }

    /** Direction of the transfer. */
    public Kind kind() {
        return kind;
    }

    /** Slot of the first page. */
    public long firstSlot() {
        return firstSlot;
    }

    /** Number of pages. */
    public int pages() {
        return positions.length;
    }

    /** Slot of a page, by its number within the transfer. */
    public long slot(int page) {
        return firstSlot + page;
    }

    /** Whether the memory is still alive, as it must be. */
    boolean alive() {
        return memory.scope().isAlive();
    }

    /** Address of a page, for the operating system. */
    long address(int page) {
        return memory.address() + positions[page];
    }

    /** The memory of a page, by its number within the transfer. */
    public MemorySegment page(int page) {
        return memory.asSlice(positions[page], PageStore.PAGE);
    }

    /** Result for a page, by its number within the transfer; {@link Outcome#DONE} unless the store has set another. */
    public Outcome outcome(int page) {
        return outcomes[page];
    }

    /** Sets the result for a page. Called by the store. */
    public void outcome(int page, Outcome outcome) {
        outcomes[page] = outcome;
    }

    /** Sets the same result for all pages. Called by the store. */
    public void outcomes(Outcome outcome) {
        Arrays.fill(outcomes, outcome);
    }

    /** Ends the transfer: calls its listener. Called by the store, once. */
    public void end() {
        listener.onEnd(this);
    }

    @Override
    public String toString() {
        return kind + " of " + positions.length + " slots from " + firstSlot;
    }
}
