package org.verbena.services.push;

/** Elements that the peer has indicated and that are not delivered, in order. */
final class Arrivals {
    private IncomingPool[] pools = new IncomingPool[16];
    private int[] elements = new int[16];
    private int[] sizes = new int[16];
    private int first;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    /** Makes room for this many; the number of elements of all pools is a bound. */
    void reserve(int most) {
        if (most <= pools.length) {
            return;
        }
        IncomingPool[] morePools = new IncomingPool[most];
        int[] moreElements = new int[most];
        int[] moreSizes = new int[most];
        for (int i = 0; i < count; i++) {
            int from = index(i);
            morePools[i] = pools[from];
            moreElements[i] = elements[from];
            moreSizes[i] = sizes[from];
        }
        pools = morePools;
        elements = moreElements;
        sizes = moreSizes;
        first = 0;
    }

    private int index(int at) {
        int index = first + at;
        return index >= pools.length ? index - pools.length : index;
    }

    void add(IncomingPool pool, int element, int size) {
        int last = index(count++);
        pools[last] = pool;
        elements[last] = element;
        sizes[last] = size;
    }

    IncomingPool pool() {
        return pools[first];
    }

    int element() {
        return elements[first];
    }

    int size() {
        return sizes[first];
    }

    void removeFirst() {
        first = index(1);
        count--;
    }
}
