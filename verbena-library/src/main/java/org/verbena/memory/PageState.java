package org.verbena.memory;

/** Where a page of managed memory is, as its owner sees it. */
public enum PageState {
    /** Nowhere: never touched, all zeros. */
    ZERO,
    /** In the page store only. */
    ABSENT,
    /** On its way into machine memory. */
    LOADING,
    /** In machine memory, as it is in the store or was at first. */
    PRESENT,
    /** In machine memory, changed since it was stored, or never stored. */
    DIRTY,
    /** In machine memory, and kept there: by an access, a lease, a consumer's pin, or because it is wired. */
    PINNED,
    /** Lost by the page store. */
    LOST;

    /** Whether the page is in machine memory. */
    public boolean isResident() {
        return this == PRESENT || this == DIRTY || this == PINNED;
    }
}
