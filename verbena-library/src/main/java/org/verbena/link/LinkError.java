package org.verbena.link;

/** Kinds of errors of system calls, with the same meaning on every system. */
public enum LinkError {
    /** No way leads there, or the interface is down. */
    UNREACHABLE,
    /** The target refuses the packet. */
    CONNECTION_REFUSED,
    /** The packet is longer than the path carries. */
    TOO_LONG,
    /** A firewall or a missing right. */
    FORBIDDEN,
    /** The system has no memory for it. */
    NO_MEMORY,
    /** Anything else. */
    OTHER;

    static final int COUNT = values().length;
}
