package org.verbena.memory.protection;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.PageSize;
import org.verbena.memory.translation.Backing;

/**
 * A range of memory, the address of its first byte under a key, and the rights on it: checked, so that a send queue can put it behind a key that
 * was {@linkplain ProtectionTable#reserve(org.verbena.memory.ProtectionDomain, int) reserved}. Immutable; any thread.
 */
public final class MemoryRange {
    private final BackingPart part;
    private final long address;
    private final int rights;

    private MemoryRange(BackingPart part, long address, int rights) {
        require(part, address, rights);
        this.part = part;
        this.address = address;
        this.rights = rights;
    }

    /**
     * All of a native segment of the consumer.
     *
     * @throws IllegalArgumentException if the segment or the rights are not allowed
     */
    public static MemoryRange of(MemorySegment foreign, long address, Set<Right> rights) {
        return new MemoryRange(ForeignMemory.part(foreign), address, Rights.ofRegion(rights));
    }

    /**
     * Part of managed memory.
     *
     * @throws IndexOutOfBoundsException if it is empty or not within the memory
     * @throws IllegalArgumentException if the rights are not allowed
     */
    public static MemoryRange of(ManagedMemory managed, long offset, long length, long address, Set<Right> rights) {
        return new MemoryRange(BackingPart.of(managed, offset, length), address, Rights.ofRegion(rights));
    }

    /** Refuses a range that wraps around the end of the address space, and rights that the memory does not allow. */
    static void require(BackingPart part, long address, int rights) {
        if (Long.compareUnsigned(address + (part.length() - 1), address) < 0) {
            throw new IllegalArgumentException("region of " + part.length() + " bytes at 0x" + Long.toHexString(address)
                    + " wraps around the end of the address space");
        }
        if (part.backing().isReadOnly() && (rights & Rights.CHANGE) != 0) {
            throw new IllegalArgumentException("read-only memory cannot be registered for " + Right.ofMask(rights));
        }
    }

    /** Pages of 4 KiB that it touches: the room that its key needs. */
    public long pages() {
        return PageSize.KIB_4.pages(backing().table().firstOffset() + offset(), length());
    }

    /**
     * Holds managed memory, so that it cannot be closed before {@link #giveBack}. Foreign memory is not held: a registration finds out whether it is open.
     *
     * @throws IllegalStateException if the memory is closed
     */
    public void take() {
        backing().take();
    }

    /** The end of {@link #take}, if no key has got the memory. Does not wait. */
    public void giveBack() {
        backing().giveBack();
    }

    public long address() {
        return address;
    }

    public long length() {
        return part.length();
    }

    long offset() {
        return part.offset();
    }

    /** The mask of the rights, local read included. */
    public int rights() {
        return rights;
    }

    Backing backing() {
        return part.backing();
    }

    @Override
    public String toString() {
        return length() + " bytes at 0x" + Long.toHexString(address) + ", " + Right.ofMask(rights);
    }
}
