package org.verbena.memory;

/** A consumer's knowledge about the future use of its memory. Followed only if that takes nothing from other memory. */
public enum Advice {
    /** It will be used soon: its pages are brought in. */
    WILL_NEED,
    /** It will not be used for a long time: its pages are evicted. */
    PAGE_OUT
}
