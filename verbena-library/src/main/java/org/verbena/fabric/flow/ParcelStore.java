package org.verbena.fabric.flow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** All parcels of one size of a fabric that are not in use. Any thread; threads take and give many at once through a {@link ParcelCache}. */
final class ParcelStore {
    /** Parcels whose memory is allocated together, at least. */
    private static final int CHUNK = 256;

    private final Arena arena;
    private final int room;
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Parcel> idle = new ArrayList<>();
    private int made;

    /** @param room bytes of a parcel */
    ParcelStore(Arena arena, int room) {
        this.arena = arena;
        this.room = room;
    }

    /** Fills an array from {@code from} to {@code to}. */
    void take(Parcel[] into, int from, int to) {
        lock.lock();
        try {
            for (int i = from; i < to; i++) {
                if (idle.isEmpty()) {
                    grow();
                }
                into[i] = idle.removeLast();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes back the parcels of an array from {@code from} to {@code to}. */
    void giveBack(Parcel[] parcels, int from, int to) {
        lock.lock();
        try {
            for (int i = from; i < to; i++) {
                idle.add(parcels[i]);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes half as many parcels again: a load that goes on soon needs no more. */
    private void grow() {
        int count = Math.max(CHUNK, made / 2);
        MemorySegment chunk = arena.allocate((long) count * room, 64);
        for (int i = 0; i < count; i++) {
            MemorySegment memory = chunk.asSlice((long) i * room, room);
            idle.add(new Parcel(memory, memory.asByteBuffer()));
        }
        made += count;
    }
}
