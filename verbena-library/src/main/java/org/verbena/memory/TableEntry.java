package org.verbena.memory;

import java.util.Set;
import org.verbena.Right;

/**
 * One entry of a protection table at one moment, for people and tools.
 *
 * <p>Memory of a guest is translated twice. The key selects the entry, whose table translates to guest physical memory. The second key is
 * derived from the key: its index is the number of the memory domain, which selects the table of the guest's physical memory, and its
 * instance is the key's. The library resolves it once, when the memory is allocated.
 *
 * @param key the present key
 * @param type region or window
 * @param protectionDomain number of its protection domain
 * @param memoryDomain number of the domain whose memory it is; 0 for the host, and for a window that is not bound
 * @param secondKey the key of stage two; 0 if there is no stage two: the memory is the host's
 * @param address of its first byte
 * @param length bytes; 0 for a window that is not bound
 * @param rights the accesses that it allows
 * @param valid whether accesses are allowed now
 */
public record TableEntry(
        int key,
        EntryType type,
        int protectionDomain,
        int memoryDomain,
        int secondKey,
        long address,
        long length,
        Set<Right> rights,
        boolean valid) {
    /** Copies the rights. */
    public TableEntry {
        rights = Set.copyOf(rights);
    }

    /** The second key of a key on memory of a domain. */
    public static int secondKey(int key, int memoryDomain) {
        return memoryDomain == 0 ? 0 : MemoryKey.of(memoryDomain, MemoryKey.instance(key));
    }
}
