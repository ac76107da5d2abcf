package org.verbena.memory.protection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.verbena.memory.MemoryKey;

/** The entries by index: read without a lock by any thread, changed one slot at a time by compare-and-set. */
final class EntrySlots {
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK = 1 << CHUNK_SHIFT;
    private static final int CHUNK_MASK = CHUNK - 1;
    private static final @Nullable ProtectionEntry[] EMPTY = new ProtectionEntry[CHUNK];
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(ProtectionEntry[].class);
    private static final VarHandle CHUNKS = MethodHandles.arrayElementVarHandle(ProtectionEntry[][].class);

    private final int limit;
    private volatile int usedLimit;
    private final @Nullable ProtectionEntry[][] chunks;

    /** With slots for indexes from 0 to {@code indexMax}. */
    EntrySlots(int indexMax) {
        limit = indexMax + 1;
        chunks = new ProtectionEntry[(indexMax >>> CHUNK_SHIFT) + 1][];
        Arrays.fill(chunks, EMPTY);
    }

    boolean covers(int index) {
        return index < limit;
    }

    /** An index at and above which there has never been an entry. */
    int usedLimit() {
        return usedLimit;
    }

    /** The entry at an index from 0; null if there is none or the index is beyond the table. */
    @Nullable
    ProtectionEntry at(int index) {
        if (index >= limit) {
            return null;
        }
        @Nullable ProtectionEntry[] chunk = (ProtectionEntry[]) CHUNKS.getAcquire(chunks, index >>> CHUNK_SHIFT);
        return (ProtectionEntry) SLOT.getAcquire(chunk, index & CHUNK_MASK);
    }

    /** Puts an entry into an empty slot. One thread at a time: the caller locks. */
    @SuppressWarnings("ReferenceEquality") // identity, not equality
    void publish(ProtectionEntry entry) {
        int index = MemoryKey.index(entry.key);
        int chunk = index >>> CHUNK_SHIFT;
        if (chunks[chunk] == EMPTY) {
            CHUNKS.setRelease(chunks, chunk, new ProtectionEntry[CHUNK]);
            usedLimit = Math.max(usedLimit, Math.min(limit, (chunk + 1) << CHUNK_SHIFT));
        }
        boolean published = replace(index, null, entry);
        assert published : "index given out twice: " + entry;
    }

    /** Replaces an entry, or removes it; false if the slot holds another one by now. */
    boolean replace(int index, @Nullable ProtectionEntry current, @Nullable ProtectionEntry next) {
        return SLOT.compareAndSet(chunks[index >>> CHUNK_SHIFT], index & CHUNK_MASK, current, next);
    }
}
