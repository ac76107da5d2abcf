package org.verbena.memory;

/**
 * Keeps pages where they are while something is on its way to them: the landing of a read. Reused by its owner, one
 * thread; holds nothing at first.
 */
public final class PageHold {
    /** Holds nothing. */
    public PageHold() {}

    /**
     * Holds all pages of a range that will be written whole. Memory that is never paged needs no hold and gets none.
     *
     * @return GRANTED; NOT_RESIDENT or why not, and then nothing of this range is held
     */
    public Verdict add(ProtectionTable table, Accessor who, int key, long address, long length) {
        return table.judge(who, key, address, length);
    }

    /** Lets everything go. Idempotent. */
    public void release() {}
}
