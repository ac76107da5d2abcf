package org.verbena.link;

import static org.verbena.link.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A UDP socket of Linux, unconnected and non-blocking, with everything set that RoCEv2 wants. Unconnected and never fragmenting: then the
 * kernel gives every datagram identification 0, which the invariant CRC has to know.
 */
final class LinuxSocket {
    private final Libc libc;
    private final Endpoint local;
    private int fd;

    private LinuxSocket(Libc libc, int fd, Endpoint requested) {
        this.libc = libc;
        this.fd = fd;
        this.local = requested.withPort(bind(requested));
    }

    /** A socket at this endpoint; port 0 lets the system choose. */
    static LinuxSocket open(Libc libc, Endpoint requested, int bufferBytes) {
        int fd = libc.socket(requested.ipv6() ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new LinkException("no UDP socket for " + requested + ": " + Libc.describe(-fd));
        }
        try {
            LinuxSocket socket = new LinuxSocket(libc, fd, requested);
            socket.configure(bufferBytes);
            return socket;
        } catch (LinkException e) {
            libc.close(fd);
            throw e;
        }
    }

    private int bind(Endpoint requested) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SocketAddressCodec.LENGTH_MAX, 8);
            int length = SocketAddressCodec.write(address, 0, requested);
            require(libc.bind(fd, address.address(), length), "bind to " + requested);
            MemorySegment room = arena.allocateFrom(ValueLayout.JAVA_INT, SocketAddressCodec.LENGTH_MAX);
            require(libc.getsockname(fd, address.address(), room.address()), "name of " + requested);
            return SocketAddressCodec.port(address, 0);
        }
    }

    private void configure(int bufferBytes) {
        if (local.ipv6()) {
            require(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_DO, "IPV6_MTU_DISCOVER");
            // Linux's rdma_rxe sends no UDP checksum, over IPv6 neither; the invariant CRC is the better one.
            require(SOL_UDP, UDP_NO_CHECK6_RX, 1, "UDP_NO_CHECK6_RX");
        } else {
            require(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_DO, "IP_MTU_DISCOVER");
        }
        require(SOL_UDP, UDP_GRO, 1, "UDP_GRO");
        enlarge(SO_RCVBUF, SO_RCVBUFFORCE, bufferBytes);
        enlarge(SO_SNDBUF, SO_SNDBUFFORCE, bufferBytes);
    }

    /** As much as asked for where we are privileged, else as much as the system allows. */
    private void enlarge(int option, int forced, int bufferBytes) {
        if (libc.setsockopt(fd, SOL_SOCKET, forced, bufferBytes) < 0) {
            libc.setsockopt(fd, SOL_SOCKET, option, bufferBytes);
        }
    }

    private void require(int level, int option, int value, String name) {
        require(libc.setsockopt(fd, level, option, value), name);
    }

    private static void require(int result, String what) {
        if (result < 0) {
            throw new LinkException(what + " refused by the system: " + Libc.describe(-result));
        }
    }

    Endpoint local() {
        return local;
    }

    /** The file descriptor, −1 once closed. */
    int fd() {
        return fd;
    }

    /** Whether the system can cut one buffer into many datagrams. */
    boolean segments() {
        return libc.setsockopt(fd, SOL_UDP, UDP_SEGMENT, 0) >= 0;
    }

    void close() {
        if (fd >= 0) {
            libc.close(fd);
            fd = -1;
        }
    }
}
