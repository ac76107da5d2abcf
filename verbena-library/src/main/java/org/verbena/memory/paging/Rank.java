package org.verbena.memory.paging;

import java.util.concurrent.atomic.AtomicLong;

/** An order of all drivers: of two, the one that was made later stands above. */
final class Rank {
    private static final AtomicLong NEXT = new AtomicLong();

    private Rank() {}

    static long next() {
        return NEXT.getAndIncrement();
    }
}
