package org.verbena.adapter.ib;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.Limits;
import org.verbena.link.Path;
import org.verbena.memory.ProtectionDomain;

/**
 * Where datagrams may go: the engine's side of address handles, by number. A number is a slot and a generation, so that
 * a request with a handle that was closed does not reach another destination.
 */
public final class Destinations {
    private static final int INDEX_BITS = 16;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

    private @Nullable Path[] paths = new @Nullable Path[16];
    private @Nullable ProtectionDomain[] domains = new @Nullable ProtectionDomain[16];
    private int[] handles = new int[16];
    private final ArrayDeque<Integer> resting = new ArrayDeque<>();
    private int fresh;

    public Destinations() {}

    /**
     * Adds a destination; its number.
     *
     * @throws IllegalStateException when there are {@link Limits#ADDRESS_HANDLES_MAX} already
     */
    public int add(Path path, ProtectionDomain domain) {
        Integer free = resting.poll();
        int index = free == null ? fresh() : free;
        paths[index] = path;
        domains[index] = domain;
        return handles[index];
    }

    private int fresh() {
        if (fresh == Limits.ADDRESS_HANDLES_MAX) {
            throw new IllegalStateException(
                    "all " + Limits.ADDRESS_HANDLES_MAX + " address handles of the adapter are in use");
        }
        if (fresh == paths.length) {
            paths = Arrays.copyOf(paths, fresh * 2);
            domains = Arrays.copyOf(domains, fresh * 2);
            handles = Arrays.copyOf(handles, fresh * 2);
        }
        handles[fresh] = fresh;
        return fresh++;
    }

    /** The way to a destination of this domain's; null if there is none with this number. */
    public @Nullable Path find(int handle, ProtectionDomain domain) {
        int index = handle & INDEX_MASK;
        return index < fresh && handles[index] == handle && domains[index] == domain ? paths[index] : null;
    }

    /** Forgets a destination; does nothing if there is none with this number. */
    public void remove(int handle) {
        int index = handle & INDEX_MASK;
        if (index >= fresh || handles[index] != handle || paths[index] == null) {
            return;
        }
        paths[index] = null;
        domains[index] = null;
        handles[index] += 1 << INDEX_BITS;
        resting.add(index);
    }
}
