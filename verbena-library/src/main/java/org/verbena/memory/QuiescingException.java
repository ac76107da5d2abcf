package org.verbena.memory;

/**
 * An operation was not begun since its region is being swapped out, or is. Nothing was posted. {@link
 * CurrentIo#awaitResumed} or {@link CurrentIo#onResume} of the region's {@link #currentIo} say when to try again.
 */
public final class QuiescingException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient CurrentIo currentIo;

    QuiescingException(CurrentIo currentIo) {
        super("the region is quiescing: it begins no operation before it is resumed");
        this.currentIo = currentIo;
    }

    /** The current I/O of the region. */
    public CurrentIo currentIo() {
        return currentIo;
    }
}
