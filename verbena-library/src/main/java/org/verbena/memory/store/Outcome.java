package org.verbena.memory.store;

/** The result of a transfer for one page. */
public enum Outcome {
    /** A read: the page has the bytes that were written last. A write: the store holds the page. */
    DONE,
    /** The medium failed. Another attempt may succeed. */
    IO_ERROR,
    /** A write: the store is full, and the slot holds nothing. The page must stay in memory. */
    NO_SPACE,
    /** A read: the slot holds nothing, or its bytes are not those that were written. They must not be used. */
    CORRUPT,
    /** The store was closed before the transfer was made. */
    CLOSED
}
