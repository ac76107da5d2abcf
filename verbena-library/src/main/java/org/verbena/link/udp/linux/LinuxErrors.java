package org.verbena.link.udp.linux;

import org.verbena.link.LinkError;
import org.verbena.link.linux.Libc;

/** The kinds of Linux's error numbers. */
final class LinuxErrors {
    private LinuxErrors() {}

    static LinkError kind(int errno) {
        return switch (errno) {
            case Libc.ENETDOWN, Libc.ENETUNREACH, Libc.EHOSTUNREACH -> LinkError.UNREACHABLE;
            case Libc.ECONNREFUSED -> LinkError.CONNECTION_REFUSED;
            case Libc.EMSGSIZE -> LinkError.TOO_LONG;
            case Libc.EPERM, Libc.EACCES -> LinkError.FORBIDDEN;
            case Libc.ENOMEM, Libc.ENOBUFS -> LinkError.NO_MEMORY;
            default -> LinkError.OTHER;
        };
    }
}
