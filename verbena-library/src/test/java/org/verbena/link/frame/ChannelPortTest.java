package org.verbena.link.frame;

import org.verbena.link.udp.UdpDriver;

/** Frames over UDP, by channels of the JDK. */
final class ChannelPortTest extends UdpSocketPortTest {
    @Override
    UdpDriver driver() {
        return UdpDriver.NIO;
    }
}
