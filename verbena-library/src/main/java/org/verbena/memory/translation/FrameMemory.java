package org.verbena.memory.translation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.memory.Advice;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.MemoryDomain;
import org.verbena.memory.PageState;
import org.verbena.memory.Pinned;
import org.verbena.memory.Region;
import org.verbena.memory.Residency;
import org.verbena.pool.HoldCount;

/** The common part of wired and paged memory: bounds, holders, pins. */
public abstract class FrameMemory implements ManagedMemory {
    /** Id of the host domain. */
    public static final int HOST = 0;

    private final HoldCount holds = new HoldCount();

    /** Open, with no holder. */
    protected FrameMemory() {}

    /**
     * The implementation behind a memory.
     *
     * @throws IllegalArgumentException if it is not one of this library's
     */
    public static FrameMemory of(ManagedMemory memory) {
        if (memory instanceof FrameMemory own) {
            return own;
        }
        throw new IllegalArgumentException(memory + " was not allocated by a hypervisor or machine memory");
    }

    @Override
    public final long length() {
        return table().length();
    }

    /** Where its pages are. */
    public abstract TranslationTable table();

    /** Where its bytes are, for an entry of a protection table. */
    public abstract Backing backing();

    /** Whether its pages can leave machine memory, so that a region on it can be swapped out. */
    public boolean isSwappable() {
        return false;
    }

    /** Whether an access by a valid key may find a page missing. */
    public boolean mayFault() {
        return false;
    }

    /** The domain whose memory it is. */
    public int domainId() {
        return HOST;
    }

    /** Whether the domain is its owner. */
    public boolean belongsTo(MemoryDomain domain) {
        return domain.isHost();
    }

    @Override
    public final void write(long offset, MemorySegment source) {
        copyHeld(offset, source, true);
    }

    @Override
    public final void read(long offset, MemorySegment target) {
        copyHeld(offset, target, false);
    }

    private void copyHeld(long offset, MemorySegment other, boolean in) {
        check(offset, other.byteSize());
        hold();
        try {
            copy(offset, other, in);
        } finally {
            release();
        }
    }

    /** Copies all of the other segment into the memory, or fills it from the memory. */
    protected abstract void copy(long offset, MemorySegment other, boolean in);

    @Override
    public final Pinned pin(long offset, long length, Pinned.Mode mode) {
        return pin(offset, length, mode, Arena.ofConfined());
    }

    @Override
    public final Pinned pinShared(long offset, long length, Pinned.Mode mode) {
        return pin(offset, length, mode, Arena.ofShared());
    }

    private Pinned pin(long offset, long length, Pinned.Mode mode, Arena lifetime) {
        check(offset, length);
        if (length == 0) {
            throw new IllegalArgumentException("0 bytes at offset " + offset + " found, at least 1 to pin expected");
        }
        hold();
        Runnable unpin = null;
        try {
            Runnable pinned = pinPages(offset, length, mode);
            unpin = pinned;
            return new PinnedRange(this, offset, length, mode, lifetime, () -> {
                pinned.run();
                release();
            });
        } catch (Throwable refused) {
            if (unpin != null) {
                unpin.run();
            }
            release();
            throw refused;
        }
    }

    /** Pins the pages of a range; returns the action that unpins them. */
    protected abstract Runnable pinPages(long offset, long length, Pinned.Mode mode);

    /** The machine address of a byte of a pinned page. */
    protected abstract long pinnedAddress(long offset);

    @Override
    public final void advise(long offset, long length, Advice advice) {
        check(offset, length);
        if (length == 0) {
            return;
        }
        hold();
        try {
            heed(offset, length, advice);
        } finally {
            release();
        }
    }

    /** Follows advice on a range that is not empty. */
    protected abstract void heed(long offset, long length, Advice advice);

    @Override
    public final Residency residency() {
        return new Residency(table().pages(), this::pageState);
    }

    /** The state of a page now. */
    public abstract PageState pageState(long page);

    /** Refuses a range that is not within the memory. */
    protected final void check(long offset, long size) {
        if (offset < 0 || size < 0 || offset > length() - size || offset == length()) {
            throw new IndexOutOfBoundsException(
                    size + " bytes at offset " + offset + " are not within " + length() + " bytes");
        }
    }

    @Override
    public final long metadataBytes() {
        return table().metadataBytes();
    }

    @Override
    public final int uses() {
        return holds.count();
    }

    @Override
    public final void close() {
        if (holds.close(this)) {
            free();
        }
    }

    /** Gives the frames back. Called when the memory has no holder, once. */
    protected abstract void free();

    /** Called after a region on this memory has been put into a protection table. */
    public void onRegistered(Region region) {}

    /** Called after a region on this memory has been removed from its protection table. */
    public void onDeregistered(Region region) {}

    /** Called before a send queue registers part of this memory. The memory is held. */
    protected void onTaken() {}

    /** Called after such a registration has ended, by an engine too: it does not wait. */
    protected void onGivenBack() {}

    /** Refuses all further holders. */
    protected final void shut() {
        holds.shut();
    }

    /** Whether it takes no more holders. */
    public final boolean isShut() {
        return holds.isShut();
    }

    /**
     * Adds a holder: the memory cannot be closed before {@link #release}.
     *
     * @throws IllegalStateException if the memory is shut or closed
     */
    public final void hold() {
        holds.hold(this);
    }

    /** Removes a holder. */
    public final void release() {
        holds.release();
    }

    @Override
    public String toString() {
        return "managed memory of " + length() + " bytes";
    }
}
