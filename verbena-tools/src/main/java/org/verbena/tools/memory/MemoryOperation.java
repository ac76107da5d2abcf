package org.verbena.tools.memory;

import java.util.Locale;

/** What the load consists of, under the names of the command line. */
public enum MemoryOperation {
    WRITE,
    READ,
    SEND,
    ATOMIC,
    /** All of them by turns. */
    MIX;

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
