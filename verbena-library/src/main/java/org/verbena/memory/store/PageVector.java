package org.verbena.memory.store;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** An array of {@code iovec}, with one element for each page of a transfer. Filled again for every system call. One thread. */
final class PageVector {
    /** Bytes of an element: an address and a length. */
    private static final int BYTES = 2 * Long.BYTES;

    private final MemorySegment vectors =
            Arena.ofAuto().allocate((long) Transfer.PAGES_MAX * BYTES, ValueLayout.JAVA_LONG.byteAlignment());

    /**
     * Fills the array with the addresses of neighbouring pages of a transfer.
     *
     * @param from the first page
     * @param to the page after the last
     * @param skipped bytes from the start of the first page that have been moved already
     * @return number of elements
     */
    int fill(Transfer transfer, int from, int to, long skipped) {
        int first = from + (int) (skipped / PageStore.PAGE);
        long partial = skipped % PageStore.PAGE;
        for (int page = first; page < to; page++) {
            long at = (long) (page - first) * BYTES;
            vectors.set(ValueLayout.JAVA_LONG, at, transfer.address(page) + partial);
            vectors.set(ValueLayout.JAVA_LONG, at + Long.BYTES, PageStore.PAGE - partial);
            partial = 0;
        }
        return to - first;
    }

    long address() {
        return vectors.address();
    }
}
