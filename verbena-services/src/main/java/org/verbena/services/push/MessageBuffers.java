package org.verbena.services.push;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import org.verbena.Right;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Region;
import org.verbena.verbs.Adapter;

/** Buffers for messages that a channel sends. */
final class MessageBuffers {
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;
    private final Region region;
    private final int bytes;
    private final int[] free;
    private int freeCount;

    MessageBuffers(Adapter adapter, ProtectionDomain domain, int count, int bytes) {
        this.bytes = (bytes + 63) & -64;
        this.free = new int[count];
        this.memory = arena.allocate((long) count * this.bytes, 64);
        try {
            region = adapter.register(domain, memory, EnumSet.of(Right.LOCAL_READ));
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
        for (int i = 0; i < count; i++) {
            free[freeCount++] = count - 1 - i;
        }
    }

    Region region() {
        return region;
    }

    MemorySegment memory() {
        return memory;
    }

    int freeCount() {
        return freeCount;
    }

    /** Takes a buffer; there is one. */
    int take() {
        return free[--freeCount];
    }

    void release(int buffer) {
        free[freeCount++] = buffer;
    }

    long offset(int buffer) {
        return (long) buffer * bytes;
    }

    void close() {
        region.close();
        arena.close();
    }
}
