package org.verbena.link.udp;

import org.verbena.link.LinkException;
import org.verbena.link.Packet;
import org.verbena.link.udp.driver.DriverOptions;

/**
 * How to open a UDP link.
 *
 * @param driver which implementation
 * @param segmentation whether the kernel may cut one buffer into many packets, where it can; without it every packet leaves with IPv4
 *     identification 0
 * @param socketBufferBytes memory to ask the system for, in each direction; it may give less
 * @param sourcePorts UDP source ports, per local address, that flows are spread over; a socket each, opened when a flow needs it
 */
public record UdpOptions(UdpDriver driver, boolean segmentation, int socketBufferBytes, int sourcePorts) {
    private static final int SOCKET_BUFFER_BYTES = 4 << 20;
    private static final int SOURCE_PORTS = 16;
    private static final int SOURCE_PORTS_MAX = 256;

    public UdpOptions {
        if (socketBufferBytes < Packet.LENGTH_MAX) {
            throw new LinkException("socket buffer of " + socketBufferBytes + " bytes found, at least "
                    + Packet.LENGTH_MAX + " expected");
        }
        if (sourcePorts < 1 || sourcePorts > SOURCE_PORTS_MAX) {
            throw new LinkException(sourcePorts + " source ports found, 1 … " + SOURCE_PORTS_MAX + " expected");
        }
    }

    /** The configured driver, everything on. */
    public static UdpOptions defaults() {
        return new UdpOptions(UdpDriver.configured(), true, SOCKET_BUFFER_BYTES, SOURCE_PORTS);
    }

    public UdpOptions withDriver(UdpDriver other) {
        return new UdpOptions(other, segmentation, socketBufferBytes, sourcePorts);
    }

    public UdpOptions withoutSegmentation() {
        return new UdpOptions(driver, false, socketBufferBytes, sourcePorts);
    }

    public UdpOptions withSourcePorts(int other) {
        return new UdpOptions(driver, segmentation, socketBufferBytes, other);
    }

    DriverOptions forDriver() {
        return new DriverOptions(segmentation, socketBufferBytes, sourcePorts);
    }
}
