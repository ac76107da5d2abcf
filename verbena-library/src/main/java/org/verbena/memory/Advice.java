package org.verbena.memory;

/** What a consumer knows of the future of its memory. Heeded if that costs nobody else anything. */
public enum Advice {
    /** It will be used soon: bring it in. */
    WILL_NEED,
    /** It will not be used for a long time: its frames may go to others. */
    PAGE_OUT
}
