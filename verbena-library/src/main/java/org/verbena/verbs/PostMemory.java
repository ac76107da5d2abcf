package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.registration.BufferKeys;
import org.verbena.memory.registration.CopyPool;
import org.verbena.queue.LocalSegments;

/**
 * The memory of the requests that are posted to one ring: writes their segments, with the keys of buffers, and counts them as operations. Used by the thread
 * that has claimed a slot of the ring.
 */
final class PostMemory {
    private final OperationStart operations;
    private final BufferKeys keys;
    private final Supplier<ProtectionDomain> domains;
    private @Nullable ProtectionDomain domain;
    private final @Nullable CopyPool copies;
    private int counted;
    private boolean lacksRoom;

    /**
     * For one ring.
     *
     * @param domains gives the domain in which buffers are registered, when there is the first one
     */
    private PostMemory(
            OperationStart operations, BufferKeys keys, @Nullable CopyPool copies, Supplier<ProtectionDomain> domains) {
        this.operations = operations;
        this.keys = keys;
        this.copies = copies;
        this.domains = domains;
    }

    /** For a poster in another process than engine and table. */
    static PostMemory ofRegions() {
        return new PostMemory(OperationStart.NONE, BufferKeys.NONE, null, PostMemory::noDomain);
    }

    private static ProtectionDomain noDomain() {
        throw new IllegalArgumentException(
                "a buffer needs a registration table, and there is none here: register the memory and name the region");
    }

    /** Of a queue whose engine is in this process. */
    static PostMemory of(OperationCount count, BufferKeys keys, CopyPool copies, Supplier<ProtectionDomain> domains) {
        OperationStart operations = new OperationStart() {
            @Override
            public int begin(MemorySegment ring, long at, int segments, int already) {
                return count.begin(ring, at, segments, already);
            }

            @Override
            public void end(MemorySegment ring, long at, int segments, int counted) {
                count.end(ring, at, segments, counted);
            }
        };
        return new PostMemory(operations, keys, copies, domains);
    }

    /** Begins a request. */
    void start() {
        counted = 0;
        lacksRoom = false;
    }

    /**
     * Writes a segment of the request. The key of a buffer comes from the registration table, which counts an operation.
     *
     * @param index of the segment in the request
     * @param write whether the adapter writes to the segment
     */
    void write(MemorySegment ring, long list, int index, LocalSegment segment, boolean write) {
        int key = segment.key();
        MemorySegment buffer = segment.buffer();
        if (buffer != null && segment.length() != 0) {
            key = keyOf(buffer, write);
            counted |= 1 << index;
        }
        LocalSegments.write(ring, list + (long) index * LocalSegments.LENGTH, segment.address(), segment.length(), key);
    }

    private int keyOf(MemorySegment buffer, boolean write) {
        return keys.begin(domain(), buffer, write);
    }

    private ProtectionDomain domain() {
        ProtectionDomain present = domain;
        if (present == null) {
            present = domains.get();
            domain = present;
        }
        return present;
    }

    /** Copies the only segment of the request, and writes where the copy is. */
    void copy(MemorySegment ring, long list, MemorySegment data) {
        ProtectionDomain present = domain();
        if (copies == null || data.byteSize() == 0) {
            LocalSegments.write(ring, list, 0, data.byteSize(), 0);
            return;
        }
        CopyPool.Copy copy = copies.copy(present, data);
        if (copy == null) {
            lacksRoom = true;
            return;
        }
        LocalSegments.write(ring, list, copy.address(), data.byteSize(), copy.key());
        counted |= 1;
    }

    /** Whether the request cannot be posted now, because all buffers for copies are in use. */
    boolean lacksRoom() {
        return lacksRoom;
    }

    /** Counts the other segments; the result goes into the slot. */
    int finish(MemorySegment ring, long list, int segments) {
        counted = operations.begin(ring, list, segments, counted);
        return counted;
    }

    /** The request is not posted: counts its segments out. */
    void undo(MemorySegment ring, long list) {
        if (counted != 0) {
            operations.end(ring, list, Integer.SIZE, counted);
            counted = 0;
        }
    }
}
