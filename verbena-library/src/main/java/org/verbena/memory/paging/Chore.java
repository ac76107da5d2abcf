package org.verbena.memory.paging;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Work of a driver's that an access found to be due while it was inside a copy, where it has no time for it. Whoever noted it
 * looks again when the copy is over; if somebody else has taken it by then, that one does it. So looking is a plain read.
 */
public final class Chore {
    private final AtomicBoolean noted = new AtomicBoolean();

    /** Nothing is due. */
    Chore() {}

    void note() {
        noted.setRelease(true);
    }

    /** Cheap: for every access. */
    public boolean isNoted() {
        return noted.getOpaque();
    }

    /** True for the one who is to do it. */
    boolean take() {
        return noted.getAndSet(false);
    }
}
