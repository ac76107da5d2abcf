package org.verbena.fabric.flow;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** All parcels of a fabric that are not in use. Any thread; threads take and give many at once through a {@link ParcelCache}. */
final class ParcelStore {
    /** Parcels whose memory is allocated together. */
    private static final int CHUNK = 256;

    private final Arena arena = Arena.ofShared();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Parcel> idle = new ArrayList<>();
    private int made;

    ParcelStore() {}

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

    /** Parcels that exist. */
    int made() {
        return made;
    }

    /** Parcels that are neither in use nor in a cache. */
    int idle() {
        return idle.size();
    }

    private void grow() {
        MemorySegment chunk = arena.allocate((long) CHUNK * Parcel.ROOM, 64);
        for (int i = 0; i < CHUNK; i++) {
            MemorySegment memory = chunk.asSlice((long) i * Parcel.ROOM, Parcel.ROOM);
            idle.add(new Parcel(memory, memory.asByteBuffer()));
        }
        made += CHUNK;
    }

    void close() {
        arena.close();
    }
}
