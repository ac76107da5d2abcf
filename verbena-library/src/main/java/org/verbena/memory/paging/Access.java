package org.verbena.memory.paging;

/** What is done to a page while it is pinned. */
public enum Access {
    READ,
    WRITE,
    /** All of it is written: what it held need not be brought in. */
    OVERWRITE;

    /** Whether the page is another one afterwards. */
    public boolean changes() {
        return this != READ;
    }
}
