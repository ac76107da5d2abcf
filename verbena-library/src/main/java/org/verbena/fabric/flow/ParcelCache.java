package org.verbena.fabric.flow;

/** Idle parcels of one thread. */
final class ParcelCache {
    private static final int CAPACITY = 64;
    private static final int BATCH = CAPACITY / 2;

    private final ParcelStore store;
    private final Parcel[] parcels = new Parcel[CAPACITY];
    private int count;

    ParcelCache(ParcelStore store) {
        this.store = store;
    }

    Parcel take() {
        if (count == 0) {
            store.take(parcels, 0, BATCH);
            count = BATCH;
        }
        return parcels[--count];
    }

    void giveBack(Parcel parcel) {
        if (count == CAPACITY) {
            store.giveBack(parcels, BATCH, CAPACITY);
            count = BATCH;
        }
        parcels[count++] = parcel;
    }

    int count() {
        return count;
    }

    /** Gives all back. */
    void clear() {
        store.giveBack(parcels, 0, count);
        count = 0;
    }
}
