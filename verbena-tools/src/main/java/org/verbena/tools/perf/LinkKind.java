package org.verbena.tools.perf;

import java.util.Locale;

/** What carries the packets. */
public enum LinkKind {
    UDP,
    INPROCESS;

    /** As it is typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
