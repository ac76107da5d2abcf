package org.verbena.memory.protection;

/** Gives a table its keys. Not thread-safe: the table locks. */
public interface KeySource {
    /**
     * A key that no entry has.
     *
     * @throws IllegalStateException if there is none
     */
    int claim();

    /** Takes a key back, with the instance it had last. The next key of its index has another instance. */
    void giveBack(int key);
}
