package org.verbena;

/** The number of messages of peers for which an entry of the protection table is valid. */
public enum Touches {
    /** Any number, until the entry is invalidated. */
    MANY,
    /**
     * One: the entry becomes invalid when the first write that names it has arrived as a whole. Over iWARP a read that takes from it, or an
     * answer that fills it, counts like a write. A second message before that invalidates the entry and is refused.
     */
    ONE
}
