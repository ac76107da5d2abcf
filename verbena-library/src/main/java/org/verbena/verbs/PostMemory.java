package org.verbena.verbs;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.verbena.adapter.pair.OperationCount;
import org.verbena.adapter.pair.RegisterWork;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.protection.MemoryRange;
import org.verbena.memory.registration.BufferKeys;
import org.verbena.memory.registration.CopyPool;
import org.verbena.queue.LocalSegments;

/**
 * The memory of the requests that are posted to one ring: writes their segments, with the keys of buffers, and counts them as operations. Used by the thread
 * that has claimed a slot of the ring.
 */
final class PostMemory {
    private final OperationStart operations;
    private final @Nullable Supply supply;
    private final Supplier<ProtectionDomain> domains;
    private final @Nullable RegisterWork registers;
    private @Nullable ProtectionDomain domain;
    private int counted;
    private boolean lacksRoom;

    /**
     * Where the keys of buffers come from.
     *
     * @param keys of native memory
     * @param sources buffers for memory that is copied when it is posted
     * @param targets buffers for memory that is copied back before the completion
     */
    record Supply(BufferKeys keys, CopyPool sources, CopyPool targets) {}

    /**
     * For one ring.
     *
     * @param supply null if there is no registration table in this process
     *
     * @param domains gives the domain in which buffers are registered, when there is the first one
     * @param registers takes the memory of registrations; null if the queue takes none, or the engine is in another process
     */
    private PostMemory(
            OperationStart operations,
            @Nullable Supply supply,
            Supplier<ProtectionDomain> domains,
            @Nullable RegisterWork registers) {
        this.registers = registers;
        this.operations = operations;
        this.supply = supply;
        this.domains = domains;
    }

    /** For a poster in another process than engine and table. */
    static PostMemory ofRegions() {
        Supplier<ProtectionDomain> none = () -> {
            throw noTable();
        };
        return new PostMemory(OperationStart.NONE, null, none, null);
    }

    private static IllegalArgumentException noTable() {
        return new IllegalArgumentException(
                "a buffer needs a registration table, and there is none here: register the memory and name the region");
    }

    /** Of a queue whose engine is in this process. */
    static PostMemory of(OperationCount count, Supply supply, Supplier<ProtectionDomain> domains) {
        return of(count, supply, domains, null);
    }

    /** Of a send queue whose engine is in this process, and that may take registrations. */
    static PostMemory of(
            OperationCount count, Supply supply, Supplier<ProtectionDomain> domains, @Nullable RegisterWork registers) {
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
        return new PostMemory(operations, supply, domains, registers);
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
            if (!buffer.isNative()) {
                copy(ring, list, index, buffer, write);
                return;
            }
            key = supply().keys.begin(domain(), buffer, write);
            counted |= 1 << index;
        }
        LocalSegments.write(ring, list + (long) index * LocalSegments.LENGTH, segment.address(), segment.length(), key);
    }

    private Supply supply() {
        Supply present = supply;
        if (present == null) {
            throw noTable();
        }
        return present;
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
        if (data.byteSize() == 0) {
            LocalSegments.write(ring, list, 0, 0, 0);
        } else {
            copy(ring, list, 0, data, false);
        }
    }

    private void copy(MemorySegment ring, long list, int index, MemorySegment data, boolean write) {
        Supply from = supply();
        CopyPool.Copy copy = write ? from.targets.target(domain(), data) : from.sources.copy(domain(), data);
        if (copy == null) {
            lacksRoom = true;
            return;
        }
        long at = list + (long) index * LocalSegments.LENGTH;
        LocalSegments.write(ring, at, copy.address(), data.byteSize(), copy.key());
        counted |= 1 << index;
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

    /**
     * Hands over the memory that the request at a position registers.
     *
     * @throws IllegalStateException if the memory is closed
     */
    void stage(long position, MemoryRange range) {
        RegisterWork present = registers;
        if (present == null) {
            throw new IllegalArgumentException(
                    "memory can be registered by a send queue of this process only; found one whose engine is in another");
        }
        present.stage(position, range);
    }

    /** The request is not posted: counts its segments out. */
    void undo(MemorySegment ring, long list) {
        if (counted != 0) {
            operations.end(ring, list, Integer.SIZE, counted);
            counted = 0;
        }
    }
}
