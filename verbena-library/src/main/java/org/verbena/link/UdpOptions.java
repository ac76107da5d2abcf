package org.verbena.link;

/**
 * How to open a UDP link.
 *
 * @param driver which implementation
 * @param segmentation whether the kernel may cut one buffer into many packets, where it can; without it every packet leaves with IPv4
 *     identification 0
 * @param socketBufferBytes memory to ask the system for, in each direction; it may give less
 */
public record UdpOptions(UdpDriver driver, boolean segmentation, int socketBufferBytes) {
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;

    public UdpOptions {
        if (socketBufferBytes < Packet.LENGTH_MAX) {
            throw new LinkException("socket buffer of " + socketBufferBytes + " bytes found, at least "
                    + Packet.LENGTH_MAX + " expected");
        }
    }

    /** The configured driver, everything on. */
    public static UdpOptions defaults() {
        return new UdpOptions(UdpDriver.configured(), true, SOCKET_BUFFER_BYTES);
    }

    public UdpOptions withDriver(UdpDriver other) {
        return new UdpOptions(other, segmentation, socketBufferBytes);
    }

    public UdpOptions withoutSegmentation() {
        return new UdpOptions(driver, false, socketBufferBytes);
    }
}
