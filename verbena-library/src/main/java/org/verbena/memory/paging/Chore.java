package org.verbena.memory.paging;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A mark that work of a driver is due. An access sets the mark inside a copy, where it has no time for the work, and looks at it
 * again after the copy. A thread always sees the mark it has set itself, unless another thread has taken it and does the work. So
 * looking is a plain read.
 */
public final class Chore {
    private final AtomicBoolean noted = new AtomicBoolean();

    /** The mark is not set. */
    Chore() {}

    /** Sets the mark. */
    void note() {
        noted.setRelease(true);
    }

    /** Whether the mark is set. Cheap enough for every access. */
    public boolean isNoted() {
        return noted.getOpaque();
    }

    /** Clears the mark; true for the one caller that is to do the work. */
    boolean take() {
        return noted.getAndSet(false);
    }
}
