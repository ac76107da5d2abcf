package org.verbena.link.frame;

import org.verbena.link.LinkException;

/** Opens TAP interfaces of Linux: the kernel sends its frames to the port, and receives those that the port sends. */
public final class TapPort {
    private TapPort() {}

    /**
     * A port at a TAP interface, which is made if it is not there, and set up. It is gone when the port is closed, unless it was made persistent
     * before. It needs {@code CAP_NET_ADMIN}, or an interface that was made for this user: {@code ip tuntap add dev NAME mode tap user NAME}. Without
     * the privilege an interface that is down stays down until the system's administrator sets it up, and its MTU cannot be changed.
     *
     * <p>The interface belongs to the network namespace of the calling thread. Any thread may use the port then.
     *
     * @param name of the interface, at most 15 bytes; with {@code %d} in it the kernel puts a number there; if it is empty, the kernel chooses.
     *     {@link FramePort#name} has the name that it got
     * @throws LinkException if there is no {@code /dev/net/tun}, a privilege is missing, the interface is in use or is no TAP interface, the name is too
     *     long, or the system is not Linux
     */
    public static FramePort open(String name) {
        LinuxOnly.require("a TAP interface");
        return TapFrames.open(name);
    }
}
