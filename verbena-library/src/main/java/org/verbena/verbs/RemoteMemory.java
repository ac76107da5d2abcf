package org.verbena.verbs;

import org.verbena.memory.Region;

/**
 * Memory at the other end, as its owner told of it: what one-sided operations name.
 *
 * @param address where it begins
 * @param key of a region or a window
 */
public record RemoteMemory(long address, int key) {
    /** What to tell a peer that may use all of this region. */
    public static RemoteMemory of(Region region) {
        return new RemoteMemory(region.address(), region.key());
    }

    /** The memory from an offset on. */
    public RemoteMemory plus(long offset) {
        return new RemoteMemory(address + offset, key);
    }
}
