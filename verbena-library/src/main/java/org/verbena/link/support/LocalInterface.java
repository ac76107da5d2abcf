package org.verbena.link.support;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.Packet;

/** The network interface of a local address: it limits the length of a packet, and multicast goes in and out by it. */
public final class LocalInterface {
    private static final int IPV4_AND_UDP = 20 + 8;
    private static final int IPV6_AND_UDP = 40 + 8;
    /** The MTU that every IPv6 link has at least; also taken where the system tells a smaller one. */
    private static final int MTU_MIN = 1280;

    private LocalInterface() {}

    /**
     * Length of the longest packet that leaves each of these addresses in one piece.
     *
     * @throws LinkException if an address is a wildcard or not one of this machine
     */
    public static int packetMax(List<Endpoint> locals) {
        int longest = Packet.LENGTH_MAX;
        for (Endpoint local : locals) {
            int headers = local.ipv6() ? IPV6_AND_UDP : IPV4_AND_UDP;
            longest = Math.min(longest, mtu(local) - headers);
        }
        return longest;
    }

    /**
     * Length of the longest IP packet that the interface of this address takes.
     *
     * @throws LinkException if the address is a wildcard or not one of this machine
     */
    public static int mtu(Endpoint local) {
        if (local.address().isAnyLocalAddress() || local.address().isMulticastAddress()) {
            throw Misuse.wildcard(local);
        }
        try {
            NetworkInterface its = find(local);
            if (its == null) {
                throw Misuse.wildcard(local);
            }
            return Math.max(its.getMTU(), MTU_MIN);
        } catch (SocketException e) {
            throw new LinkException("the network interface of " + local + " cannot be asked for its MTU", e);
        }
    }

    /** The interface that has this address. */
    public static NetworkInterface of(Endpoint local) {
        try {
            NetworkInterface its = find(local);
            if (its != null) {
                return its;
            }
        } catch (SocketException e) {
            throw new LinkException("the network interface of " + local + " is not told by the system", e);
        }
        throw Misuse.wildcard(local);
    }

    private static @Nullable NetworkInterface find(Endpoint local) throws SocketException {
        NetworkInterface its = NetworkInterface.getByInetAddress(local.address());
        if (its != null || !local.address().isLoopbackAddress()) {
            return its;
        }
        // Of 127.0.0.0/8 the loopback interface has only the first on its list, and all in fact.
        return NetworkInterface.networkInterfaces()
                .filter(LocalInterface::isLoopback)
                .findFirst()
                .orElse(null);
    }

    private static boolean isLoopback(NetworkInterface candidate) {
        try {
            return candidate.isLoopback();
        } catch (SocketException e) {
            return false;
        }
    }
}
