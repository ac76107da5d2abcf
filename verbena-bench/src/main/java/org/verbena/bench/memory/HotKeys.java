package org.verbena.bench.memory;

import java.util.Arrays;
import org.verbena.memory.store.PageStore;
import org.verbena.time.Seed;

/**
 * A table of values, of which few are read often: 5 % of the keys get 95 % of the reads. A layout says where in the table the frequent
 * values are. The same arguments give the same keys.
 */
final class HotKeys {
    /** Of the keys, this share is read often. */
    static final double HOT_SHARE = 0.05;

    /** Of the reads, this share is of such keys. */
    static final double HOT_READS = 0.95;

    /** The places of the values. */
    enum Layout {
        /** By chance, as a hash table puts them. */
        SCATTERED,
        /** Frequent ones beside each other. */
        TOGETHER;

        String label() {
            return this == SCATTERED ? "scattered" : "together";
        }
    }

    private final int keys;
    private final int hot;
    /** The slot of each key; the first keys are the frequent ones. */
    private final int[] slots;

    HotKeys(int keys, Layout layout, Seed seed) {
        this.keys = keys;
        hot = Math.max(1, (int) (keys * HOT_SHARE));
        slots = new int[keys];
        Arrays.setAll(slots, key -> key);
        if (layout == Layout.SCATTERED) {
            shuffle(seed);
        }
    }

    private void shuffle(Seed seed) {
        for (int i = keys - 1; i > 0; i--) {
            int j = (int) (seed.nextDouble() * (i + 1));
            int slot = slots[i];
            slots[i] = slots[j];
            slots[j] = slot;
        }
    }

    /** The slots that reads go to, in order. */
    int[] draw(int reads, Seed seed) {
        int[] drawn = new int[reads];
        Arrays.setAll(drawn, _ -> slots[key(seed)]);
        return drawn;
    }

    private int key(Seed seed) {
        boolean often = seed.nextDouble() < HOT_READS;
        double place = seed.nextDouble();
        return often ? (int) (place * hot) : hot + (int) (place * (keys - hot));
    }

    /** Pages that have a frequent value, for values that begin at multiples of their size. */
    int hotPages(int valueBytes) {
        boolean[] seen = new boolean[(int) (((long) keys * valueBytes - 1) / PageStore.PAGE) + 1];
        int count = 0;
        for (int key = 0; key < hot; key++) {
            long first = (long) slots[key] * valueBytes;
            for (long page = first / PageStore.PAGE; page * PageStore.PAGE < first + valueBytes; page++) {
                count += seen[(int) page] ? 0 : 1;
                seen[(int) page] = true;
            }
        }
        return count;
    }
}
