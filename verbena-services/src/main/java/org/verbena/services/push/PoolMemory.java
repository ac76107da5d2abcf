package org.verbena.services.push;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.verbena.Right;
import org.verbena.memory.ManagedMemory;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.memory.hypervisor.Hypervisor;
import org.verbena.verbs.Adapter;

/** The registered memory of one pool: in place, or paged. */
final class PoolMemory {
    private final Arena arena;
    private final @Nullable ManagedMemory paged;
    /** All of the memory; of paged memory, room for a copy of one element. */
    private final MemorySegment segment;

    private final Region region;

    private PoolMemory(Arena arena, @Nullable ManagedMemory paged, MemorySegment segment, Region region) {
        this.arena = arena;
        this.paged = paged;
        this.segment = segment;
        this.region = region;
    }

    /**
     * Allocates and registers memory.
     *
     * @param hypervisor of paged memory; null for memory in place
     * @throws IllegalStateException if there is no room for it
     */
    static PoolMemory create(
            Adapter adapter,
            ProtectionDomain domain,
            PoolShape shape,
            Set<Right> rights,
            @Nullable Hypervisor hypervisor) {
        Arena arena = Arena.ofShared();
        ManagedMemory paged = null;
        try {
            paged = hypervisor == null ? null : hypervisor.host().allocate(shape.bytes());
            MemorySegment segment = arena.allocate(paged == null ? shape.bytes() : shape.elementBytes(), 64);
            Region region = paged == null
                    ? adapter.register(domain, segment, rights)
                    : adapter.register(domain, paged, 0, rights);
            return new PoolMemory(arena, paged, segment, region);
        } catch (RuntimeException e) {
            if (paged != null) {
                paged.close();
            }
            arena.close();
            throw e;
        }
    }

    Region region() {
        return region;
    }

    /** Memory that has the bytes of a range now. */
    MemorySegment readable(long at, int length) {
        if (paged != null) {
            paged.read(at, segment.asSlice(0, length));
        }
        return segment;
    }

    /** Where a range begins in {@link #readable}. */
    long offset(long at) {
        return paged == null ? at : 0;
    }

    /** Copies data into the memory. */
    void write(long at, MemorySegment from, long offset, int length) {
        if (paged != null) {
            paged.write(at, from.asSlice(offset, length));
        } else {
            MemorySegment.copy(from, offset, segment, at, length);
        }
    }

    /** Deregisters and frees it. */
    void close() {
        region.close();
        if (paged != null) {
            paged.close();
        }
        arena.close();
    }
}
