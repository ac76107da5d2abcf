package org.verbena.memory.paging;

/** What is done to a page while it is pinned. */
public enum Access {
    READ,
    WRITE,
    /** All of it is written: what it held need not be brought in. */
    OVERWRITE,
    /**
     * All of it will be written, but not yet, and perhaps never: what it holds need not be brought in, nor may it be lost. Who
     * asks for it gets the page if it is there, else {@link PageRequest.Listener#onFrameReserved room} for it.
     */
    TO_OVERWRITE;

    /** Whether nothing of what the page holds is needed. */
    boolean overwrites() {
        return this == OVERWRITE || this == TO_OVERWRITE;
    }

    /** Whether the page is another one afterwards. */
    public boolean changes() {
        return this == WRITE || this == OVERWRITE;
    }
}
