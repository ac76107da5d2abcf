package org.verbena.tools.perf;

import java.util.Locale;

/** Kinds of links. */
public enum LinkKind {
    UDP,
    /** Streams: iWARP. */
    TCP,
    INPROCESS;

    /** The name on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
