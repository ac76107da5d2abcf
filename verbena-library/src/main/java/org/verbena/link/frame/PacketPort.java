package org.verbena.link.frame;

import org.verbena.link.LinkException;

/** Opens ports at Ethernet interfaces that the system has already, beside the system's own use of them. */
public final class PacketPort {
    private PacketPort() {}

    /**
     * A port at an Ethernet interface of Linux, by a packet socket: it gets all frames that come in there, also those to other addresses, with their VLAN
     * tags. It gets neither the frames that it sends nor those of the system itself. It needs {@code CAP_NET_RAW}.
     *
     * <p>The interface is one of the network namespace of the calling thread. Any thread may use the port then.
     *
     * @param networkInterface the name of the interface; it stays as it is, up or down
     * @throws LinkException if there is no such interface, it is no Ethernet interface, the privilege is missing, or the system is not Linux
     */
    public static FramePort open(String networkInterface) {
        LinuxOnly.require("a packet socket");
        return PacketFrames.open(networkInterface);
    }
}
