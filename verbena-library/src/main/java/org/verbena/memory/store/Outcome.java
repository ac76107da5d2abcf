package org.verbena.memory.store;

/** How a transfer ended for one page. */
public enum Outcome {
    /** The page was read and is as it was written, or was written. */
    DONE,
    /** The medium failed; trying again may help. */
    IO_ERROR,
    /** No room to write. The page must stay where it is. */
    NO_SPACE,
    /** What was read is not what was written. It must not be used. */
    CORRUPT,
    /** The store is closed. */
    CLOSED
}
