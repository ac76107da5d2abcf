package org.verbena.verbs;

import org.verbena.memory.Region;

/**
 * Memory at the other end: what writes, reads and atomics name. Its owner tells the peer address and key.
 *
 * @param address of the first byte, under the key
 * @param key of a region or a window of the peer
 */
public record RemoteMemory(long address, int key) {
    /**
     * All of a region, to be told to a peer.
     *
     * @throws IllegalStateException if the region is closed
     */
    public static RemoteMemory of(Region region) {
        return new RemoteMemory(region.address(), region.key());
    }

    /** The memory from {@code offset} bytes on, under the same key. */
    public RemoteMemory plus(long offset) {
        return new RemoteMemory(address + offset, key);
    }
}
