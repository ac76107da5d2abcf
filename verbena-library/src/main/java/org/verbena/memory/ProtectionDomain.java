package org.verbena.memory;

import org.verbena.RemoteAccess;

/**
 * A group of regions, windows and queue pairs. A key of one protection domain is refused to queue pairs of another. Made by an
 * adapter; used with this adapter only. Any thread.
 */
public interface ProtectionDomain extends AutoCloseable {
    /** Number of the protection domain, unique within its adapter. */
    int id();

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
