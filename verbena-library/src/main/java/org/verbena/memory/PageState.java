package org.verbena.memory;

/** Where a page of managed memory is. */
public enum PageState {
    /** Nowhere: it was never touched and reads as zeros. */
    ZERO,
    /** In the page store only. */
    ABSENT,
    /** On its way into machine memory. */
    LOADING,
    /** In machine memory, with the same content as in the page store, or still zeros. */
    PRESENT,
    /** In machine memory, changed since it was stored, or never stored. */
    DIRTY,
    /** In machine memory and kept there: by an access, a lease, a consumer's pin, or because it is wired. */
    PINNED,
    /** Lost by the page store. */
    LOST;

    /** Whether the page is in machine memory. */
    public boolean isResident() {
        return this == PRESENT || this == DIRTY || this == PINNED;
    }
}
