package org.verbena.memory.protection;

/** Where a table's keys come from. The table locks. */
interface KeySource {
    /** A key nobody has. */
    int claim();

    /** Takes an index back, with the instance it had last; the next owner's key differs. */
    void giveBack(int key);
}
