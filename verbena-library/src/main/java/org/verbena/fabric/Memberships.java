package org.verbena.fabric;

import org.verbena.link.support.Locals;

/** The groups that a link is a member of, as numbers: a packet's group is looked up without an object. */
final class Memberships {
    /** Takes a GID. */
    interface Taker {
        void take(long high, long low);
    }

    private final long[] high = new long[Locals.GROUPS_MAX];
    private final long[] low = new long[Locals.GROUPS_MAX];
    private int count;

    int count() {
        return count;
    }

    boolean has(long gidHigh, long gidLow) {
        return indexOf(gidHigh, gidLow) >= 0;
    }

    private int indexOf(long gidHigh, long gidLow) {
        for (int i = 0; i < count; i++) {
            if (low[i] == gidLow && high[i] == gidHigh) {
                return i;
            }
        }
        return -1;
    }

    /** Adds a group that is not in here; there are at most {@link Locals#GROUPS_MAX}. */
    void add(long gidHigh, long gidLow) {
        high[count] = gidHigh;
        low[count] = gidLow;
        count++;
    }

    /** Removes a group; false if it is not in here. */
    boolean remove(long gidHigh, long gidLow) {
        int index = indexOf(gidHigh, gidLow);
        if (index < 0) {
            return false;
        }
        count--;
        high[index] = high[count];
        low[index] = low[count];
        return true;
    }

    void forEach(Taker taker) {
        for (int i = 0; i < count; i++) {
            taker.take(high[i], low[i]);
        }
    }
}
