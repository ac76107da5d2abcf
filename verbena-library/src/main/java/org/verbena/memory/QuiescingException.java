package org.verbena.memory;

/**
 * An operation was not begun because its region is being swapped out, or is swapped out. Nothing was posted.
 * {@link CurrentIo#awaitResumed} and {@link CurrentIo#onResume} of {@link #currentIo} tell when to try again.
 */
public final class QuiescingException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final transient CurrentIo currentIo;

    /** Of the region that has this current I/O. */
    public QuiescingException(CurrentIo currentIo) {
        super("the region is quiescing: it begins no operation before it is resumed");
        this.currentIo = currentIo;
    }

    /** The current I/O of the region. */
    public CurrentIo currentIo() {
        return currentIo;
    }
}
