package org.verbena.memory.paging;

/** The result of an attempt to take the frame of a page away. */
public enum UnmapResult {
    /** No access can pin the page any more, but accesses that pinned it before still use the frame. */
    PINNED,
    /** The page has no frame. Its content may have been changed since it was mapped. */
    CHANGED,
    /** The page has no frame. Its content was only read since it was mapped. */
    UNCHANGED,
    /** The page had no frame before. */
    NOT_MAPPED
}
