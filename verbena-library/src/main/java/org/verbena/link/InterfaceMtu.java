package org.verbena.link;

import java.net.NetworkInterface;
import java.net.SocketException;

/** How long a packet may be, so that the network interface of an address carries it in one piece. */
final class InterfaceMtu {
    private static final int IPV4_AND_UDP = 20 + 8;
    private static final int IPV6_AND_UDP = 40 + 8;
    /** What every IPv6 link carries; also our guess where the system does not tell. */
    private static final int MTU_MIN = 1280;

    private InterfaceMtu() {}

    /** Longest packet from this address. Says so if the address is a wildcard or not one of this machine. */
    static int packetMax(Endpoint local) {
        int headers = local.ipv6() ? IPV6_AND_UDP : IPV4_AND_UDP;
        return Math.min(Packet.LENGTH_MAX, mtu(local) - headers);
    }

    private static int mtu(Endpoint local) {
        if (local.address().isAnyLocalAddress() || local.address().isMulticastAddress()) {
            throw Misuse.wildcard(local);
        }
        try {
            NetworkInterface its = NetworkInterface.getByInetAddress(local.address());
            if (its != null) {
                return Math.max(its.getMTU(), MTU_MIN);
            }
        } catch (SocketException e) {
            throw new LinkException("the network interface of " + local + " cannot be asked for its MTU", e);
        }
        if (local.address().isLoopbackAddress()) {
            return Packet.LENGTH_MAX + IPV6_AND_UDP;
        }
        throw Misuse.wildcard(local);
    }
}
