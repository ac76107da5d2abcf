package org.verbena.memory.store;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Neighbouring slots to be read into pages of memory that need not be neighbours, or written from them. Made by whoever
 * wants it, filled in by the store, which calls {@link #end} once.
 */
public final class Transfer {
    /** Which way the pages go. */
    public enum Kind {
        /** From the store into memory. */
        READ,
        /** From memory to the store. */
        WRITE
    }

    /** Is told that a transfer ended. */
    @FunctionalInterface
    public interface Listener {
        /** Called once, by any thread, perhaps by the one that submits. Must not block. */
        void onEnd(Transfer transfer);
    }

    /** Pages of one transfer at most. */
    public static final int PAGES_MAX = 64;

    private final Kind kind;
    private final long firstSlot;
    private final MemorySegment memory;
    private final long[] positions;
    private final Outcome[] outcomes;
    private final Listener listener;
    /** When the store got it. */
    long submittedNs;

    private boolean byCaller;

    /**
     * A transfer of one page for each position.
     *
     * @param memory native, alive until the transfer has ended
     * @param positions where in the memory each page starts; its address is divisible by {@link PageStore#PAGE}
     * @throws IllegalArgumentException if a page is not such memory: the operating system gets its bare address
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
            throw new IllegalArgumentException("slot " + firstSlot + " found, none below 0 exists");
        }
        if (!memory.isNative() || (kind == Kind.READ && memory.isReadOnly())) {
            throw new IllegalArgumentException("native memory that may be written expected; found " + memory);
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
     * Before it is submitted: whoever submits it has the time to move its pages itself, should that need no waiting. It is worth
     * that for a few pages only, which take less than waking another thread.
     */
    public Transfer byCaller() {
        byCaller = true;
        return this;
    }

    /** Whether whoever submits it has the time to move its pages itself. */
    public boolean mayBeByCaller() {
        return byCaller;
    }

    public Kind kind() {
        return kind;
    }

    /** Slot of its first page. */
    public long firstSlot() {
        return firstSlot;
    }

    public int pages() {
        return positions.length;
    }

    /** Slot of a page, by its number within the transfer. */
    public long slot(int page) {
        return firstSlot + page;
    }

    /** Whether its memory is there still, as it must be. */
    boolean alive() {
        return memory.scope().isAlive();
    }

    /** Where a page is, for the operating system. */
    long address(int page) {
        return memory.address() + positions[page];
    }

    /** The memory of a page, by its number within the transfer. */
    public MemorySegment page(int page) {
        return memory.asSlice(positions[page], PageStore.PAGE);
    }

    /** How it ended for a page; {@link Outcome#DONE} unless the store said otherwise. */
    public Outcome outcome(int page) {
        return outcomes[page];
    }

    /** For the store: how it goes for a page. */
    public void outcome(int page, Outcome outcome) {
        outcomes[page] = outcome;
    }

    /** For the store: the same for all pages. */
    public void outcomes(Outcome outcome) {
        Arrays.fill(outcomes, outcome);
    }

    /** For the store: over. */
    public void end() {
        listener.onEnd(this);
    }

    @Override
    public String toString() {
        return kind + " of " + positions.length + " slots from " + firstSlot;
    }
}
