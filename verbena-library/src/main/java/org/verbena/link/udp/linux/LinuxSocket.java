package org.verbena.link.udp.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.verbena.link.linux.LinuxStructs.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.LinkFlow;
import org.verbena.link.linux.Libc;
import org.verbena.link.support.SourcePorts;

/**
 * A UDP socket of Linux, unconnected and non-blocking, with all options that RoCEv2 needs. It never fragments. The kernel gives every
 * datagram of such a socket the identification 0, which the invariant CRC covers.
 */
final class LinuxSocket {
    /** Ports tried for a sender before giving up: others may have theirs in the same range. */
    private static final int PORTS_TRIED = 256;
    /** Room for a few errors that the network tells about packets that were sent. */
    private static final int ERROR_BYTES = 8 * 1024;

    private final Libc libc;
    private final Endpoint requested;
    private int fd;
    private int port;

    private LinuxSocket(Libc libc, Endpoint requested) {
        this.libc = libc;
        this.requested = requested;
        fd = libc.socket(requested.ipv6() ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new LinkException("no UDP socket for " + requested + ": " + Libc.describe(-fd));
        }
    }

    /** The setup of a socket before it is used. */
    private interface Preparation {
        void prepare(LinuxSocket socket);
    }

    private static LinuxSocket open(Libc libc, Endpoint requested, Preparation preparation) {
        LinuxSocket socket = new LinuxSocket(libc, requested);
        try {
            preparation.prepare(socket);
            return socket;
        } catch (LinkException e) {
            socket.close();
            throw e;
        }
    }

    /** A socket that receives at this endpoint; port 0 lets the system choose. */
    static LinuxSocket receiver(Libc libc, Endpoint local, int bufferBytes) {
        return open(libc, local, socket -> {
            socket.bind(0);
            socket.configureReceiver(bufferBytes);
        });
    }

