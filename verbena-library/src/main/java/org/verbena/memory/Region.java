package org.verbena.memory;

import java.util.Set;
import org.verbena.Right;

/**
 * Registered memory: an entry of an adapter's protection table from registration to {@link #close}. Any thread.
 *
 * <p>The memory stays the consumer's. The consumer may read and write it at any time; it may then see a message of which
 * only a part is placed. Foreign memory may be closed before the region; accesses are refused from then on.
 */
public interface Region extends AutoCloseable {
    /**
     * The key for local and remote use. The key of a reserved region changes when the region is enabled under another instance.
     *
     * @throws IllegalStateException if the region is closed
     */
    int key();

    /** The address of its first byte in accesses under its key. */
    long address();

    /** Bytes. */
    long length();

    /** The rights that its entry grants; they always include {@link Right#LOCAL_READ}. Immutable. */
    Set<Right> rights();

    /**
     * Pages of 4 KiB that a registration by the send queue may put behind the key; 0 if the memory of the region is fixed. A region with room is
     * reserved by its number of pages. It has an address, a length and rights while memory is registered under its key; before that and after an
     * invalidation its address and length are 0, and it has no rights.
     */
    int room();

    /** The protection domain it was registered in. */
    ProtectionDomain domain();

    /**
     * Id of the domain whose memory it is: 0 for the host's memory and for foreign memory. The entry of the key carries the id; it
     * selects the translation that an access goes through. See {@link org.verbena.memory.hypervisor.Hypervisor#domain}.
     */
    int memoryDomain();

    /**
     * Pins a range of managed memory by its offset in the region; see {@link ManagedMemory#pin}.
     *
     * @throws UnsupportedOperationException if the memory is foreign: it needs no pin; or if the region has {@link #room}
     */
    Pinned pin(long offset, long length, Pinned.Mode mode);

    /** Whether accesses under its key can be granted now. */
    boolean isValid();

    /**
     * The current I/O of a region that may be swapped out.
     *
     * @throws IllegalStateException if the region was registered without a current-I/O field
     */
    CurrentIo currentIo();

    /**
     * Deregisters the region. Waits for the copies that are under way. When it returns no access is under way and none will start:
     * the memory may be freed. Accesses through windows that are bound to the region are refused from now on. Idempotent.
     */
    @Override
    void close();
}
