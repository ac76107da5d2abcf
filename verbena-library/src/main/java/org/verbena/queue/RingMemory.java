package org.verbena.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Where rings and doorbells get their memory: from this process, or from memory that other processes map too. */
@FunctionalInterface
public interface RingMemory {
    /** Memory of this process alone, freed when nothing refers to it any more. */
    RingMemory LOCAL = bytes -> Arena.ofAuto().allocate(bytes, RingHeader.LINE);

    /**
     * Gives memory for one ring or one doorbell.
     *
     * @return native memory, aligned to 128 bytes, that every thread may access as long as the ring is in use. Behind it no
     *     file can be cut while it is in use: an access beyond the end of a mapped file ends the engine's turn.
     */
    MemorySegment allocate(long bytes);
}
