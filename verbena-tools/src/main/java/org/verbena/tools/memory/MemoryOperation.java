package org.verbena.tools.memory;

import java.util.Locale;

/** The operations of the load, under the names of the command line. */
public enum MemoryOperation {
    WRITE,
    READ,
    SEND,
    ATOMIC,
    /** All of them by turns. */
    MIX;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
