package org.verbena.memory;

import java.util.Optional;
import org.verbena.RemoteAccess;

/**
 * A group of regions, windows and queue pairs. A key of one protection domain is refused to queue pairs of another. Made by an
 * adapter; used with this adapter only. Any thread.
 */
public interface ProtectionDomain extends AutoCloseable {
    /** Number of the protection domain, unique within its adapter. */
    int id();

    /**
     * The owner of the memory that it is bound to. Memory of another owner cannot be registered in it, and the queue pairs in it belong to
     * this owner. Empty: it is bound to none, and has memory of every owner.
     */
    Optional<MemoryDomain> memoryDomain();

    /** The keys of this protection domain that peers may use. */
    RemoteAccess remoteAccess();

    /** Number of regions, windows, address handles and queue pairs that are open in it. */
    int entries();

    /**
     * Ends the protection domain. Idempotent.
     *
     * @throws IllegalStateException if {@link #entries} is not zero; nothing changes then
     */
    @Override
    void close();
}
