package org.verbena.memory.paging;

/** The reason why a page cannot be brought in. */
public enum Refusal {
    /** The store cannot read the page, or its content has changed in the store. */
    LOST,
    /** The guest's driver has no such page. */
    NO_SUCH_PAGE,
    /** The memory, or the pager, is closed. */
    CLOSED
}
