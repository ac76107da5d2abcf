package org.verbena.memory.paging;

/** Why a page cannot be had. */
public enum Refusal {
    /** The store does not give it back. */
    LOST,
    /** The driver knows no such page. */
    NO_SUCH_PAGE,
    /** The memory is closed. */
    CLOSED
}
