package org.verbena.wire.mad;

/** Service ids of IP port spaces (annex A11): {@code 0x0000000001}, the IP protocol, the port. */
public final class ServiceId {
    private static final long PREFIX = 0x01L << 24;
    private static final int TCP = 6;
    private static final int UDP = 17;

    private ServiceId() {}

    /** The service of a port of the port space of connections. */
    public static long tcp(int port) {
        return of(TCP, port);
    }

    /** The service of a port of the port space of datagrams. */
    public static long udp(int port) {
        return of(UDP, port);
    }

    private static long of(int protocol, int port) {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port " + port + " found, 0 … 65535 expected");
        }
        return PREFIX | (long) protocol << 16 | port;
    }

    /** Whether a service id is of one of these port spaces: then an {@link IpCmHeader} goes with it. */
    public static boolean isIp(long serviceId) {
        return serviceId >>> 24 == 1;
    }

    /** The port of a service id of a port space. */
    public static int port(long serviceId) {
        return (int) serviceId & 0xffff;
    }
}
