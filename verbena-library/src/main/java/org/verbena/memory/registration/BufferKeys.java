package org.verbena.memory.registration;

import java.lang.foreign.MemorySegment;
import org.verbena.memory.ProtectionDomain;

/**
 * Gives the key of a buffer that a work request names. {@link BufferTable} does it in this process; a table that a server keeps for its clients would be
 * another implementation.
 */
@FunctionalInterface
public interface BufferKeys {
    /**
     * The key of a registration that covers the buffer, and an operation counted on it: it stays until the operation is counted out.
     *
     * @param buffer not empty
     * @param write whether the adapter writes to the buffer
     * @throws IllegalArgumentException if the buffer cannot be registered, or may not be written to
     * @throws IllegalStateException if its arena is closed or being closed, or there is no room for a registration
     */
    int begin(ProtectionDomain domain, MemorySegment buffer, boolean write);
}
