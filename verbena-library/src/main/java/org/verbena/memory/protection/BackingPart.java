package org.verbena.memory.protection;

import org.verbena.memory.ManagedMemory;
import org.verbena.memory.translation.Backing;
import org.verbena.memory.translation.FrameMemory;

/**
 * The part of a memory that a region is on.
 *
 * @param offset of its first byte in the memory
 * @param length bytes
 */
record BackingPart(Backing backing, long offset, long length) {
    static BackingPart whole(Backing backing) {
        return new BackingPart(backing, 0, backing.length());
    }

    static BackingPart whole(ManagedMemory memory) {
        return whole(FrameMemory.of(memory).backing());
    }

    /**
     * Part of managed memory.
     *
     * @throws IndexOutOfBoundsException if it is empty or not within the memory
     */
    static BackingPart of(ManagedMemory memory, long offset, long length) {
        Backing backing = FrameMemory.of(memory).backing();
        if (offset < 0 || length < 1 || offset > backing.length() - length) {
            throw new IndexOutOfBoundsException("at least 1 byte within " + backing.length() + " bytes expected; found "
                    + length + " bytes at offset " + offset);
        }
        return new BackingPart(backing, offset, length);
    }
}
