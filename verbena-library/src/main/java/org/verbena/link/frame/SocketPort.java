package org.verbena.link.frame;

import java.nio.file.Path;
import org.verbena.link.Endpoint;
import org.verbena.link.LinkException;
import org.verbena.link.udp.UdpDriver;
import org.verbena.link.udp.linux.LinuxProbe;

/**
 * Opens datagram sockets that carry one Ethernet frame each, without a header: those of QEMU's {@code -netdev dgram}. No privilege is needed. A frame that the
 * peer does not take is lost, also if there is no peer yet; the port is up all the same. Such a port has no Ethernet address of its own, no carrier to
 * switch, and no offloads; its MTU is a number that it keeps.
 */
public final class SocketPort {
    private static final int PORT_MAX = 65_535;

    private SocketPort() {}

    /** A port over UDP with the {@linkplain UdpDriver#configured() configured driver}. */
    public static FramePort udp(Endpoint local, Endpoint remote) {
        return udp(local, remote, UdpDriver.configured());
    }

    /**
     * A port over UDP. Nothing protects the frames: use addresses of the loopback interface, or a network that is trusted.
     *
     * @param local an address of this machine, and a port; 0 lets the system choose
     * @param remote the address and port of the peer; datagrams from elsewhere are not received
     * @param driver the kind of all links of the adapter whose thread uses the port: a thread sleeps for descriptors or for channels
     * @throws LinkException if the addresses are of different families, the local one is not ours or its port taken, or the driver does not work here
     */
    public static FramePort udp(Endpoint local, Endpoint remote, UdpDriver driver) {
        if (local.ipv6() != remote.ipv6()) {
            throw new LinkException("local " + local + " and remote " + remote + " found, two of one family expected");
        }
        if (remote.port() == 0) {
            throw new LinkException("remote " + remote + " found, a port of 1 … " + PORT_MAX + " expected");
        }
        return switch (driver) {
            case NIO -> ChannelPort.open(local, remote);
            case LINUX -> linux(local, remote);
            case AUTO -> LinuxProbe.works() ? linux(local, remote) : ChannelPort.open(local, remote);
        };
    }

    private static FramePort linux(Endpoint local, Endpoint remote) {
        LinuxOnly.require("UDP driver linux");
        return SocketFrames.udp(local, remote);
    }

    /**
     * A port over datagram sockets of Unix, on Linux only. Every user that may write to the local path may send frames: put it in a directory of your own.
     *
     * @param local the path of this end, at most 107 bytes; it is made, and removed when the port is closed. A socket that a dead process left there is
     *     replaced
     * @param remote the path of the peer, which need not be there yet
     * @throws LinkException if the local path is in use or is another file, a path is too long, or the system is not Linux
     */
    public static FramePort unix(Path local, Path remote) {
        LinuxOnly.require("a datagram socket of Unix");
        return SocketFrames.unix(local, remote);
    }
}
