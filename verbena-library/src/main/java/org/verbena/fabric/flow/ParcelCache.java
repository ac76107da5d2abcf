package org.verbena.fabric.flow;

/** Idle parcels of one thread: short ones, which most packets fit into and which the processor's caches hold more of, and long ones. */
final class ParcelCache {
    private final Shelf shorts;
    private final Shelf longs;

    ParcelCache(ParcelStore shortStore, ParcelStore longStore) {
        shorts = new Shelf(shortStore);
        longs = new Shelf(longStore);
    }

    /** A parcel with room for this many bytes from {@link Parcel#BODY} on. */
    Parcel take(int bodyLength) {
        return bodyLength <= Parcel.SHORT_BODY ? shorts.take() : longs.take();
    }

    void giveBack(Parcel parcel) {
        (parcel.isShort ? shorts : longs).giveBack(parcel);
    }

    /** Gives all back to the stores. */
    void clear() {
        shorts.clear();
        longs.clear();
    }

    /** The parcels of one size. */
    private static final class Shelf {
        private static final int CAPACITY = 64;
        private static final int BATCH = CAPACITY / 2;

        private final ParcelStore store;
        private final Parcel[] parcels = new Parcel[CAPACITY];
        private int count;

        Shelf(ParcelStore store) {
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

        void clear() {
            store.giveBack(parcels, 0, count);
            count = 0;
        }
    }
}
