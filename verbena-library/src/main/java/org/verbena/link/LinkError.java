package org.verbena.link;

import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;

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

    static final int COUNT = 6;

    /** The kind of an error number of Linux. */
    static LinkError of(int errno) {
        return switch (errno) {
            case Libc.ENETDOWN, Libc.ENETUNREACH, Libc.EHOSTUNREACH -> UNREACHABLE;
            case Libc.ECONNREFUSED -> CONNECTION_REFUSED;
            case Libc.EMSGSIZE -> TOO_LONG;
            case Libc.EPERM, Libc.EACCES -> FORBIDDEN;
            case Libc.ENOMEM, Libc.ENOBUFS -> NO_MEMORY;
            default -> OTHER;
        };
    }

    /** The kind of what a channel throws, which says little. */
    static LinkError of(Exception thrown) {
        if (thrown instanceof NoRouteToHostException) {
            return UNREACHABLE;
        }
        return thrown instanceof PortUnreachableException ? CONNECTION_REFUSED : OTHER;
    }
}
