package org.verbena.link;

/** What a system call says was wrong, in kinds that mean the same on every system. */
public enum LinkError {
    /** No way leads there, or the interface is down. */
    UNREACHABLE,
    /** Somebody there does not want it. */
    CONNECTION_REFUSED,
    /** The packet is longer than the way carries. */
    TOO_LONG,
    /** A firewall or a missing right. */
    FORBIDDEN,
    /** The system has no memory for it. */
    NO_MEMORY,
    /** Anything else. */
    OTHER;

    static final int COUNT = values().length;
}
