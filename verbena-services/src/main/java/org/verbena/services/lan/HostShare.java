package org.verbena.services.lan;

/** The send buffers of a unit that one host's connection holds: how many, small and large. Data leave a connection in the order in which they came. */
final class HostShare {
    private final boolean[] kinds;
    private int first;
    private int count;
    private int large;

    /** @param most data of a connection that are on their way or wait, at most */
    HostShare(int most) {
        kinds = new boolean[Integer.highestOneBit(Math.max(1, most * 2 - 1))];
    }

    /** Forgets the oldest buffers, as many as the connection no longer holds. */
    void settle(int underWay) {
        while (count > underWay) {
            large -= kinds[first] ? 1 : 0;
            first = first + 1 & kinds.length - 1;
            count--;
        }
    }

    /** Adds a buffer that the connection holds from now on. */
    void add(boolean isLarge) {
        assert count < kinds.length : count;
        kinds[first + count & kinds.length - 1] = isLarge;
        count++;
        large += isLarge ? 1 : 0;
    }

    /** Large buffers that the connection holds. */
    int large() {
        return large;
    }

    /** Small buffers that the connection holds. */
    int small() {
        return count - large;
    }
}
