package org.verbena.memory.paging;

/** The use of a page while it is pinned. */
public enum Access {
    /** The page is read. */
    READ,
    /** A part of the page is written. */
    WRITE,
    /** All of the page is written now: its content need not be brought in. */
    OVERWRITE,
    /**
     * All of the page will be written later, or perhaps never: its content need not be brought in, and must not be lost. The
     * answer is a pin if the page is in a frame, else a {@link PageRequest.Listener#onFrameReserved reserved frame}.
     */
    TO_OVERWRITE;

    /** Whether the content of the page is not needed. */
    boolean overwrites() {
        return this == OVERWRITE || this == TO_OVERWRITE;
    }

    /** Whether the content of the page changes while it is pinned. */
    public boolean changes() {
        return this == WRITE || this == OVERWRITE;
    }
}