    /** A socket that receives packets to a group that come in by this interface. One machine may have several for one group. */
    static LinuxSocket member(Libc libc, Endpoint group, int networkInterface, int bufferBytes) {
        return open(libc, group, socket -> {
            socket.require(SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");
            socket.bind(networkInterface);
            socket.configureReceiver(bufferBytes);
            socket.join(networkInterface);
        });
    }

    /** A socket that sends from this address, with the port this flow would like, or else another one of the same range. */
    static LinuxSocket sender(Libc libc, Endpoint local, int networkInterface, LinkFlow flow, int bufferBytes) {
        return open(libc, local, socket -> {
            socket.bindSender(flow);
            socket.configureSender(networkInterface, bufferBytes);
        });
    }

    private void bind(int scope) {
        int result = scope == 0 ? tryBind(requested) : tryBind(requested, scope);
        require(result, "bind to " + requested);
    }

    private void bindSender(LinkFlow flow) {
        int first = SourcePorts.of(flow) - SourcePorts.FIRST;
        int result = -Libc.EADDRINUSE;
        for (int i = 0; i < PORTS_TRIED && result == -Libc.EADDRINUSE; i++) {
            result = tryBind(requested.withPort(SourcePorts.FIRST + (first + i) % SourcePorts.COUNT));
        }
        require(result, "bind to a source port from " + SourcePorts.of(flow) + " on at " + requested);
    }

    private int tryBind(Endpoint to) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SocketAddressCodec.LENGTH_MAX, 8);
            return tryBind(address, SocketAddressCodec.write(address, 0, to));
        }
    }

    private int tryBind(Endpoint to, int scope) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment address = arena.allocate(SocketAddressCodec.LENGTH_MAX, 8);
            return tryBind(address, SocketAddressCodec.write(address, 0, to, scope));
        }
    }

    private int tryBind(MemorySegment address, int length) {
        int result = libc.bind(fd, address.address(), length);
        if (result >= 0) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment room = arena.allocateFrom(JAVA_INT, SocketAddressCodec.LENGTH_MAX);
                require(libc.getsockname(fd, address.address(), room.address()), "name of " + requested);
                port = SocketAddressCodec.port(address, 0);
            }
        }
        return result;
    }

    private void configureReceiver(int bufferBytes) {
        if (requested.ipv6()) {
            // Linux's rdma_rxe sends no UDP checksum, over IPv6 neither; the invariant CRC is the better one.
            require(SOL_UDP, UDP_NO_CHECK6_RX, 1, "UDP_NO_CHECK6_RX");
            require(IPPROTO_IPV6, IPV6_RECVTCLASS, 1, "IPV6_RECVTCLASS");
            require(IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1, "IPV6_RECVHOPLIMIT");
        } else {
            require(IPPROTO_IP, IP_RECVTOS, 1, "IP_RECVTOS");
            require(IPPROTO_IP, IP_RECVTTL, 1, "IP_RECVTTL");
        }
        require(SOL_UDP, UDP_GRO, 1, "UDP_GRO");
        require(SOL_SOCKET, SO_RXQ_OVFL, 1, "SO_RXQ_OVFL");
        enlarge(SO_RCVBUF, SO_RCVBUFFORCE, bufferBytes);
    }

    private void configureSender(int networkInterface, int bufferBytes) {
        if (requested.ipv6()) {
            require(IPPROTO_IPV6, IPV6_RECVERR, 1, "IPV6_RECVERR");
            require(IPPROTO_IPV6, IPV6_MTU_DISCOVER, PMTUDISC_DO, "IPV6_MTU_DISCOVER");
            require(IPPROTO_IPV6, IPV6_UNICAST_HOPS, LinkFlow.HOP_LIMIT, "IPV6_UNICAST_HOPS");
            require(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, LinkFlow.HOP_LIMIT, "IPV6_MULTICAST_HOPS");
            require(IPPROTO_IPV6, IPV6_MULTICAST_IF, networkInterface, "IPV6_MULTICAST_IF");
        } else {
            require(IPPROTO_IP, IP_RECVERR, 1, "IP_RECVERR");
            require(IPPROTO_IP, IP_MTU_DISCOVER, PMTUDISC_DO, "IP_MTU_DISCOVER");
            require(IPPROTO_IP, IP_TTL, LinkFlow.HOP_LIMIT, "IP_TTL");
            require(IPPROTO_IP, IP_MULTICAST_TTL, LinkFlow.HOP_LIMIT, "IP_MULTICAST_TTL");
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment request = arena.allocate(IP_MREQN);
                request.set(JAVA_INT, 8, networkInterface);
                require(libc.setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, request), "IP_MULTICAST_IF");
            }
        }
        enlarge(SO_SNDBUF, SO_SNDBUFFORCE, bufferBytes);
        // Only the errors of this socket are read: packets that others send to its port shall take little memory.
        libc.setsockopt(fd, SOL_SOCKET, SO_RCVBUF, ERROR_BYTES);
    }

    /** Joins the group. Packets that arrive by memberships of other sockets of the machine are not received. */
    private void join(int networkInterface) {
        try (Arena arena = Arena.ofConfined()) {
            String what = "membership in " + requested;
            if (requested.ipv6()) {
                require(IPPROTO_IPV6, IPV6_MULTICAST_ALL, 0, "IPV6_MULTICAST_ALL");
                MemorySegment request = arena.allocate(IPV6_MREQ);
                request.set(LONG_BIG, 0, requested.high());
                request.set(LONG_BIG, 8, requested.low());
                request.set(JAVA_INT, 16, networkInterface);
                require(libc.setsockopt(fd, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, request), what);
            } else {
                require(IPPROTO_IP, IP_MULTICAST_ALL, 0, "IP_MULTICAST_ALL");
                MemorySegment request = arena.allocate(IP_MREQN);
                request.set(INT_BIG, 0, (int) requested.low());
                request.set(JAVA_INT, 8, networkInterface);
                require(libc.setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, request), what);
            }
        }
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

    /** Where it is bound. */
    Endpoint local() {
        return requested.withPort(port);
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
