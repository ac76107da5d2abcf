package org.verbena.adapter.ib;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Limits;
import org.verbena.link.LinkPath;
import org.verbena.memory.ProtectionDomain;
import org.verbena.pool.IndexPool;

/**
 * The destinations of datagrams by number: the engine's side of address handles. A number is an index and a generation, so that
 * a request with the number of a closed handle reaches no other destination.
 */
public final class Destinations {
    private static final int INDEX_BITS = 16;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private final IndexPool indexes = IndexPool.inOrder(0, Limits.ADDRESS_HANDLES_MAX);
    private @Nullable LinkPath[] paths = new @Nullable LinkPath[16];
    private @Nullable ProtectionDomain[] domains = new @Nullable ProtectionDomain[16];
    private int[] handles = new int[16];

    public Destinations() {}

    /**
     * Adds a destination; its number.
     *
     * @throws IllegalStateException when there are {@link Limits#ADDRESS_HANDLES_MAX} already
     */
    public int add(LinkPath path, ProtectionDomain domain) {
        int index = indexes.take();
        if (index == IndexPool.NONE) {
            throw new IllegalStateException(
                    "all " + Limits.ADDRESS_HANDLES_MAX + " address handles of the adapter are in use");
        }
        if (index >= paths.length) {
            int length = Math.max(index + 1, 2 * paths.length);
            paths = Arrays.copyOf(paths, length);
            domains = Arrays.copyOf(domains, length);
            handles = Arrays.copyOf(handles, length);
        }
        paths[index] = path;
        domains[index] = domain;
        handles[index] = indexes.generation(index) << INDEX_BITS | index;
        return handles[index];
    }

    /** The path to a destination of this domain; null if none has this number. */
    public @Nullable LinkPath find(int handle, ProtectionDomain domain) {
        int index = handle & INDEX_MASK;
        return index < paths.length && handles[index] == handle && domain.equals(domains[index]) ? paths[index] : null;
    }

    /** Removes a destination; does nothing if none has this number. */
    public void remove(int handle) {
        int index = handle & INDEX_MASK;
        if (index >= paths.length || handles[index] != handle || paths[index] == null) {
            return;
        }
        paths[index] = null;
        domains[index] = null;
        indexes.giveBack(index, handle >>> INDEX_BITS);
    }
}
